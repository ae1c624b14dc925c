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

    /** @throws IllegalArgumentException if the token is empty, or is not the only canonical encoding of its bytes */
    static byte[] decode(String token) {
        byte[] sealed = DECODER.decode(token);
        // The decoder also accepts padding, and unused bits in the last character.
        if (token.isEmpty() || !encode(sealed).equals(token)) {
            throw new IllegalArgumentException("not canonical");
        }
        return sealed;
    }
}
