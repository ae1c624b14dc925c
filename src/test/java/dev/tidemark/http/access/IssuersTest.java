package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Access.ClaimScope;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.SampleFeeds;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.ParseException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tokens of the forms that issuers give them, with the settings in the guide's table of issuers. The keys are made
 * here, and fetched from a local server.
 */
@BesideQuarkusTests
class IssuersTest {

    private static final Path GUIDE = Path.of("src/site/markdown/access.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /**
     * The values in a token of each issuer in which its tokens differ; the issuer, {@code iat}, and {@code exp} are
     * added.
     */
    private static final Map<String, String> TOKENS = new LinkedHashMap<>(Map.of(
            "Auth0",
            """
            "sub":"auth0|5f7c8ec7c33c6c004bbafe82","aud":["API","https://TENANT.auth0.com/userinfo"],"azp":"my_client",
            "scope":"openid profile","permissions":["read:orders"],
            "https://example.com/roles":["agent"],"https://example.com/tenant":"acme\"""",
            "Cognito, access tokens",
            """
            "sub":"acme","cognito:groups":["agent"],"version":2,"client_id":"CLIENT","origin_jti":"a","event_id":"b",
            "token_use":"access","scope":"aws.cognito.signin.user.admin","auth_time":1700000000,"jti":"c","username":"ada\"""",
            "Cognito, ID tokens",
            """
            "sub":"5c0a","aud":"CLIENT","cognito:groups":["agent"],"cognito:username":"ada","custom:tenant":"acme",
            "event_id":"b","token_use":"id","auth_time":1700000000,"email_verified":true""",
            "Entra",
            """
            "aud":"APPLICATION","aio":"x","azp":"their_client","azpacr":"0","name":"Ada","oid":"acme",
            "preferred_username":"ada@example.com","rh":"y","roles":["agent"],"scp":"Orders.Read","sub":"pairwise",
            "tid":"TENANT","uti":"z","ver":"2.0\"""",
            "Firebase",
            """
            "name":"Ada","roles":["agent"],"tenant":"acme","aud":"PROJECT","auth_time":1700000000,"user_id":"u1","sub":"u1",
            "firebase":{"identities":{"email":["ada@example.com"]},"sign_in_provider":"password"}""",
            "Keycloak",
            """
            "jti":"j","aud":["API","account"],"sub":"acme","typ":"Bearer","azp":"CLIENT","acr":"1","allowed-origins":["/*"],
            "realm_access":{"roles":["offline_access","agent"]},"resource_access":{"account":{"roles":["view-profile"]}},
            "scope":"openid email profile","email_verified":true,"preferred_username":"ada\"""",
            "Okta",
            """
            "ver":1,"jti":"AT.x","aud":"api://default","cid":"0oab8eb55Kb9jdMIr5d6","uid":"acme","scp":["openid","orders"],
            "groups":["Everyone","agent"],"sub":"ada@example.com\"""",
            "Supabase",
            """
            "aud":"authenticated","sub":"a0b1","email":"ada@example.com","phone":"","role":"authenticated","aal":"aal1",
            "app_metadata":{"provider":"email","providers":["email"],"tenant_id":"acme","roles":["agent"]},
            "user_metadata":{"tenant_id":"theirs"},"session_id":"s","is_anonymous":false"""));

    private static final Map<SignatureAlgorithm, PublicJsonWebKey> KEYS = new EnumMap<>(SignatureAlgorithm.class);

    private static HttpServer server;

    @BeforeAll
    static void serveKeys() throws JoseException, IOException {
        KEYS.put(SignatureAlgorithm.RS256, RsaJwkGenerator.generateJwk(2048));
        KEYS.put(SignatureAlgorithm.ES256, EcJwkGenerator.generateJwk(EllipticCurves.P256));
        KEYS.put(SignatureAlgorithm.EDDSA, OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519));
        KEYS.forEach((algorithm, key) -> key.setKeyId("key of " + algorithm));
        byte[] jwks = new JsonWebKeySet(new ArrayList<>(KEYS.values()))
                .toJson(OutputControlLevel.PUBLIC_ONLY)
                .getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jwks", exchange -> {
            exchange.sendResponseHeaders(200, jwks.length);
            exchange.getResponseBody().write(jwks);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private record Config(String audienceClaim, String rolesClaim) implements TokenConfig {}

    /** A row of the guide's table. */
    private record Issuer(String name, String issuer, String audience, Map<String, String> others, String scope) {

        static Issuer of(String row) {
            String[] cells = row.split(" *\\| *");
            Map<String, String> others = CODE.matcher(cells[5])
                    .results()
                    .map(setting -> setting.group(1).split("=", 2))
                    .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
            return new Issuer(cells[1], code(cells[2]), code(cells[4]), others, code(cells[6]));
        }

        private static String code(String cell) {
            return CODE.matcher(cell)
                    .results()
                    .map(result -> result.group(1))
                    .findFirst()
                    .orElseThrow();
        }

        SignatureAlgorithm algorithm() {
            return SignatureAlgorithm.valueOf(others.getOrDefault("MP_JWT_VERIFY_PUBLICKEY_ALGORITHM", "RS256"));
        }

        JWTAuthContextInfo settings(SignatureAlgorithm... algorithms) {
            JWTAuthContextInfo settings = new JWTAuthContextInfo();
            settings.setPublicKeyLocation(
                    "http://localhost:" + server.getAddress().getPort() + "/jwks");
            settings.setIssuedBy(issuer);
            settings.setExpectedAudience(Set.of(audience));
            settings.setSignatureAlgorithm(Set.of(algorithms));
            return settings;
        }

        TokenVerifier verifier() {
            return new TokenVerifier(new Config(
                    others.getOrDefault("TIDEMARK_TOKEN_AUDIENCE_CLAIM", "aud"),
                    others.getOrDefault("TIDEMARK_TOKEN_ROLES_CLAIM", "groups")));
        }

        Access access() {
            return new Access(
                    Set.of("agent"), List.of(new ClaimScope(SampleFeeds.SUBJECT, scope.substring("claim:".length()))));
        }

        String claims() {
            return TOKENS.get(name);
        }

        String sign(String claims, SignatureAlgorithm algorithm) {
            JsonWebSignature signature = new JsonWebSignature();
            long now = Instant.now().getEpochSecond();
            signature.setPayload("{%s,\"iss\":\"%s\",\"iat\":%d,\"exp\":%d}".formatted(claims, issuer, now, now + 300));
            signature.setAlgorithmHeaderValue(algorithm.getAlgorithm());
            signature.setKeyIdHeaderValue(KEYS.get(algorithm).getKeyId());
            signature.setKey(KEYS.get(algorithm).getPrivateKey());
            return compact(signature);
        }

        JWTCallerPrincipal parse(String claims) throws ParseException {
            return verifier().parse(sign(claims, algorithm()), settings(algorithm()));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static String compact(JsonWebSignature signature) {
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Issuer> issuers() throws IOException {
        return Files.readString(GUIDE)
                .lines()
                .dropWhile(line -> !line.startsWith("| issuer |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(Issuer::of)
                .toList();
    }

    private static Issuer issuer(String name) throws IOException {
        return issuers().stream()
                .filter(issuer -> issuer.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static BearerToken token(JWTCallerPrincipal principal) {
        return new BearerToken(principal, principal.getGroups(), Duration.ZERO);
    }

    @Test
    void theGuideHasARowForEachOfTheseTokens() throws IOException {
        assertThat(issuers()).extracting(Issuer::name).containsExactlyInAnyOrderElementsOf(TOKENS.keySet());
    }

    @ParameterizedTest
    @MethodSource("issuers")
    void aTokenOfTheIssuersFormHasItsRolesAndItsScope(Issuer issuer) throws ParseException {
        BearerToken token = token(issuer.parse(issuer.claims()));
        assertThat(token.callerFor(issuer.access()).orElseThrow().scope())
                .containsExactly(new Condition.InScope(SampleFeeds.SUBJECT, "acme"));
        assertThat(token.callerFor(new Access(Set.of("manager"), issuer.access().scope())))
                .as("another role")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("issuers")
    void aTokenForAnotherAudienceIsRejected(Issuer issuer) {
        assertThatThrownBy(() -> issuer.parse(issuer.claims().replace('"' + issuer.audience() + '"', "\"another\"")))
                .isInstanceOf(ParseException.class);
        assertThatThrownBy(() -> issuer.parse("\"sub\":\"acme\"")).isInstanceOf(ParseException.class);
    }

    @Test
    void eachKindOfCognitosTokensIsRejectedWhereTheOtherIsExpected() throws IOException {
        Issuer access = issuer("Cognito, access tokens");
        Issuer id = issuer("Cognito, ID tokens");
        assertThatThrownBy(() -> access.parse(id.claims())).isInstanceOf(ParseException.class);
        assertThatThrownBy(() -> id.parse(access.claims())).isInstanceOf(ParseException.class);
    }

    @Test
    void rolesAreAListOrAString() throws Exception {
        Issuer entra = issuer("Entra");
        for (Map.Entry<String, Set<String>> roles : Map.of(
                        "[\"a\",7,null,\"b c\"]", Set.of("a", "b c"),
                        "\"a b\"", Set.of("a b"),
                        "\" \"", Set.<String>of(),
                        "{\"a\":1}", Set.<String>of(),
                        "null", Set.<String>of())
                .entrySet()) {
            assertThat(entra.parse(entra.claims().replace("[\"agent\"]", roles.getKey()))
                            .getGroups())
                    .as(roles.getKey())
                    .isEqualTo(roles.getValue());
        }
    }

    @Test
    void anAudienceIsAStringAsAWholeOrAnElementOfAList() throws Exception {
        Issuer cognito = issuer("Cognito, access tokens");
        assertThat(cognito.parse(cognito.claims()
                                .replace("\"client_id\":\"CLIENT\"", "\"client_id\":[\"x\",\"CLIENT\"]"))
                        .getGroups())
                .contains("agent");
        for (String other :
                List.of("\"x CLIENT\"", "\"client\"", "[]", "[[\"CLIENT\"]]", "{\"CLIENT\":1}", "null", "7")) {
            assertThatThrownBy(() -> cognito.parse(
                            cognito.claims().replace("\"client_id\":\"CLIENT\"", "\"client_id\":" + other)))
                    .as(other)
                    .isInstanceOf(ParseException.class);
        }
    }

    /** As while an issuer changes from one kind of keys to another. */
    @ParameterizedTest
    @EnumSource(
            value = SignatureAlgorithm.class,
            names = {"RS256", "ES256", "EDDSA"})
    void tokensOfEachConfiguredAlgorithmAreAccepted(SignatureAlgorithm algorithm) throws Exception {
        Issuer okta = issuer("Okta");
        String token = okta.sign(okta.claims(), algorithm);
        SignatureAlgorithm[] all = KEYS.keySet().toArray(SignatureAlgorithm[]::new);
        assertThat(okta.verifier().parse(token, okta.settings(all)).getGroups()).contains("agent");
        SignatureAlgorithm[] others =
                Stream.of(all).filter(other -> other != algorithm).toArray(SignatureAlgorithm[]::new);
        assertThatThrownBy(() -> okta.verifier().parse(token, okta.settings(others)))
                .isInstanceOf(ParseException.class);
    }

    /** The public key is no secret. */
    @Test
    void aTokenSignedByHmacWithAPublicKeyIsRejectedAmongSeveralAlgorithms() throws Exception {
        Issuer okta = issuer("Okta");
        JsonWebSignature forged = new JsonWebSignature();
        long now = Instant.now().getEpochSecond();
        forged.setPayload(
                "{%s,\"iss\":\"%s\",\"iat\":%d,\"exp\":%d}".formatted(okta.claims(), okta.issuer(), now, now + 300));
        forged.setAlgorithmHeaderValue("HS256");
        PublicJsonWebKey key = KEYS.get(SignatureAlgorithm.RS256);
        forged.setKeyIdHeaderValue(key.getKeyId());
        forged.setKey(new HmacKey(key.getPublicKey().getEncoded()));
        String token = compact(forged);
        assertThatThrownBy(() ->
                        okta.verifier().parse(token, okta.settings(SignatureAlgorithm.RS256, SignatureAlgorithm.HS256)))
                .isInstanceOf(ParseException.class);
    }
}
