package dev.tidemark.inbox;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** An inbox in its own database, which tests can change. */
public class ChangeableInboxProfile implements QuarkusTestProfile {

    static final int ROWS = 3000;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("tidemark.inbox.rows", Integer.toString(ROWS), "tidemark.statement-timeout", "5s");
    }
}
