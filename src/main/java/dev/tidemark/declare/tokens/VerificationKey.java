package dev.tidemark.declare.tokens;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import java.security.Key;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.Use;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Parses the configured public key with the parser of the JWT library, to check whether it can verify tokens. The
 * library itself does not report an unusable key but rejects every token.
 */
final class VerificationKey extends KeyLocationResolver {

    private VerificationKey(JWTAuthContextInfo jwtContext) throws UnresolvableKeyException {
        super(jwtContext);
    }

    /**
     * Whether the key can verify a token that is signed with one of the configured algorithms. Keys that the library
     * fetches from an HTTP URL are not fetched here, but keys that anybody can fetch are no secret, as HMAC requires.
     */
    static boolean isUsable(JWTAuthContextInfo jwtContext) {
        Set<SignatureAlgorithm> algorithms = jwtContext.getSignatureAlgorithm();
        try {
            if (jwtContext.getPublicKeyLocation() != null) {
                return !algorithms.stream()
                        .allMatch(algorithm -> keyType(algorithm).equals("oct"));
            }
            return jwtContext.getPublicVerificationKey() != null || new VerificationKey(jwtContext).isFor(algorithms);
        } catch (UnresolvableKeyException | RuntimeException unreadable) {
            return false;
        }
    }

    private boolean isFor(Set<SignatureAlgorithm> algorithms) {
        if (key != null) {
            return algorithms.stream().anyMatch(algorithm -> keyType(algorithm).equals(keyType(key)));
        }
        return jsonWebKeys != null
                && jsonWebKeys.stream().anyMatch(candidate -> algorithms.stream()
                        .anyMatch(algorithm -> canVerify(candidate, algorithm)));
    }

    private static boolean canVerify(JsonWebKey key, SignatureAlgorithm algorithm) {
        return !Use.ENCRYPTION.equals(key.getUse())
                && (key.getAlgorithm() == null
                        ? keyType(algorithm).equals(key.getKeyType())
                        : key.getAlgorithm().equals(algorithm.getAlgorithm()));
    }

    private static String keyType(SignatureAlgorithm algorithm) {
        return switch (algorithm) {
            case RS256, RS384, RS512, PS256, PS384, PS512 -> "RSA";
            case ES256, ES384, ES512 -> "EC";
            case EDDSA -> "OKP";
            case HS256, HS384, HS512 -> "oct";
        };
    }

    private static String keyType(Key key) {
        return key.getAlgorithm().startsWith("Ed") ? "OKP" : key.getAlgorithm();
    }
}
