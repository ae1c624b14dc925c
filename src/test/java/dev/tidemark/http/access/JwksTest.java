package dev.tidemark.http.access;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** Tokens are verified by keys that an identity provider publishes. */
@QuarkusTest
@TestProfile(JwksProfile.class)
class JwksTest {

    @Test
    void fetchingKeysDoesNotDelayOtherRequests() throws Exception {
        HttpResponse<byte[]> away = TestClient.get("/api/tickets", "Authorization", TestTokens.ofTenant(1));
        assertThat(away.statusCode())
                .as("nobody knows yet whether the token is good")
                .isEqualTo(503);
        assertThat(TestClient.header(away, "Retry-After")).isEqualTo("1");
        assertThat(TestClient.get("/api/tickets").statusCode()).isEqualTo(401);
        provider("/come-back");
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> status(TestTokens.ofTenant(1)));
        provider("/asked");
        for (int i = 0; i < 20; i++) {
            assertThat(TestClient.get("/api/open").statusCode()).isEqualTo(200);
        }
        assertThat(first).as("who needs the keys waits").isNotDone();
        provider("/go-on");
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(200);

        String good = TestTokens.ofTenant(2);
        assertThat(status(good)).isEqualTo(200);
        assertThat(status(TestTokens.unsigned(good, "{\"alg\":\"none\"}"))).isEqualTo(401);
        assertThat(status(TestTokens.signedWithPublicKey(good, new byte[64]))).isEqualTo(401);
        assertThat(status("Bearer "
                        + TestTokens.claims()
                                .claim("tenant", 1)
                                .jws()
                                .keyId("unknown")
                                .sign(TestTokens.newKeys().getPrivate())))
                .isEqualTo(401);
        assertThat(status(good)).as("after a key that nobody knows").isEqualTo(200);
    }

    private static int status(String authorization) {
        return TestClient.get("/api/tickets", "Authorization", authorization).statusCode();
    }

    private static void provider(String path) {
        get(ConfigProvider.getConfig().getValue(JwksProfile.PROVIDER, String.class) + path)
                .then()
                .statusCode(200);
    }
}
