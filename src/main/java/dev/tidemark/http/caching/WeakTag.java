package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;
import java.util.Arrays;
import java.util.Base64;

/**
 * The entity tag of an answer, which differs for different bytes. It is weak because one tag stands for the bytes in every content
 * coding.
 *
 * <p>The hash has a secret key. Without one, the author of an item could look for an edit that keeps the tag, and readers would go on
 * seeing the old item.
 */
public record WeakTag(String opaque) {

    public static WeakTag of(byte[] answer, KeyedHash hash) {
        return of(answer, answer.length, hash);
    }

    /** @param length how many bytes of the answer the tag covers, from its start */
    public static WeakTag of(byte[] answer, int length, KeyedHash hash) {
        return new WeakTag(Base64.getUrlEncoder().withoutPadding().encodeToString(hash.of(answer, length)));
    }

    /**
     * @param length how many bytes of the answer the tag covers, from its start
     * @param rest what the tag covers in place of the other bytes
     */
    public static WeakTag of(byte[] answer, int length, byte[] rest, KeyedHash hash) {
        byte[] covered = Arrays.copyOf(answer, length + rest.length);
        System.arraycopy(rest, 0, covered, length, rest.length);
        return of(covered, hash);
    }

    /** As the header {@code ETag} has it. */
    String header() {
        return "W/\"" + opaque + '"';
    }
}
