package dev.tidemark.declare.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.declare.DeclaredFeeds;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which configured keys are accepted, and which are rejected because they cannot verify any token. */
@BesideQuarkusTests
class VerificationKeyTest {

    private static final KeyPair KEYS = newKeys();
    private static final String BASE64 =
            Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());

    private static final String MODULUS = Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(((RSAPublicKey) KEYS.getPublic()).getModulus().toByteArray());

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JWTAuthContextInfo configurationWith(String key) {
        return configurationWith(key, SignatureAlgorithm.RS256);
    }

    private static JWTAuthContextInfo configurationWith(String key, SignatureAlgorithm... algorithms) {
        JWTAuthContextInfo configured = new JWTAuthContextInfo();
        configured.setPublicKeyContent(key);
        configured.setSignatureAlgorithm(Set.of(algorithms));
        return configured;
    }

    @Test
    void aPublicKeyIsReadInAllItsForms() throws JoseException {
        String jwk = JsonWebKey.Factory.newJwk(KEYS.getPublic()).toJson();
        for (String key : new String[] {
            BASE64,
            "-----BEGIN PUBLIC KEY-----\n" + BASE64 + "\n-----END PUBLIC KEY-----\n",
            jwk,
            "{\"keys\":[" + jwk + "]}"
        }) {
            assertThat(VerificationKey.isUsable(configurationWith(key))).as(key).isTrue();
        }
        assertThat(VerificationKey.isUsable(DeclaredFeeds.configurationWithKeysFrom("https://issuer.example.org/jwks")))
                .as("a key that is fetched later")
                .isTrue();
    }

    /** Each is the public part of a key that was generated for this test. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"kty":"RSA","n":"%s","e":"AQAB"}                                                          | RS256 PS512
            {"kty":"RSA","alg":"RS512","n":"%s","e":"AQAB"}                                            | RS512
            {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}            | EDDSA
            {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"} | ES256
            """)
    void aJsonWebKeyIsUsableOnlyForTheAlgorithmsOfItsKind(String jwk, String usable) {
        String set = "{\"keys\":[" + jwk.replace("%s", MODULUS) + "]}";
        for (SignatureAlgorithm algorithm : List.of(
                SignatureAlgorithm.RS256,
                SignatureAlgorithm.RS512,
                SignatureAlgorithm.PS512,
                SignatureAlgorithm.ES256,
                SignatureAlgorithm.EDDSA,
                SignatureAlgorithm.HS256)) {
            boolean expected = Set.of(usable.split(" ")).contains(algorithm.name())
                    || algorithm == SignatureAlgorithm.RS512 && usable.contains("PS512");
            assertThat(VerificationKey.isUsable(configurationWith(set, algorithm)))
                    .as(algorithm.name())
                    .isEqualTo(expected);
        }
        assertThat(VerificationKey.isUsable(configurationWith(
                        set, SignatureAlgorithm.HS512, SignatureAlgorithm.valueOf(usable.split(" ")[0]))))
                .as("one of several algorithms")
                .isTrue();
        assertThat(VerificationKey.isUsable(configurationWith(
                        set.replace("\"kty\"", "\"use\":\"enc\",\"kty\""),
                        SignatureAlgorithm.valueOf(usable.split(" ")[0]))))
                .as("a key for encryption")
                .isFalse();
    }

    @Test
    void keysFromAUrlCannotBeSecretsOfHmac() {
        JWTAuthContextInfo fetched = DeclaredFeeds.configurationWithKeysFrom("https://issuer.example.org/jwks");
        fetched.setSignatureAlgorithm(Set.of(SignatureAlgorithm.HS256, SignatureAlgorithm.HS512));
        assertThat(VerificationKey.isUsable(fetched)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "-----BEGIN PUBLIC KEY-----", "{}", "{\"keys\":[]}", "{\"keys\":", "AAAA"})
    void textThatIsNotAKeyIsRejected(String key) {
        assertThat(VerificationKey.isUsable(configurationWith(key))).isFalse();
    }

    @Test
    void aTruncatedOrPrivateOrUnsupportedKeyIsRejected() {
        assertThat(VerificationKey.isUsable(configurationWith(BASE64.substring(BASE64.length() / 2))))
                .isFalse();
        assertThat(VerificationKey.isUsable(configurationWith(
                        Base64.getEncoder().encodeToString(KEYS.getPrivate().getEncoded()))))
                .isFalse();
        JWTAuthContextInfo elliptic = configurationWith(BASE64);
        elliptic.setSignatureAlgorithm(Set.of(SignatureAlgorithm.ES256));
        assertThat(VerificationKey.isUsable(elliptic)).isFalse();
    }

    @Test
    void anUnreadableKeyIsReportedWithoutShowingIt() {
        Optional<String> there = Optional.of("there");
        TokenSettings verification =
                new TokenSettings(Optional.of("s3cret"), Optional.empty(), there, there, configurationWith("s3cret"));
        assertThat(verification.faults()).singleElement().satisfies(fault -> assertThat(fault)
                .contains("mp.jwt.verify.publickey", "does not contain a public key")
                .doesNotContain("s3cret"));
    }
}
