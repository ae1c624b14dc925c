package dev.tidemark.http.caching;

import dev.tidemark.cursor.KeyedHash;

/**
 * The body of a response, with its entity tag.
 *
 * @param bytes must not be modified
 */
public record TaggedBody(byte[] bytes, WeakTag tag) {

    /** Creates a body with a tag that covers all of its bytes. */
    public static TaggedBody of(byte[] bytes, KeyedHash hash) {
        return new TaggedBody(bytes, WeakTag.of(hash.hash(bytes)));
    }
}
