package dev.tidemark.declare.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.declare.DeclaredFeeds;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which configured keys are accepted, and which are rejected because they cannot verify any token. */
@BesideQuarkusTests
class VerificationKeyTest {

    private static final KeyPair KEYS = newKeys();
    private static final String BASE64 =
            Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());

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
        JWTAuthContextInfo configured = new JWTAuthContextInfo();
        configured.setPublicKeyContent(key);
        configured.setSignatureAlgorithm(Set.of(SignatureAlgorithm.RS256));
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
            assertThat(VerificationKey.isReadable(configurationWith(key)))
                    .as(key)
                    .isTrue();
        }
        assertThat(VerificationKey.isReadable(
                        DeclaredFeeds.configurationWithKeysFrom("https://issuer.example.org/jwks")))
                .as("a key that is fetched later")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "-----BEGIN PUBLIC KEY-----", "{}", "{\"keys\":[]}", "{\"keys\":", "AAAA"})
    void textThatIsNotAKeyIsRejected(String key) {
        assertThat(VerificationKey.isReadable(configurationWith(key))).isFalse();
    }

    @Test
    void aTruncatedOrPrivateOrUnsupportedKeyIsRejected() {
        assertThat(VerificationKey.isReadable(configurationWith(BASE64.substring(BASE64.length() / 2))))
                .isFalse();
        assertThat(VerificationKey.isReadable(configurationWith(
                        Base64.getEncoder().encodeToString(KEYS.getPrivate().getEncoded()))))
                .isFalse();
        JWTAuthContextInfo elliptic = configurationWith(BASE64);
        elliptic.setSignatureAlgorithm(Set.of(SignatureAlgorithm.ES256));
        assertThat(VerificationKey.isReadable(elliptic)).isFalse();
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
