package dev.tidemark.inbox;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.time.Duration;
import java.util.Map;

/** An inbox in its own database, which tests can change. */
public class ChangeableInboxProfile implements QuarkusTestProfile {

    static final int ROWS = 3000;
    static final Duration TRAFFIC_ATTENTION = Duration.ofSeconds(3);

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "tidemark.inbox.rows",
                Integer.toString(ROWS),
                "tidemark.inbox.traffic-attention",
                TRAFFIC_ATTENTION.toString(),
                "tidemark.statement-timeout",
                "5s");
    }
}
