package dev.tidemark.cursor;

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
 * The keys that seal and open tokens. What they seal begins with Tink's prefix, a version byte and the key's id; the id
 * is a hash of the key, so that instances that share keys agree on it wherever in their lists a key stands.
 *
 * <p>Tink's primitive is made from its key directly: the registry that its key sets go through needs protobuf classes
 * and reflection, for nothing that is used here.
 */
final class CursorKeys {

    static final int KEY_BYTES = 64;

    /** Tink's version byte and the id of the key. */
    private static final int PREFIX_BYTES = 1 + Integer.BYTES;

    private static final byte[] ID_LABEL = "tidemark cursor key id".getBytes(StandardCharsets.UTF_8);

    private final DeterministicAead first;
    private final Map<Integer, DeterministicAead> byId;

    private CursorKeys(Map<Integer, DeterministicAead> byId) {
        this.first = byId.values().iterator().next();
        this.byId = Map.copyOf(byId);
    }

    /**
     * @param keys base64, the first one seals; at least one
     * @throws MalformedKeyException for the first that is not base64, not of 64 bytes, or there twice
     */
    static CursorKeys parse(List<String> keys) {
        Map<Integer, DeterministicAead> byId = new LinkedHashMap<>();
        for (int index = 0; index < keys.size(); index++) {
            byte[] key = decode(index, keys.get(index));
            if (byId.put(id(key), primitive(key)) != null) {
                throw new MalformedKeyException(index, "is there twice");
            }
        }
        return new CursorKeys(byId);
    }

    /** One random key. */
    static CursorKeys random() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new CursorKeys(Map.of(id(key), primitive(key)));
    }

    byte[] seal(byte[] plaintext, byte[] associatedData) {
        try {
            return first.encryptDeterministically(plaintext, associatedData);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-SIV does not seal", e);
        }
    }

    /** @throws GeneralSecurityException when none of the keys sealed it */
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
            // Tools wrap long base64, and YAML may keep the break.
            key = Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new MalformedKeyException(index, "is not base64");
        }
        if (key.length != KEY_BYTES) {
            throw new MalformedKeyException(index, "is of " + key.length + " bytes instead of " + KEY_BYTES);
        }
        return key;
    }

    private static DeterministicAead primitive(byte[] key) {
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
            throw new IllegalStateException("AES-SIV takes no key of its own size", e);
        }
    }

    private static int id(byte[] key) {
        MessageDigest digest = Sha256.digest();
        digest.update(ID_LABEL);
        return ByteBuffer.wrap(digest.digest(key)).getInt();
    }
}
