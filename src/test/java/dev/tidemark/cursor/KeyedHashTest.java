package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeyedHashTest {

    private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

    private static byte[] secret(int seed) {
        byte[] secret = new byte[32];
        new Random(seed).nextBytes(secret);
        return secret;
    }

    @Property
    void it_is_the_polynomials_value(@ForAll int seed, @ForAll @Size(max = 300) byte[] content) {
        assertThat(new KeyedHash(secret(seed)).polynomial(content)).isEqualTo(expected(secret(seed), content));
    }

    @Test
    void it_is_the_polynomials_value_where_all_bits_are_set() {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) -1);
        for (int length = 0; length < 200; length++) {
            byte[] content = new byte[length];
            Arrays.fill(content, (byte) -1);
            assertThat(new KeyedHash(secret).polynomial(content)).isEqualTo(expected(secret, content));
        }
    }

    private static long expected(byte[] secret, byte[] content) {
        BigInteger point =
                BigInteger.valueOf(ByteBuffer.wrap(secret).getLong() >>> 3).mod(PRIME);
        BigInteger value = BigInteger.ZERO;
        for (int at = 0; at < content.length; at += 7) {
            byte[] bigEndian = new byte[8];
            for (int i = at; i < Math.min(at + 7, content.length); i++) {
                bigEndian[7 - (i - at)] = content[i];
            }
            value = value.multiply(point).add(new BigInteger(1, bigEndian)).mod(PRIME);
        }
        return value.longValueExact();
    }

    @Test
    void any_changed_bit_changes_it() {
        KeyedHash hash = new KeyedHash(secret(1));
        byte[] content = new byte[97];
        new Random(2).nextBytes(content);
        Set<String> seen = new HashSet<>();
        seen.add(Arrays.toString(hash.of(content)));
        for (int bit = 0; bit < 8 * content.length; bit++) {
            content[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(seen.add(Arrays.toString(hash.of(content)))).isTrue();
            content[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void contents_of_zeros_differ_by_their_length() {
        KeyedHash hash = new KeyedHash(secret(1));
        Set<String> seen = new HashSet<>();
        for (int length = 0; length < 100; length++) {
            assertThat(seen.add(Arrays.toString(hash.of(new byte[length])))).isTrue();
        }
    }

    @Test
    void another_secret_gives_another() {
        byte[] content = {1, 2, 3};
        assertThat(new KeyedHash(secret(1)).of(content))
                .isNotEqualTo(new KeyedHash(secret(2)).of(content))
                .isEqualTo(new KeyedHash(secret(1)).of(content));
    }
}
