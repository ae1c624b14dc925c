package dev.tidemark.declare.tokens;

import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Parses the configured public key with the parser of the JWT library, to check whether it can be read. The library
 * itself does not report an unreadable key but rejects every token.
 */
final class VerificationKey extends KeyLocationResolver {

    private VerificationKey(JWTAuthContextInfo jwtContext) throws UnresolvableKeyException {
        super(jwtContext);
    }

    /**
     * Whether the key can be read. A key that the library fetches from an HTTP URL counts as readable, because it is
     * not fetched here.
     */
    static boolean isReadable(JWTAuthContextInfo jwtContext) {
        try {
            return jwtContext.getPublicKeyLocation() != null
                    || jwtContext.getPublicVerificationKey() != null
                    || new VerificationKey(jwtContext).isPresent();
        } catch (UnresolvableKeyException | RuntimeException unreadable) {
            return false;
        }
    }

    private boolean isPresent() {
        return key != null || jsonWebKeys != null && !jsonWebKeys.isEmpty();
    }
}
