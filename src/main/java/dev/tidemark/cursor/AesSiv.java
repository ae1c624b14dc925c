package dev.tidemark.cursor;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-SIV (RFC 5297) with one key and one text of associated data, over the JDK's AES. Sealed bytes are the synthetic
 * IV of 16 bytes, and the encrypted content. Google Tink seals the same bytes, but creates and keys ciphers for each
 * call, which takes more than three times as long. Thread-safe.
 */
final class AesSiv {

    private static final int BLOCK = 16;

    private final SecretKeySpec macKey;
    private final SecretKeySpec encryptionKey;

    /** Each thread's ciphers, which keep their key schedules. */
    private final ThreadLocal<Ciphers> ciphers = ThreadLocal.withInitial(this::createCiphers);

    /** The subkeys of CMAC (RFC 4493) for a last block that is full, and for one that is padded. */
    private final byte[] fullKey;

    private final byte[] paddedKey;

    /** S2V of the associated data, before and after the doubling that precedes the content. */
    private final byte[] associated;

    private final byte[] doubledAssociated;

    /**
     * @param mac AES-CBC. It begins each call with the initial vector 0, so that the last block of its output is a
     *     CMAC
     * @param counter AES-ECB, which encrypts the counters
     */
    private record Ciphers(Cipher mac, Cipher counter) {}

    /** @param key two keys of AES of the same length: that of the MAC, then that of the encryption */
    AesSiv(byte[] key, byte[] associatedData) {
        macKey = new SecretKeySpec(key, 0, key.length / 2, "AES");
        encryptionKey = new SecretKeySpec(key, key.length / 2, key.length / 2, "AES");
        Cipher mac = createCiphers().mac();
        fullKey = doubled(lastBlock(mac, new byte[BLOCK]));
        paddedKey = doubled(fullKey);
        associated = doubled(cmac(mac, new byte[BLOCK], BLOCK));
        xor(associated, 0, cmac(mac, padded(associatedData), associatedData.length));
        doubledAssociated = doubled(associated);
    }

    /** Returns the prefix, which is not authenticated, and the sealed content. */
    byte[] seal(byte[] prefix, byte[] content) {
        Ciphers threadCiphers = ciphers.get();
        byte[] iv = syntheticIv(threadCiphers.mac(), content);
        byte[] sealed = Arrays.copyOf(prefix, prefix.length + BLOCK + content.length);
        System.arraycopy(iv, 0, sealed, prefix.length, BLOCK);
        xorKeyStream(threadCiphers.counter(), iv, content, 0, sealed, prefix.length + BLOCK);
        return sealed;
    }

    /** @throws GeneralSecurityException if the bytes from {@code start} were not sealed with this key */
    byte[] open(byte[] sealed, int start) throws GeneralSecurityException {
        if (sealed.length < start + BLOCK) {
            throw new AEADBadTagException("too short");
        }
        Ciphers threadCiphers = ciphers.get();
        byte[] iv = Arrays.copyOfRange(sealed, start, start + BLOCK);
        byte[] content = new byte[sealed.length - start - BLOCK];
        xorKeyStream(threadCiphers.counter(), iv, sealed, start + BLOCK, content, 0);
        if (!MessageDigest.isEqual(iv, syntheticIv(threadCiphers.mac(), content))) {
            throw new AEADBadTagException("not sealed with this key");
        }
        return content;
    }

    /** S2V of the associated data and the content. */
    private byte[] syntheticIv(Cipher mac, byte[] content) {
        byte[] message = padded(content);
        boolean isLong = content.length >= BLOCK;
        xor(message, isLong ? content.length - BLOCK : 0, isLong ? associated : doubledAssociated);
        return cmac(mac, message, isLong ? content.length : BLOCK);
    }

    /** @param message padded, and used up by this call */
    private byte[] cmac(Cipher mac, byte[] message, int length) {
        xor(message, message.length - BLOCK, length == message.length ? fullKey : paddedKey);
        return lastBlock(mac, message);
    }

    private static byte[] lastBlock(Cipher mac, byte[] message) {
        try {
            byte[] chain = mac.doFinal(message);
            return Arrays.copyOfRange(chain, chain.length - BLOCK, chain.length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES failed on full blocks", e);
        }
    }

    /**
     * Returns the content in full blocks, at least one. A last block that is not full ends with a 1 bit and 0 bits.
     */
    private static byte[] padded(byte[] content) {
        int blocks = Math.max(1, (content.length + BLOCK - 1) / BLOCK);
        byte[] padded = Arrays.copyOf(content, blocks * BLOCK);
        if (content.length < padded.length) {
            padded[content.length] = (byte) 0x80;
        }
        return padded;
    }

    /**
     * Encrypts or decrypts: CTR mode, whose counter begins with the IV without the two highest bits of its last words.
     */
    private static void xorKeyStream(Cipher cipher, byte[] iv, byte[] input, int inputStart, byte[] output, int start) {
        int length = output.length - start;
        byte[] stream = new byte[(length + BLOCK - 1) / BLOCK * BLOCK];
        for (int block = 0; block * BLOCK < stream.length; block++) {
            int at = block * BLOCK;
            System.arraycopy(iv, 0, stream, at, BLOCK);
            stream[at + 8] &= 0x7f;
            int counter = (iv[12] & 0x7f) << 24 | (iv[13] & 0xff) << 16 | (iv[14] & 0xff) << 8 | iv[15] & 0xff;
            counter += block;
            stream[at + 12] = (byte) (counter >>> 24);
            stream[at + 13] = (byte) (counter >>> 16);
            stream[at + 14] = (byte) (counter >>> 8);
            stream[at + 15] = (byte) counter;
        }
        try {
            cipher.update(stream, 0, stream.length, stream, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES failed on full blocks", e);
        }
        for (int i = 0; i < length; i++) {
            output[start + i] = (byte) (input[inputStart + i] ^ stream[i]);
        }
    }

    private static void xor(byte[] bytes, int start, byte[] block) {
        for (int i = 0; i < BLOCK; i++) {
            bytes[start + i] ^= block[i];
        }
    }

    /** Multiplies by x in the field of CMAC. */
    private static byte[] doubled(byte[] block) {
        byte[] doubled = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            doubled[i] = (byte) (block[i] << 1 | (i + 1 < BLOCK ? (block[i + 1] & 0xff) >>> 7 : 0));
        }
        doubled[BLOCK - 1] ^= (byte) (block[0] < 0 ? 0x87 : 0);
        return doubled;
    }

    private Ciphers createCiphers() {
        try {
            Cipher mac = Cipher.getInstance("AES/CBC/NoPadding");
            mac.init(Cipher.ENCRYPT_MODE, macKey, new IvParameterSpec(new byte[BLOCK]));
            Cipher counter = Cipher.getInstance("AES/ECB/NoPadding");
            counter.init(Cipher.ENCRYPT_MODE, encryptionKey);
            return new Ciphers(mac, counter);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES is not available", e);
        }
    }
}
