package dev.tidemark.http.requests;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds URLs that cannot be decoded unambiguously. Decoders turn bytes that are not UTF-8 into replacement characters,
 * and raw non-ASCII bytes into wrong characters. A filter of a list would then match values that the client did not
 * ask for.
 */
final class UrlEncoding {

    private UrlEncoding() {}

    /** @return what is wrong with a raw path and query; empty if they can be decoded */
    static Optional<String> findFault(String raw) {
        int end = raw.indexOf('?') < 0 ? raw.length() : raw.indexOf('?');
        if (raw.lastIndexOf(';', end) >= 0) {
            return Optional.of("a semicolon in a path must be encoded as %3B");
        }
        boolean hasNoEscapes = true;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c > '~') {
                return Optional.of(
                        "spaces, control characters, and non-ASCII characters must be percent-encoded in UTF-8");
            }
            if (c == '#') {
                return Optional.of("a URL must not contain #; encode # itself as %23");
            }
            if (c == '%') {
                hasNoEscapes = false;
                if (i + 2 >= raw.length() || hexDigit(raw.charAt(i + 1)) < 0 || hexDigit(raw.charAt(i + 2)) < 0) {
                    return Optional.of("a % must be followed by two hexadecimal digits; encode % itself as %25");
                }
            }
        }
        return hasNoEscapes || isUtf8(decode(raw))
                ? Optional.empty()
                : Optional.of("the percent-encoded bytes are not valid UTF-8");
    }

    private static ByteBuffer decode(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.put((byte) (hexDigit(raw.charAt(i + 1)) << 4 | hexDigit(raw.charAt(i + 2))));
                i += 2;
            } else {
                bytes.put((byte) c);
            }
        }
        return bytes.flip();
    }

    private static boolean isUtf8(ByteBuffer bytes) {
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static int hexDigit(char c) {
        return Character.digit(c, 16);
    }
}
