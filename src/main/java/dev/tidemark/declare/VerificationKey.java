package dev.tidemark.declare;

import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * The key in the configuration, or in a file, as the library reads it that verifies tokens by it. Of one that it cannot
 * read, it would only say that no token is good.
 */
final class VerificationKey extends KeyLocationResolver {

    private VerificationKey(JWTAuthContextInfo configured) throws UnresolvableKeyException {
        super(configured);
    }

    /** Whether tokens can be verified. A key that is to be fetched is taken for one that can be. */
    static boolean isReadable(JWTAuthContextInfo configured) {
        try {
            return configured.getPublicKeyLocation() != null
                    || configured.getPublicVerificationKey() != null
                    || new VerificationKey(configured).isPresent();
        } catch (UnresolvableKeyException | RuntimeException unreadable) {
            return false;
        }
    }

    private boolean isPresent() {
        return key != null || jsonWebKeys != null && !jsonWebKeys.isEmpty();
    }
}
