package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;
import java.util.Base64;

/**
 * The entity tag of an answer: other bytes, other tag. It is weak, because one tag stands for the bytes in every content
 * coding.
 *
 * <p>The hash is keyed: were it a checksum, whoever writes an item could edit it so that the tag stays, and readers would go
 * on seeing the old one.
 */
public record WeakTag(String opaque) {

    public static WeakTag of(byte[] answer, KeyedHash hash) {
        return new WeakTag(Base64.getUrlEncoder().withoutPadding().encodeToString(hash.of(answer)));
    }

    /** As the header {@code ETag} has it. */
    String header() {
        return "W/\"" + opaque + '"';
    }
}
