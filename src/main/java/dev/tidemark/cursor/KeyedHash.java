package dev.tidemark.cursor;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;

/**
 * Hashes the bytes of a response with a secret key. The hash function is PolymurHash 2.0 from hash4j. Servers with the
 * same first cursor key compute the same hashes. Hashing a page of 11 kB takes 2.3 µs; with SHA-256 it takes 6.9 µs,
 * or 56 µs on processors without instructions for SHA-256.
 *
 * <p>PolymurHash is a universal hash: two contents that were chosen without knowledge of the key collide with a
 * probability of at most their length in bytes times 2^-60. It is not a message authentication code and must not be
 * used as one.
 */
public final class KeyedHash {

    private final Hasher64 polymur;

    /** Returns a hash whose key is derived from the first cursor key. */
    static KeyedHash derivedFrom(CursorKeys keys) {
        return new KeyedHash(ByteBuffer.wrap(
                Sha256.digest().digest(keys.seal("tidemark keyed hash").seal(new byte[0]))));
    }

    /** @param secret at least 16 random bytes */
    KeyedHash(ByteBuffer secret) {
        polymur = Hashing.polymurHash2_0(0, secret.getLong(), secret.getLong());
    }

    public long hash(byte[] content) {
        return hash(content, content.length);
    }

    /** @param length how many bytes of the content are hashed, from its start */
    public long hash(byte[] content, int length) {
        return polymur.hashBytesToLong(content, 0, length);
    }
}
