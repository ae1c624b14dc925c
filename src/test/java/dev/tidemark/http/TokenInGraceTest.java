package dev.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

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
            config.put("mp.jwt.verify.clock.skew", "60");
            return config;
        }
    }

    @Test
    void a_stream_that_is_over_before_its_first_number_is_answered_all_the_same() {
        String token = TokenMint.bearer(TokenMint.claims()
                .claim("tenant", 1)
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().minusSeconds(5)));
        byte[] page = Wire.get("/api/tickets?limit=2", "Authorization", token).body();
        String top = JsonPath.from(new String(page, StandardCharsets.UTF_8)).getString("cursors.top");
        try (EventStream stream = EventStream.open("/api/tickets/fresh?cursor=" + top, token)) {
            assertThat(stream.status()).isEqualTo(200);
            stream.awaitEnd();
        }
    }
}
