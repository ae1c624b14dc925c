package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The body of a response, with its entity tag: a hash of its bytes or of a part of them. The tag is weak because it is
 * the same in every content coding.
 *
 * <p>The hash has a secret key. Without a secret key, the author of an item could find an edit that does not change
 * the tag, and readers would continue to see the old item.
 *
 * @param bytes must not be modified
 * @param tag the value of the header {@code ETag}
 */
public record TaggedBody(byte[] bytes, String tag) {

    /** Creates a body with a tag that covers all of its bytes. */
    public static TaggedBody of(byte[] bytes, KeyedHash hash) {
        return of(bytes, hash.hash(bytes));
    }

    /** @param hash what the tag is */
    public static TaggedBody of(byte[] bytes, long hash) {
        byte[] tag = ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
        return new TaggedBody(
                bytes, "W/\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(tag) + '"');
    }
}
