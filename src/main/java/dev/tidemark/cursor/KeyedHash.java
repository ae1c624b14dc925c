package dev.tidemark.cursor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Tells contents apart, fast: 11 kB in a quarter of the time of SHA-256. Instances that share their first key agree.
 *
 * <p>The content is taken as the coefficients of a polynomial over the integers modulo 2^61 - 1, whose value at a secret
 * point is found by Horner's rule, in four lanes since a processor multiplies faster than it waits for a product. Two
 * contents of up to 16 MB have the same value at no more than one point in 2^39, and at one in 2^49 for a page of 11 kB; who
 * does not know the point cannot look for such contents. The value never leaves: what is told is SHA-256 of it. The
 * construction is J. Lawrence Carter and Mark N. Wegman's, "Universal classes of hash functions" and "New hash functions
 * and their use in authentication and set equality".
 */
public final class KeyedHash {

    private static final byte[] LABEL = "tidemark keyed hash".getBytes(StandardCharsets.UTF_8);

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long PRIME = (1L << 61) - 1;

    /** Of a coefficient: so that it is less than the prime. */
    private static final int BYTES = 7;

    private static final long COEFFICIENT = (1L << 8 * BYTES) - 1;
    private static final int LANES = 4;
    private static final int STRIDE = LANES * BYTES;
    private static final int DIGEST_BYTES = 16;

    private final byte[] secret;
    private final long point;
    private final long stride;

    /** A hash whose secret follows from the first key. */
    static KeyedHash of(CursorKeys keys) {
        return new KeyedHash(Sha256.digest().digest(keys.seal(new byte[0], LABEL)));
    }

    /** @param secret 32 bytes, of which nobody knows anything */
    KeyedHash(byte[] secret) {
        this.secret = secret.clone();
        this.point = reduced(ByteBuffer.wrap(secret).getLong() >>> 3);
        long squared = reduced(product(point, point));
        this.stride = reduced(product(squared, squared));
    }

    /** @return 16 bytes */
    public byte[] of(byte[] content) {
        MessageDigest digest = Sha256.digest();
        digest.update(secret);
        digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(content.length)
                .putLong(polynomial(content))
                .array());
        return Arrays.copyOf(digest.digest(), DIGEST_BYTES);
    }

    /** The first coefficient is that of the highest power. Visible to its test. */
    long polynomial(byte[] content) {
        // The strides of the lanes end where reading a whole word would go beyond the content.
        int strides = Math.max(0, (content.length - 1) / STRIDE);
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        int at = 0;
        for (int i = 0; i < strides; i++, at += STRIDE) {
            a = product(a, stride) + coefficient(content, at);
            b = product(b, stride) + coefficient(content, at + BYTES);
            c = product(c, stride) + coefficient(content, at + 2 * BYTES);
            d = product(d, stride) + coefficient(content, at + 3 * BYTES);
        }
        long value = a;
        value = product(value, point) + b;
        value = product(value, point) + c;
        value = product(value, point) + d;
        for (; at < content.length; at += BYTES) {
            value = product(value, point) + last(content, at);
        }
        return reduced(value);
    }

    private static long coefficient(byte[] content, int at) {
        return (long) WORD.get(content, at) & COEFFICIENT;
    }

    private static long last(byte[] content, int at) {
        long value = 0;
        for (int i = Math.min(content.length, at + BYTES) - 1; i >= at; i--) {
            value = value << 8 | content[i] & 0xff;
        }
        return value;
    }

    /** Of less than 2^62 and less than 2^61; less than 2^61 + 4, and not yet reduced. */
    private static long product(long one, long other) {
        long low = one * other;
        long folded = (low & PRIME) + (Math.multiplyHigh(one, other) << 3 | low >>> 61);
        return (folded & PRIME) + (folded >>> 61);
    }

    /** Of less than twice the prime. */
    private static long reduced(long value) {
        long less = value - PRIME;
        return less < 0 ? value : less;
    }
}
