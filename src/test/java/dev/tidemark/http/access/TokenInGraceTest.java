package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RestrictedTables;
import dev.tidemark.http.TokenMint;
import dev.tidemark.http.Wire;
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
@TestProfile(TokenInGraceTest.Grace.class)
class TokenInGraceTest {

    /** The same feeds, where clocks may differ. */
    public static class Grace extends RestrictedTables {
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
        try (EventStream first = EventStream.open(fresh(TokenMint.ofTenant(1)), TokenMint.ofTenant(1))) {
            first.next();
        }
        String token = expired(SKEW - 4);
        String fresh = fresh(token);
        try (EventStream stream = EventStream.open(fresh, token)) {
            assertThat(stream.next()).as("in the time of grace").isEqualTo("{\"count\":0,\"capped\":false}");
            stream.awaitEnd();
        }
        assertThat(Wire.get(fresh, "Authorization", token).statusCode()).isEqualTo(401);
    }

    private static String expired(int secondsAgo) {
        return TokenMint.bearer(TokenMint.claims()
                .claim("tenant", 1)
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().minusSeconds(secondsAgo)));
    }

    private static String fresh(String token) {
        byte[] page = Wire.get("/api/tickets?limit=2", "Authorization", token).body();
        return "/api/tickets/fresh?cursor="
                + JsonPath.from(new String(page, StandardCharsets.UTF_8)).getString("cursors.top");
    }
}
