package dev.tidemark.http.caching;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The entity tag of a response: a hash of its bytes or of a part of them. The tag is weak because it is the same in every
 * content coding.
 *
 * <p>The hash has a secret key. Without a secret key, the author of an item could find an edit that does not change the
 * tag, and readers would continue to see the old item.
 */
public record WeakTag(String opaqueTag) {

    public static WeakTag of(long hash) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
        return new WeakTag(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Returns the value of the header {@code ETag}. */
    String header() {
        return "W/\"" + opaqueTag + '"';
    }
}
