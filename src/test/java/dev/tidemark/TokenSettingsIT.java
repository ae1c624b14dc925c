package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.events.EventClient;
import java.net.http.HttpResponse;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Settings for where a request carries its token, how expiry is checked, and where the verification keys come from.
 */
@Timeout(120)
@Slow
class TokenSettingsIT {

    private static final String NO_NEW_ITEMS = "{\"count\":0,\"capped\":false}";

    private static final Map<String, String> CONFIG = new HashMap<>();

    /** The clock skew, in seconds, that the shared server tolerates. */
    private static final int SKEW_SECONDS = 6;

    /**
     * The server of all tests that need no other settings. Its OpenAPI document describes only public feeds, which is
     * the default.
     */
    private static DeployedServer shared;

    @BeforeAll
    static void start() throws Exception {
        var profile = new RestrictedFeedsProfile();
        CONFIG.putAll(profile.getConfigOverrides());
        CONFIG.putAll(profile.start());
        // The deployed server has no inbox, and rejects the inbox's settings.
        CONFIG.remove("tidemark.inbox.rows");
        System.setProperty(TestTokens.PRIVATE_KEY_PROPERTY, CONFIG.remove(TestTokens.PRIVATE_KEY_PROPERTY));
        Map<String, String> config = new HashMap<>(CONFIG);
        config.remove("tidemark.openapi.restricted-feeds");
        config.put("mp.jwt.verify.clock.skew", Integer.toString(SKEW_SECONDS));
        shared = DeployedServer.withConfigFile(config).awaitReady();
    }

    @AfterAll
    static void stop() {
        shared.close();
        System.clearProperty(TestTokens.PRIVATE_KEY_PROPERTY);
    }

    @Test
    void varyNamesTheHeaderThatCarriesTheToken() throws Exception {
        Map<String, String> config = new HashMap<>(CONFIG);
        config.put("mp.jwt.token.header", "Cookie");
        config.put("mp.jwt.token.cookie", "session");
        try (DeployedServer server = DeployedServer.withConfigFile(config).awaitReady()) {
            String token = TestTokens.ofTenant(1);

            HttpResponse<String> response =
                    server.get("/api/tickets?limit=1", "Cookie", "session=" + token.substring("Bearer ".length()));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(DeployedServer.header(response, "Vary")).isEqualTo("Accept, Accept-Encoding, Cookie");
            assertThat(status(server, token)).as("a token in another header").isEqualTo(401);
            assertThat(JsonDocument.of(server.get("/q/openapi?format=json").body())
                            .getMap("components.securitySchemes.token"))
                    .containsEntry("type", "apiKey")
                    .containsEntry("in", "cookie")
                    .containsEntry("name", "session");
        }
    }

    @Test
    void theOpenApiDocumentDescribesOnlyPublicFeedsByDefault() throws Exception {
        String document = shared.get("/q/openapi", "Authorization", TestTokens.ofTenant(1))
                .body();
        assertThat(document)
                .contains("/api/open")
                .doesNotContain("tickets", "memos", "teams", "standings", "securitySchemes");
        assertThat(shared.get("/q/openapi/tickets", "Authorization", TestTokens.ofTenant(1))
                        .body())
                .contains("unknown_feed");
    }

    @Test
    void theStartupReportNamesTheFeedsThatNeedATokenAndThoseThatAreOpen() {
        Await.until("the report is logged", () -> shared.log().stream()
                .anyMatch(line -> line.contains(" serves ")
                        && line.matches(".*  Feeds     (\\w+, )*open(, \\w+)*: open to everybody; .*")
                        && line.matches(".*: open to everybody; [^:]*\\bcoded\\b[^:]*: with a token; .*")));
    }

    @Test
    void theClockSkewAppliesToStreamsAsItDoesToPages() throws Exception {
        try (EventClient first = open(TestTokens.ofTenant(1))) {
            first.next();
        }
        String token = TestTokens.bearer(TestTokens.claims()
                .claim("tenant", 1)
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().minusSeconds(SKEW_SECONDS - 4)));

