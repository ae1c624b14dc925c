package dev.tidemark.cursor;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Provides SHA-256, which every Java platform supports. */
final class Sha256 {

    private static final ThreadLocal<MessageDigest> DIGESTS = ThreadLocal.withInitial(Sha256::create);

    private Sha256() {}

    /**
     * Resets and returns the digest of the current thread. The caller must finish one hash before starting another.
     */
    static MessageDigest digest() {
        MessageDigest digest = DIGESTS.get();
        digest.reset();
        return digest;
    }

    private static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }
}
