package dev.tidemark.inbox;

import dev.tidemark.local.EmbeddedPostgresResource;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;

/**
 * The sample inbox as it is generated, without the feeds and the cursor key of other tests. Tests that write to it undo
 * their changes.
 */
public class SampleInboxProfile implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(EmbeddedPostgresResource.class));
    }

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }
}
