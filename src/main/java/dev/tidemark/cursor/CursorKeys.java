package dev.tidemark.cursor;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.daead.AesSivKey;
import com.google.crypto.tink.daead.AesSivParameters;
import com.google.crypto.tink.subtle.AesSiv;
import com.google.crypto.tink.util.SecretBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys that seal and open tokens. Sealed bytes begin with Tink's prefix: a version byte and the id of the key. The
 * id is a hash of the key, so that instances with the same keys in a different order use the same ids.
 *
 * <p>The Tink primitive is created directly instead of through Tink's key sets, because key sets need protobuf classes
 * and reflection.
 */
final class CursorKeys {

    static final int KEY_BYTES = 64;

    /** The length of Tink's prefix: the version byte and the id of the key. */
    private static final int PREFIX_BYTES = 1 + Integer.BYTES;

    private static final byte[] ID_LABEL = "tidemark cursor key id".getBytes(StandardCharsets.UTF_8);

    private final DeterministicAead sealingKey;
    private final Map<Integer, DeterministicAead> byId;

    private CursorKeys(Map<Integer, DeterministicAead> byId) {
        this.sealingKey = byId.values().iterator().next();
        this.byId = Map.copyOf(byId);
    }

    /**
     * @param keys at least one key, in base64. The first one is the sealing key
     * @throws MalformedKeyException for the first key that is not base64, does not have 64 bytes, or is a duplicate
     */
    static CursorKeys parse(List<String> keys) {
        Map<Integer, DeterministicAead> byId = new LinkedHashMap<>();
        for (int index = 0; index < keys.size(); index++) {
            byte[] key = decode(index, keys.get(index));
            if (byId.put(id(key), aead(key)) != null) {
                throw new MalformedKeyException(index, "is a duplicate");
            }
        }
        return new CursorKeys(byId);
    }

    /** Generates one random key. */
    static CursorKeys random() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new CursorKeys(Map.of(id(key), aead(key)));
    }

    byte[] seal(byte[] plaintext, byte[] associatedData) {
        try {
            return sealingKey.encryptDeterministically(plaintext, associatedData);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-SIV failed to encrypt", e);
        }
    }

    /** @throws GeneralSecurityException if the bytes were not sealed with one of the keys */
    byte[] open(byte[] sealed, byte[] associatedData) throws GeneralSecurityException {
        if (sealed.length < PREFIX_BYTES) {
            throw new GeneralSecurityException("too short");
        }
        DeterministicAead key = byId.get(ByteBuffer.wrap(sealed).getInt(1));
        if (key == null) {
            throw new GeneralSecurityException("unknown key");
        }
        return key.decryptDeterministically(sealed, associatedData);
    }

    private static byte[] decode(int index, String base64) {
        byte[] key;
        try {
            // Some tools wrap long base64 text, and YAML can preserve the line breaks.
            key = Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new MalformedKeyException(index, "is not base64");
        }
        if (key.length != KEY_BYTES) {
            throw new MalformedKeyException(index, "has " + key.length + " bytes instead of " + KEY_BYTES);
        }
        return key;
    }

    @AccessesPartialKey
    private static DeterministicAead aead(byte[] key) {
        try {
            return AesSiv.create(AesSivKey.builder()
                    .setParameters(AesSivParameters.builder()
                            .setKeySizeBytes(KEY_BYTES)
                            .setVariant(AesSivParameters.Variant.TINK)
                            .build())
                    .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                    .setIdRequirement(id(key))
                    .build());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-SIV rejected a key of the required size", e);
        }
    }

    private static int id(byte[] key) {
        MessageDigest digest = Sha256.digest();
        digest.update(ID_LABEL);
        return ByteBuffer.wrap(digest.digest(key)).getInt();
    }
}
