package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.daead.AesSivKey;
import com.google.crypto.tink.daead.AesSivParameters;
import com.google.crypto.tink.util.SecretBytes;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AesSivTest {

    private static final byte[] NO_PREFIX = {};
    private static final byte[] KEY = new byte[64];
    private static final byte[] PURPOSE = {1, 2, 3};

    @Test
    void theVectorOfTheRfcIsSealed() throws GeneralSecurityException {
        AesSiv siv = new AesSiv(
                hex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"),
                hex("101112131415161718191a1b1c1d1e1f2021222324252627"));
        byte[] content = hex("112233445566778899aabbccddee");
        byte[] sealed = hex("85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c");
        assertThat(siv.seal(NO_PREFIX, content)).isEqualTo(sealed);
        assertThat(siv.open(sealed, 0)).isEqualTo(content);
    }

    @Property
    void tinkSealsTheSameBytes(
            @ForAll @Size(64) byte[] key,
            @ForAll @Size(max = 40) byte[] purpose,
            @ForAll @Size(max = 100) byte[] content)
            throws GeneralSecurityException {
        DeterministicAead tink = com.google.crypto.tink.subtle.AesSiv.create(AesSivKey.builder()
                .setParameters(AesSivParameters.builder()
                        .setKeySizeBytes(key.length)
                        .setVariant(AesSivParameters.Variant.NO_PREFIX)
                        .build())
                .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                .build());
        AesSiv siv = new AesSiv(key, purpose);
        byte[] sealed = siv.seal(NO_PREFIX, content);
        assertThat(sealed).isEqualTo(tink.encryptDeterministically(content, purpose));
        assertThat(siv.open(sealed, 0)).isEqualTo(content);
    }

    @Test
    void aChangeOfAnyBitIsNoticed() throws GeneralSecurityException {
        AesSiv siv = new AesSiv(KEY, PURPOSE);
        byte[] prefix = {9, 9};
        byte[] sealed = siv.seal(prefix, new byte[20]);
        assertThat(siv.open(sealed, prefix.length)).isEqualTo(new byte[20]);
        for (int bit = prefix.length * 8; bit < sealed.length * 8; bit++) {
            byte[] changed = sealed.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> siv.open(changed, prefix.length))
                    .as("bit %d", bit)
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void bytesThatAreTooShortOrOfAnotherKeyOrPurposeDoNotOpen() {
        byte[] sealed = new AesSiv(KEY, PURPOSE).seal(NO_PREFIX, new byte[20]);
        byte[] otherKey = KEY.clone();
        otherKey[63] = 1;
        for (AesSiv other : new AesSiv[] {new AesSiv(otherKey, PURPOSE), new AesSiv(KEY, new byte[] {1, 2})}) {
            assertThatThrownBy(() -> other.open(sealed, 0)).isInstanceOf(GeneralSecurityException.class);
        }
        assertThatThrownBy(() -> new AesSiv(KEY, PURPOSE).open(new byte[15], 0))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void threadsDoNotDisturbEachOther() throws Exception {
        AesSiv siv = new AesSiv(KEY, PURPOSE);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Boolean> task = () -> {
                Random random = new Random(1);
                for (int i = 0; i < 2_000; i++) {
                    byte[] content = new byte[random.nextInt(80)];
                    random.nextBytes(content);
                    assertThat(siv.open(siv.seal(NO_PREFIX, content), 0)).isEqualTo(content);
                }
                return true;
            };
            for (Future<Boolean> each :
                    threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> task).toList())) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
