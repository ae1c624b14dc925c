package dev.tidemark.cursor;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A hash of an answer's bytes under a secret key: PolymurHash 2.0, from hash4j. Instances that share their first key agree. It takes
 * 2.3 µs for a page of 11 kB; SHA-256 takes 6.9 µs, and 56 µs on processors without instructions for it.
 *
 * <p>PolymurHash is a universal hash: two contents that were chosen without knowledge of the key collide with a probability of at
 * most their length in bytes times 2^-60. It is not a message authentication code, and nothing is trusted because of it.
 */
public final class KeyedHash {

    private static final byte[] LABEL = "tidemark keyed hash".getBytes(StandardCharsets.UTF_8);

    private final Hasher64 polymur;

    /** A hash whose key is derived from the first of the keys. */
    static KeyedHash of(CursorKeys keys) {
        return new KeyedHash(ByteBuffer.wrap(Sha256.digest().digest(keys.seal(new byte[0], LABEL))));
    }

    /** @param secret at least 16 random bytes */
    KeyedHash(ByteBuffer secret) {
        polymur = Hashing.polymurHash2_0(0, secret.getLong(), secret.getLong());
    }

    /** @return 8 bytes */
    public byte[] of(byte[] content) {
        return of(content, content.length);
    }

    /**
     * @param length how many bytes of the content are hashed, from its start
     * @return 8 bytes
     */
    public byte[] of(byte[] content, int length) {
        return ByteBuffer.allocate(Long.BYTES)
                .putLong(polymur.hashBytesToLong(content, 0, length))
                .array();
    }
}
