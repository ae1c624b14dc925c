package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.fresh.EventStream;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clocks differ, and verification may be told to let a token be a little too old. */
@QuarkusTest
@TestProfile(ClockSkewTest.Grace.class)
class ClockSkewTest {

    /** The same feeds, where clocks may differ. */
    public static class Grace extends RestrictedFeedsProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> config = super.getConfigOverrides();
            config.put("mp.jwt.verify.clock.skew", Integer.toString(SKEW));
            return config;
        }
    }

    private static final int SKEW = 6;

    @Test
    void aStreamEndsAtTheSameTimeAsPages() {
        try (EventStream first = EventStream.open(fresh(TestTokens.ofTenant(1)), TestTokens.ofTenant(1))) {
            first.next();
        }
        String token = expired(SKEW - 4);
        String fresh = fresh(token);
        try (EventStream stream = EventStream.open(fresh, token)) {
            assertThat(stream.next()).as("in the time of grace").isEqualTo("{\"count\":0,\"capped\":false}");
            stream.awaitEnd();
        }
        assertThat(TestClient.get(fresh, "Authorization", token).statusCode()).isEqualTo(401);
    }

    private static String expired(int secondsAgo) {
        return TestTokens.bearer(TestTokens.claims()
                .claim("tenant", 1)
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().minusSeconds(secondsAgo)));
    }

    private static String fresh(String token) {
        byte[] page =
                TestClient.get("/api/tickets?limit=2", "Authorization", token).body();
        return "/api/tickets/fresh?cursor="
                + JsonPath.from(new String(page, StandardCharsets.UTF_8)).getString("cursors.top");
    }
}
