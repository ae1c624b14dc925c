package dev.tidemark.cursor;

import java.util.Base64;

/** Converts sealed bytes to tokens and back. A token is canonical base64url without padding. */
final class TokenText {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private TokenText() {}

    static String encode(byte[] sealed) {
        return ENCODER.encodeToString(sealed);
    }

    /** @throws IllegalArgumentException if the token is empty, or is not the canonical encoding of its bytes */
    static byte[] decode(String token) {
        byte[] sealed = DECODER.decode(token);
        if (!isCanonical(token)) {
            throw new IllegalArgumentException("not canonical");
        }
        return sealed;
    }

    /**
     * Returns whether the token is not empty and has no padding, and whether the unused bits of its last character are
     * 0. The decoder accepts padding, and other values of these bits.
     */
    private static boolean isCanonical(String token) {
        if (token.isEmpty()) {
            return false;
        }
        char last = token.charAt(token.length() - 1);
        return switch (token.length() % 4) {
            case 0 -> last != '=';
            case 2 -> "AQgw".indexOf(last) >= 0;
            case 3 -> "AEIMQUYcgkosw048".indexOf(last) >= 0;
            default -> false;
        };
    }
}
