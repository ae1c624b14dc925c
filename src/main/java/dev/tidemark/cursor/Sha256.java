package dev.tidemark.cursor;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one hash in use here, which every Java platform has. */
final class Sha256 {

    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no Java platform is without SHA-256", e);
        }
    }
}
