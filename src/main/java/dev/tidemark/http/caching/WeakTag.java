package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;
import java.util.Arrays;
import java.util.Base64;

/**
 * The entity tag of a response: a hash of its bytes or of a part of them. It is weak because the bytes have the same
 * tag in every content coding.
 *
 * <p>The hash has a secret key. Without a secret key, the author of an item could find an edit that does not change the
 * tag, and readers would continue to see the old item.
 */
public record WeakTag(String opaque) {

    public static WeakTag of(byte[] answer, KeyedHash hash) {
        return of(answer, answer.length, hash);
    }

    /** @param length how many bytes of the answer the tag covers, from its start */
    public static WeakTag of(byte[] answer, int length, KeyedHash hash) {
        return new WeakTag(Base64.getUrlEncoder().withoutPadding().encodeToString(hash.hash(answer, length)));
    }

    /**
     * @param length how many bytes of the answer the tag covers, from its start
     * @param rest the bytes that the tag covers instead of the rest of the answer
     */
    public static WeakTag of(byte[] answer, int length, byte[] rest, KeyedHash hash) {
        byte[] covered = Arrays.copyOf(answer, length + rest.length);
        System.arraycopy(rest, 0, covered, length, rest.length);
        return of(covered, hash);
    }

    /** Returns the value of the header {@code ETag}. */
    String header() {
        return "W/\"" + opaque + '"';
    }
}
