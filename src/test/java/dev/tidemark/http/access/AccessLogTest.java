package dev.tidemark.http.access;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.AccessLog;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The framework's access log, with the parts of patterns that the guides show. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class AccessLogTest {

    @ParameterizedTest
    @CsvSource({
        "/api/tickets?urgent=true&limit=2, application/json, 200",
        "/v3/memos?limit=3, application/json, 200",
        "/api/memos?limit=4, application/x-ndjson, 200",
    })
    void aResponseOfARestrictedFeedIsLoggedWithSubjectUrlStatusAndSize(String target, String mediaType, int status) {
        String line = line(TestTokens.bearer(claims()), target, mediaType, status);
        assertThat(line).matches("somebody GET \\Q" + target + "\\E " + status + " [1-9]\\d* - -");
    }

    @Test
    void aCallerIsNamedByUpnAndPreferredUsernameBeforeTheSubject() {
        JwtClaimsBuilder named = claims().preferredUserName("jd");
        assertThat(line(TestTokens.bearer(named), "/api/memos?limit=1", "application/json", 200))
                .startsWith("jd GET ");
        assertThat(line(TestTokens.bearer(named.upn("jane")), "/api/memos?limit=1", "application/json", 200))
                .startsWith("jane GET ");
    }

    @Test
    void aRejectedCallerAndThatOfAPublicFeedAreNotNamed() {
        assertThat(line("Bearer x", "/api/memos?limit=1", "application/json", 401))
                .startsWith("- GET ");
        assertThat(line(TestTokens.bearer(claims()), "/api/open?limit=1", "application/json", 200))
                .startsWith("- GET ");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/memos?limit=0, 400, invalid_limit",
        "/v3/memos?limit=x, 400, invalid_limit",
        "/api/nothing, 404, unknown_feed",
        "/nothing, 404, not_found",
        "/api/memos?limit=%FF, 400, malformed_request",
    })
    void aFailedRequestIsLoggedWithItsProblemAndId(String target, int status, String problem) {
        assertThat(line(TestTokens.bearer(claims()), target, "application/json", status))
                .endsWith(" " + problem + " abc");
    }

    private static String line(String token, String target, String mediaType, int status) {
        try (AccessLog log = new AccessLog()) {
            given().urlEncodingEnabled(false)
                    .header("Authorization", token)
                    .header("X-Request-Id", "abc")
                    .accept(mediaType)
                    .get(target)
                    .then()
                    .statusCode(status);
            return log.onlyLine();
        }
    }

    private static JwtClaimsBuilder claims() {
        return TestTokens.claims("agent").claim("tenant", 1);
    }
}
