package dev.tidemark.inbox;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** An inbox that tests may change, in a database of its own. */
public class ChangeableInboxProfile implements QuarkusTestProfile {

    static final int ROWS = 3000;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("tidemark.inbox.rows", Integer.toString(ROWS));
    }
}
