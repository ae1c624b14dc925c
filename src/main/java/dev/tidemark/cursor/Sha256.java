package dev.tidemark.cursor;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one hash in use here, which every Java platform has. */
final class Sha256 {

    private static final ThreadLocal<MessageDigest> OF_THREAD = ThreadLocal.withInitial(Sha256::made);

    private Sha256() {}

    /** The thread's own, with nothing in it: made once, and to be finished before another hash is begun. */
    static MessageDigest digest() {
        MessageDigest digest = OF_THREAD.get();
        digest.reset();
        return digest;
    }

    private static MessageDigest made() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no Java platform is without SHA-256", e);
        }
    }
}
