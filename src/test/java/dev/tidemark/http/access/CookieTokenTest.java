package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Web pages may send their tokens as cookies; caches must know. */
@QuarkusTest
@TestProfile(CookieTokenTest.Cookie.class)
class CookieTokenTest {

    /** The same feeds, whose tokens come in a cookie. */
    public static class Cookie extends RestrictedFeedsProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> config = super.getConfigOverrides();
            config.put("mp.jwt.token.header", "Cookie");
            config.put("mp.jwt.token.cookie", "session");
            return config;
        }
    }

    @Test
    void varyNamesTheHeaderThatCarriesTheToken() {
        String token = TestTokens.ofTenant(1);
        HttpResponse<byte[]> answer =
                TestClient.get("/api/tickets?limit=1", "Cookie", "session=" + token.substring("Bearer ".length()));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Vary")).isEqualTo("Accept-Encoding, Cookie");
        assertThat(TestClient.get("/api/tickets?limit=1", "Authorization", token)
                        .statusCode())
                .as("a token where nobody looks for it")
                .isEqualTo(401);
    }
}
