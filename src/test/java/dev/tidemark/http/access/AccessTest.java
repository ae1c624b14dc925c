package dev.tidemark.http.access;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which callers can read which feeds. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class AccessTest {

    /**
     * Targets of feeds that require the claim {@code tenant}. Most of these requests are invalid, but a caller without
     * access must be rejected before any parameter is evaluated.
     */
    private static final List<String> READS = List.of(
            "/api/tickets?limit=0",
            "/api/tickets?nonsense=1",
            "/api/tickets/fresh",
            "/v3/tickets",
            "/v3/tickets-by-offset",
            "/api/tickets-by-offset?cursor=x",
            "/browse/plan/tickets?nonsense=1",
            "/browse/plan/tickets-by-offset?cursor=x",
            "/api/standings",
            "/v3/standings",
            "/api/posts?limit=0",
            "/v3/posts-by-offset");

    @Test
    void onlyTheAllowedRolesReadAResourceWithRolesAllowed() {
        String administrator = TestTokens.bearer(TestTokens.claims("administrator"));
        String agent = TestTokens.bearer(TestTokens.claims("agent"));
        when().get("/administrators").then().statusCode(401);
        as(agent).when().get("/administrators").then().statusCode(403);
        as(administrator).when().get("/administrators").then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void aRestrictedFeedRequiresAToken(String method) {
        for (String target : READS) {
            Response answer = when().request(method, target);
            assertThat(answer.statusCode()).as(target).isEqualTo(401);
            answer.then().header("WWW-Authenticate", "Bearer").header("Cache-Control", "no-store");
        }
    }

    @Test
    void theOpenApiDocumentShowsTheProblemsOfCallersWhoMayNotRead() {
        JsonDocument missing = JsonDocument.of(get("/api/tickets"));
        JsonDocument forbidden = JsonDocument.of(
                as(TestTokens.bearer(TestTokens.claims("guest"))).when().get("/api/memos"));
        for (JsonDocument answer : List.of(missing, forbidden)) {
            JsonNode example = ApiDescription.problemExample(answer.getString("code"));
            assertThat(example.get("detail").asText()).isEqualTo(answer.getString("detail"));
            assertThat(example.get("title").asText()).isEqualTo(answer.getString("title"));
            assertThat(example.get("status").asInt()).isEqualTo(answer.getInt("status"));
        }
        assertThat(forbidden.getString("code")).isEqualTo("forbidden");
    }

    static Stream<Consumer<JwtClaimsBuilder>> faults() {
        return Stream.of(
                claims -> claims.issuedAt(Instant.now().minusSeconds(60))
                        .expiresAt(Instant.now().minusSeconds(1)),
                claims -> claims.expiresAt(Instant.now().minusSeconds(1)),
                claims -> claims.issuer("https://issuer.example.com"),
                claims -> claims.audience("another"),
                claims -> claims.remove("aud"),
                claims -> claims.remove("iss"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aTokenWithAFaultyClaimIsRejected(Consumer<JwtClaimsBuilder> fault) {
        JwtClaimsBuilder claims = TestTokens.claims("agent").claim("tenant", 1);
        fault.accept(claims);
        assertInvalidToken(TestTokens.bearer(claims));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "bearer ..", "Bearer e30.e30.e30"})
    void textThatIsNotATokenIsRejected(String header) {
        as(header).when().get("/api/tickets").then().statusCode(401);
    }

    @Test
    void basicCredentialsAreRejected() {
        as("Basic YWRtaW46YWRtaW4=").when().get("/api/tickets").then().statusCode(401);
    }

    @Test
    void anUnsignedTokenIsRejected() {
        String good = TestTokens.ofTenant(1);
        assertThat(status("/api/tickets", good)).as("the valid token").isEqualTo(200);
        for (String header : List.of("{\"alg\":\"none\"}", "{\"alg\":\"NONE\",\"typ\":\"JWT\"}", "{}")) {
            assertInvalidToken(TestTokens.unsigned(good, header));
        }
    }

    @Test
    void aTokenSignedWithThePublicKeyAsASecretIsRejected() {
        String key = ConfigProvider.getConfig().getValue("mp.jwt.verify.publickey", String.class);
        String pem = "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : List.of(
                Base64.getDecoder().decode(key),
                key.getBytes(StandardCharsets.US_ASCII),
                pem.getBytes(StandardCharsets.US_ASCII))) {
            assertInvalidToken(TestTokens.signedWithPublicKey(TestTokens.ofTenant(1), secret));
        }
    }

    @Test
    void aTokenThatWasAlteredOrSignedWithAnotherKeyIsRejected() {
        String good = TestTokens.ofTenant(1);
        String[] parts = good.split("\\.");
        String[] other = TestTokens.ofTenant(2).split("\\.");
        assertInvalidToken(parts[0] + '.' + other[1] + '.' + parts[2]);
        assertInvalidToken("Bearer "
                + TestTokens.claims()
                        .claim("tenant", 1)
                        .jws()
                        .keyId("main")
                        .sign(TestTokens.newKeys().getPrivate()));
    }

    private static void assertInvalidToken(String authorization) {
        for (String target : READS) {
            Response answer = as(authorization).when().get(target);
            assertThat(answer.statusCode()).as(target).isEqualTo(401);
            answer.then().header("WWW-Authenticate", "Bearer error=\"invalid_token\"");
        }
    }

    @Test
    void aCallerNeedsOneOfTheRoles() {
        assertThat(status("/api/memos", TestTokens.withRoles("agent"))).isEqualTo(200);
        assertThat(status("/api/memos", TestTokens.withRoles("manager", "cook")))
                .isEqualTo(200);
        for (String[] roles : new String[][] {{}, {"cook"}, {"Agent"}, {"agent, manager"}}) {
            assertThat(status("/api/memos", TestTokens.withRoles(roles))).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"agent\":1}", "1", "true", "null", "[1]", "[[\"agent\"]]", "[{\"agent\":1}]", "[null]"})
    void aCallerWhoseRolesAreNotAListOfTextsIsForbidden(String groups) {
        assertThat(status("/api/memos", TestTokens.ofPayload("\"groups\":" + groups)))
                .isEqualTo(403);
    }

    @Test
    void aMissingOrIncompatibleClaimIsForbidden() {
        for (Object claim : new Object[] {
            "seven", 1.5, true, List.of(1), Map.of("id", 1), "", "9223372036854775808", new BigDecimal("1e999999")
        }) {
            assertForbidden(TestTokens.bearer(TestTokens.claims().claim("tenant", claim)));
        }
        assertForbidden(TestTokens.bearer(TestTokens.claims()));
        assertForbidden(TestTokens.bearer(TestTokens.claims().claim("Tenant", 1)));
        assertThat(status(
                        "/api/teams",
                        TestTokens.bearer(TestTokens.claims("agent").claim("https://example.org/team", 1))))
                .as("a number for a column of type text")
                .isEqualTo(403);
        assertThat(status("/api/flags", TestTokens.bearer(TestTokens.claims().claim("urgent", 1))))
                .as("a number for a boolean")
                .isEqualTo(403);
    }

    @Test
    void theNameOfAClaimCanHaveAColon() {
        String token = TestTokens.bearer(TestTokens.claims().claim("custom:tenant", "1"));
        assertThat(status("/api/prefixed", token)).isEqualTo(200);
        assertThat(status("/api/prefixed", TestTokens.ofTenant(1))).isEqualTo(403);
    }

    @Test
    void aClaimCanBeAMemberOfAnotherOne() {
        for (Object tenant : new Object[] {1, "1"}) {
            assertThat(status(
                            "/api/nested",
                            TestTokens.bearer(
                                    TestTokens.claims("agent").claim("app_metadata", Map.of("tenant", tenant)))))
                    .isEqualTo(200);
        }
        assertThat(status(
                        "/api/nested",
                        TestTokens.bearer(TestTokens.claims("agent")
                                .claim("app_metadata.tenant", "x")
                                .claim("app_metadata", Map.of("tenant", 1)))))
                .as("the literal name comes first")
                .isEqualTo(403);
        for (Object other : new Object[] {"1", 1, List.of(1), Map.of("tenant", Map.of("tenant", 1)), Map.of("x", 1)}) {
            assertThat(status(
                            "/api/nested",
                            TestTokens.bearer(TestTokens.claims("agent").claim("app_metadata", other))))
                    .as("%s", other)
                    .isEqualTo(403);
        }
    }

    /** No other test reads this feed with a token. */
    @Test
    void aMissingClaimIsLoggedOnceForEachFeed() {
        String bare = TestTokens.bearer(TestTokens.claims().claim("tenant", "s3cret"));
        String withRole = TestTokens.bearer(TestTokens.claims("agent").claim("unheard", Map.of("x", 1)));
        String withOtherRole =
                TestTokens.bearer(TestTokens.claims("guest").claim("unheard", Map.of("tenant", List.of())));
        try (WarningLog log = new WarningLog(Admission.class)) {
            as(bare).when().get("/api").then().statusCode(200);
            assertThat(log.lines()).as("a listing of feeds asks for none").isEmpty();
            for (int i = 0; i < 3; i++) {
                assertThat(status("/api/unheard", withRole)).isEqualTo(403);
                assertThat(status("/api/unheard", withOtherRole)).isEqualTo(403);
            }
            assertThat(log.lines())
                    .containsExactly(
                            "A request for the feed unheard was forbidden, because its token is valid but lacks the"
                                    + " claim unheard.tenant. Further ones are not logged");
            assertThat(status("/v3/unheard", bare)).isEqualTo(403);
            assertThat(log.lines()).hasSize(2).last().asString().contains("lacks the claim groups.");
        }
    }

    @Test
    void anEmptyClaimIsForbidden() {
        String claim = "https://example.org/team";
        for (String empty : List.of("", "  ", "\t")) {
            assertThat(status(
                            "/api/teams",
                            TestTokens.bearer(TestTokens.claims("agent").claim(claim, empty))))
                    .isEqualTo(403);
        }
    }

    /** The driver would send another character instead, which can belong to another tenant. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "acme\\ud800",
                "\\udc00acme",
                "\\ud800\\ud800\\udc00",
                "\\udc00\\ud800",
                "acme\u00ff",
                "acme\\ufffd"
            })
    void aClaimThatIsNotUnicodeIsForbidden(String claim) {
        String token = TestTokens.ofPayload("\"groups\":[\"agent\"],\"https://example.org/team\":\"" + claim + "\"");
        assertThat(status("/api/teams", token)).isEqualTo(403);
    }

    @Test
    void aClaimCanHaveCharactersBeyondTheBasicPlane() {
        String token = TestTokens.ofPayload("\"groups\":[\"agent\"],\"https://example.org/team\":\"\\ud83d\\ude00\"");
        assertThat(status("/api/teams", token)).isEqualTo(200);
    }

    @Test
    void trailingBlanksMakeAClaimInvalid() {
        assertThat(status("/api/coded", TestTokens.bearer(TestTokens.claims().claim("code", "ab"))))
                .isEqualTo(200);
        assertThat(status("/api/coded", TestTokens.bearer(TestTokens.claims().claim("code", "ab "))))
                .isEqualTo(403);
    }

    @Test
    void aClaimThatJsonNumbersCannotHoldExactlyIsForbidden() {
        for (Object exact : new Object[] {Long.MAX_VALUE, 123456789012345678L, 1.5, "12345678901234567890"}) {
            assertThat(status(
                            "/api/numbered",
                            TestTokens.bearer(TestTokens.claims().claim("number", exact))))
                    .as("%s", exact)
                    .isEqualTo(200);
        }
        for (Object rounded :
                new Object[] {new BigInteger("12345678901234567890"), new BigDecimal("1.23456789012345678")}) {
            assertThat(status(
                            "/api/numbered",
                            TestTokens.bearer(TestTokens.claims().claim("number", rounded))))
                    .as("%s", rounded)
                    .isEqualTo(403);
        }
    }

    private static void assertForbidden(String authorization) {
        for (String target : READS) {
            assertThat(status(target, authorization)).as(target).isEqualTo(403);
        }
    }

    @Test
    void aTokenCanExpireInTheFarFuture() {
        assertThat(status(
                        "/api/tickets",
                        TestTokens.bearer(TestTokens.claims().claim("tenant", 1).expiresAt(Long.MAX_VALUE))))
                .isEqualTo(200);
    }

    @Test
    void aClaimCanBeTextOrHaveTheTypeOfTheColumn() {
        for (Object claim : new Object[] {1, 1L, "1"}) {
            assertThat(status(
                            "/api/tickets",
                            TestTokens.bearer(TestTokens.claims().claim("tenant", claim))))
                    .isEqualTo(200);
        }
        assertThat(status("/api/flags", TestTokens.bearer(TestTokens.claims().claim("urgent", true))))
                .isEqualTo(200);
    }

    @Test
    void aRoleAndTheClaimOfTheScopeAreBothRequired() {
        String claim = "https://example.org/team";
        assertThat(status(
                        "/api/teams",
                        TestTokens.bearer(TestTokens.claims("agent").claim(claim, "team 1"))))
                .isEqualTo(200);
        assertThat(status("/api/teams", TestTokens.bearer(TestTokens.claims().claim(claim, "team 1"))))
                .isEqualTo(403);
        assertThat(status("/api/teams", TestTokens.withRoles("agent"))).isEqualTo(403);
    }

    @Test
    void aPublicFeedIgnoresTokens() {
        for (String header : List.of("Bearer x", "Basic x", TestTokens.ofTenant(1))) {
            Response answer = as(header).when().get("/api/open?limit=40");
            answer.then().statusCode(200);
            assertThat(answer.header("Vary")).doesNotContain("Authorization");
            assertThat(JsonDocument.of(answer).getList("items")).hasSize(40);
        }
    }

    @Test
    void responsesOfRestrictedFeedsVaryWithTheToken() {
        String token = TestTokens.ofTenant(1);
        as(token).when().get("/api/tickets?limit=1").then().header("Vary", "Accept, Accept-Encoding, Authorization");
        as(token)
                .when()
                .get("/api/tickets")
                .then()
                .header("Vary", "Accept, Accept-Encoding, Authorization, Sec-CH-UA-Mobile");
        as(token).when().get("/v3/tickets?limit=1").then().header("Vary", "Accept-Encoding, Authorization");
        when().get("/api").then().header("Vary", "Accept-Encoding, Authorization");
        String cursor =
                JsonDocument.of(as(token).when().get("/api/tickets?limit=1")).getString("cursors.top");
        as(token)
                .when()
                .get("/api/tickets/fresh?cursor=" + cursor)
                .then()
                .header("Vary", "Accept, Accept-Encoding, Authorization");
    }

    @Test
    void theListOfFeedsHasOnlyFeedsThatTheCallerMayRead() {
        when().get("/api")
                .then()
                .body(
                        "feeds.name",
                        is(List.of(
                                "claims",
                                "freight",
                                "gone",
                                "messages",
                                "notes",
                                "open",
                                "parcels",
                                "some_notes",
                                "tasks")));
        assertThat(feeds(TestTokens.ofTenant(1)))
                .isEqualTo(List.of(
                        "claims",
                        "freight",
                        "gone",
                        "messages",
                        "notes",
                        "open",
                        "parcels",
                        "some_notes",
                        "standings",
                        "tasks",
                        "tickets",
                        "tickets-by-offset",
                        "timed"));
        assertThat(feeds(TestTokens.withRoles("agent")))
                .isEqualTo(List.of(
                        "claims",
                        "freight",
                        "gone",
                        "guarded",
                        "memos",
                        "messages",
                        "notes",
                        "open",
                        "parcels",
                        "some_notes",
                        "tasks"));
        as("Bearer x").when().get("/api").then().statusCode(401);
        String tag = get("/api").header("ETag");
        given().header("If-None-Match", tag).when().get("/api").then().statusCode(304);
        given().header("If-None-Match", tag)
                .header("Authorization", TestTokens.ofTenant(1))
                .when()
                .get("/api")
                .then()
                .statusCode(200);
    }

    private static List<String> feeds(String authorization) {
        return JsonDocument.of(as(authorization).when().get("/api")).getList("feeds.name");
    }

    @Test
    void theOpenApiDocumentSaysWhichOperationsNeedAToken() {
        JsonDocument document =
                JsonDocument.of(given().accept("application/json").when().get("/q/openapi"));
        assertThat(document.getMap("components.securitySchemes.token"))
                .containsEntry("type", "http")
                .containsEntry("scheme", "bearer")
                .containsEntry("bearerFormat", "JWT");
        for (String path : List.of("/api/tickets", "/api/tickets/fresh", "/v3/tickets", "/v3/standings")) {
            String get = "paths.'" + path + "'.get.";
            assertThat(document.getList(get + "security")).as(path).isEqualTo(List.of(Map.of("token", List.of())));
            assertThat(document.getMap(get + "responses").keySet()).as(path).contains("401", "403");
        }
        assertThat(document.getList("paths.'/api/open'.get.security")).isEmpty();
        assertThat(document.getMap("paths.'/api/open'.get.responses").keySet()).doesNotContain("401", "403");
        assertThat(document.getList("paths.'/api'.get.security"))
                .as("with a token or without")
                .isEqualTo(List.of(Map.of(), Map.of("token", List.of())));
        assertThat(document.getMap("paths.'/api'.get.responses").keySet()).contains("401", "503");
        assertThat(document.getMap("components.responses.Unauthorized.headers")).containsKey("WWW-Authenticate");
    }

    @Test
    void anUnknownFeedIsNotFoundWithOrWithoutAToken() {
        assertThat(status("/api/nothing", TestTokens.ofTenant(1))).isEqualTo(404);
        when().get("/api/nothing").then().statusCode(404);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAUTHORIZED", "FORBIDDEN"})
    void aRejectedCallerGetsAProblem(ProblemCode code) {
        Response response = code == ProblemCode.UNAUTHORIZED
                ? get("/api/tickets")
                : as(TestTokens.withRoles("agent")).when().get("/api/tickets");
        response.then().statusCode(code.status()).header("Content-Type", "application/problem+json");
        assertThat(JsonDocument.of(response).getString("code")).isEqualTo(code.wireName());
        assertThat(JsonDocument.of(response).getInt("status")).isEqualTo(code.status());
    }

    @Test
    void anAccessProblemRevealsNothingAboutTheFeedOrTheToken() {
        Map<String, Object> rejected =
                JsonDocument.of(get("/api/tickets?tenant_id=1")).getMap("");
        assertThat(rejected.keySet())
                .isEqualTo(Set.of("type", "title", "status", "detail", "instance", "code", "request_id"));
        assertThat(rejected).containsEntry("code", "unauthorized").containsEntry("instance", "/api/tickets");
        String secret = "s3cr3t-tenant";
        String forbidden = as(TestTokens.bearer(TestTokens.claims().claim("tenant", secret)))
                .when()
                .get("/v3/tickets?limit=1")
                .asString();
        assertThat(JsonDocument.of(forbidden).getInt("code")).isEqualTo(2002);
        assertThat(forbidden).doesNotContain(secret, "tenant");
        when().get("/v3/tickets").then().body("code", is(2001));
    }

    private static int status(String target, String authorization) {
        return as(authorization).when().get(target).statusCode();
    }

    private static RequestSpecification as(String authorization) {
        return given().header("Authorization", authorization);
    }
}
