package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;
import java.util.Arrays;
import java.util.Base64;

/**
 * The entity tag of a response: a hash of its bytes or of a part of them. The tag is weak because it is the same in every
 * content coding.
 *
 * <p>The hash has a secret key. Without a secret key, the author of an item could find an edit that does not change the
 * tag, and readers would continue to see the old item.
 */
public record WeakTag(String opaqueTag) {

    public static WeakTag of(byte[] body, KeyedHash hash) {
        return of(body, body.length, hash);
    }

    /** @param length how many bytes of the body the tag covers, from its start */
    public static WeakTag of(byte[] body, int length, KeyedHash hash) {
        return new WeakTag(Base64.getUrlEncoder().withoutPadding().encodeToString(hash.hash(body, length)));
    }

    /**
     * @param length how many bytes of the body the tag covers, from its start
     * @param rest the bytes that the tag covers instead of the rest of the body
     */
    public static WeakTag of(byte[] body, int length, byte[] rest, KeyedHash hash) {
        byte[] covered = Arrays.copyOf(body, length + rest.length);
        System.arraycopy(rest, 0, covered, length, rest.length);
        return of(covered, hash);
    }

    /** Returns the value of the header {@code ETag}. */
    String header() {
        return "W/\"" + opaqueTag + '"';
    }
}
