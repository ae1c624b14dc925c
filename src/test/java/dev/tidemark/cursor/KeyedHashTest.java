package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedHashTest {

    private static ByteBuffer secret(int seed) {
        byte[] secret = new byte[32];
        new Random(seed).nextBytes(secret);
        return ByteBuffer.wrap(secret);
    }

    @Test
    void aChangedBitChangesTheHash() {
        KeyedHash hash = new KeyedHash(secret(1));
        byte[] content = new byte[97];
        new Random(2).nextBytes(content);
        Set<Long> seen = new HashSet<>();
        seen.add(hash.hash(content));
        for (int bit = 0; bit < 8 * content.length; bit++) {
            content[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(seen.add(hash.hash(content))).isTrue();
            content[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void zerosOfDifferentLengthsHaveDifferentHashes() {
        KeyedHash hash = new KeyedHash(secret(1));
        Set<Long> seen = new HashSet<>();
        for (int length = 0; length < 100; length++) {
            assertThat(seen.add(hash.hash(new byte[length]))).isTrue();
        }
    }

    @Test
    void anotherSecretGivesAnotherHash() {
        byte[] content = {1, 2, 3};
        assertThat(new KeyedHash(secret(1)).hash(content))
                .isNotEqualTo(new KeyedHash(secret(2)).hash(content))
                .isEqualTo(new KeyedHash(secret(1)).hash(content));
    }
}
