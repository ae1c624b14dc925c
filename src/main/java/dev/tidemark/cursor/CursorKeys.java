package dev.tidemark.cursor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys that seal and open tokens. */
final class CursorKeys {

    static final int KEY_BYTES = 64;

    private static final byte[] ID_LABEL = "tidemark cursor key id".getBytes(StandardCharsets.UTF_8);

    private final Map<Integer, byte[]> byId;

    private CursorKeys(Map<Integer, byte[]> byId) {
        this.byId = byId;
    }

    /**
     * @param keys at least one key, in base64. The first one is the sealing key
     * @throws MalformedKeyException for the first key that is not base64, does not have 64 bytes, or is a duplicate
     */
    static CursorKeys parse(List<String> keys) {
        Map<Integer, byte[]> byId = new LinkedHashMap<>();
        for (int index = 0; index < keys.size(); index++) {
            byte[] key = decode(index, keys.get(index));
            if (byId.put(id(key), key) != null) {
                throw new MalformedKeyException(index, "is a duplicate");
            }
        }
        return new CursorKeys(byId);
    }

    /** Generates one random key. */
    static CursorKeys random() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new CursorKeys(Map.of(id(key), key));
    }

    /**
     * Returns what seals and opens with these keys for one purpose. What was sealed for another purpose does not open.
     *
     * @param purpose the associated data of all that is sealed
     */
    Seal seal(String purpose) {
        return new Seal(byId, purpose.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Seals and opens for one purpose. Sealed bytes are those of a Tink key set: a version byte, the id of the key,
     * and the content sealed with {@link AesSiv}. The id is a hash of the key, so that instances with the same keys in
     * a different order use the same ids. Thread-safe.
     */
    static final class Seal {

        private static final byte VERSION = 1;
        private static final int PREFIX_BYTES = 1 + Integer.BYTES;

        private final byte[] prefix;
        private final AesSiv sealing;
        private final Map<Integer, AesSiv> byId = new LinkedHashMap<>();

        private Seal(Map<Integer, byte[]> keys, byte[] purpose) {
            keys.forEach((id, key) -> byId.put(id, new AesSiv(key, purpose)));
            Map.Entry<Integer, AesSiv> first = byId.entrySet().iterator().next();
            prefix = ByteBuffer.allocate(PREFIX_BYTES)
                    .put(VERSION)
                    .putInt(first.getKey())
                    .array();
            sealing = first.getValue();
        }

        byte[] seal(byte[] content) {
            return sealing.seal(prefix, content);
        }

        /** @throws GeneralSecurityException if the bytes were not sealed with one of the keys for this purpose */
        byte[] open(byte[] sealed) throws GeneralSecurityException {
            if (sealed.length < PREFIX_BYTES || sealed[0] != VERSION) {
                throw new GeneralSecurityException("not sealed");
            }
            AesSiv key = byId.get(ByteBuffer.wrap(sealed).getInt(1));
            if (key == null) {
                throw new GeneralSecurityException("unknown key");
            }
            return key.open(sealed, PREFIX_BYTES);
        }
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

    private static int id(byte[] key) {
        MessageDigest digest = Sha256.digest();
        digest.update(ID_LABEL);
        return ByteBuffer.wrap(digest.digest(key)).getInt();
    }
}