        try (EventClient stream = open(token)) {
            assertThat(stream.next()).as("within the clock skew").isEqualTo(NO_NEW_ITEMS);
            stream.awaitEnd();
        }

        assertThat(status(shared, token)).isEqualTo(401);
    }

    @Test
    void fetchingKeysDoesNotDelayOtherRequests() throws Exception {
        Map<String, String> config = new HashMap<>(CONFIG);
        var provider = new IdentityProvider(publicKey(config.remove("mp.jwt.verify.publickey")));
        config.put("mp.jwt.verify.publickey.location", provider.jwksUrl());
        // A request that blocks the only event loop delays all others.
        config.put("quarkus.vertx.event-loops-pool-size", "1");
        try (provider;
                DeployedServer server = DeployedServer.withConfigFile(config).awaitReady()) {
            HttpResponse<String> unavailable = server.get("/api/tickets", "Authorization", TestTokens.ofTenant(1));
            assertThat(unavailable.statusCode()).as("the key is not known yet").isEqualTo(503);
            assertThat(DeployedServer.header(unavailable, "Retry-After")).isEqualTo("1");
            assertThat(server.get("/api/tickets").statusCode()).isEqualTo(401);

            provider.becomeAvailable();
            CompletableFuture<Integer> first =
                    CompletableFuture.supplyAsync(() -> status(server, TestTokens.ofTenant(1)));
            provider.awaitRequest();
            for (int i = 0; i < 20; i++) {
                assertThat(server.get("/api/open").statusCode()).isEqualTo(200);
            }
            assertThat(first).as("the request that needs the key waits").isNotDone();
            provider.answer();
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(200);

            String good = TestTokens.ofTenant(2);
            assertThat(status(server, good)).isEqualTo(200);
            assertThat(status(server, TestTokens.unsigned(good, "{\"alg\":\"none\"}")))
                    .isEqualTo(401);
            assertThat(status(server, TestTokens.signedWithPublicKey(good, new byte[64])))
                    .isEqualTo(401);
            assertThat(status(
                            server,
                            "Bearer "
                                    + TestTokens.claims()
                                            .claim("tenant", 1)
                                            .jws()
                                            .keyId("unknown")
                                            .sign(TestTokens.newKeys().getPrivate())))
                    .isEqualTo(401);
            assertThat(status(server, good)).as("after an unknown key").isEqualTo(200);
        }
    }

    /** As of Cognito, whose access tokens have no {@code aud}. */
    @Test
    void settingsNameTheClaimsThatHaveTheAudienceAndTheRoles() throws Exception {
        Map<String, String> config = new HashMap<>(CONFIG);
        config.put("tidemark.token.audience-claim", "client_id");
        config.put("tidemark.token.roles-claim", "cognito:groups");
        try (DeployedServer server = DeployedServer.withConfigFile(config).awaitReady()) {
            for (String client : List.of(TestTokens.AUDIENCE, "another")) {
                String token = TestTokens.bearer(TestTokens.claims()
                        .remove("aud")
                        .claim("client_id", client)
                        .claim("cognito:groups", List.of("agent")));
                assertThat(server.get("/api/memos", "Authorization", token).statusCode())
                        .as(client)
                        .isEqualTo(client.equals(TestTokens.AUDIENCE) ? 200 : 401);
            }
            assertThat(server.get("/api/memos", "Authorization", TestTokens.withRoles("agent"))
                            .statusCode())
                    .as("an audience in aud")
                    .isEqualTo(401);
        }
    }

    private static EventClient open(String token) throws Exception {
        String page = shared.get("/api/tickets?limit=2", "Authorization", token).body();
        String top = JsonDocument.of(page).getString("cursors.top");
        return EventClient.open(shared.port(), "/api/tickets/fresh?cursor=" + top, token);
    }

    private static int status(DeployedServer server, String authorization) {
        try {
            return server.get("/api/tickets", "Authorization", authorization).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static RSAPublicKey publicKey(String base64) throws Exception {
        var encoded = new X509EncodedKeySpec(Base64.getDecoder().decode(base64));
        return (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(encoded);
    }
}
