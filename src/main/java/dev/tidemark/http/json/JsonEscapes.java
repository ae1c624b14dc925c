package dev.tidemark.http.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where UTF-8 has what cannot stand for itself in a string of JSON: quotation marks, backslashes, control characters. */
final class JsonEscapes {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** In each byte of a word, one, and the highest bit. */
    private static final long ONES = 0x0101010101010101L;

    private static final long HIGH_BITS = ONES << 7;

    /** By character, as far as one is to be escaped. */
    private static final String[] ESCAPES = new String['\\' + 1];

    static {
        for (int c = 0; c < ' '; c++) {
            ESCAPES[c] = "\\u%04X".formatted(c);
        }
        for (char c : "\b\t\n\f\r\"\\".toCharArray()) {
            ESCAPES[c] = "\\" + "btnfr\"\\".charAt("\b\t\n\f\r\"\\".indexOf(c));
        }
    }

    private JsonEscapes() {}

    /** @param b one that {@link #indexOfFirst} finds */
    static String of(byte b) {
        return ESCAPES[b];
    }

    /** Eight bytes at a time, of which the last eight may have been looked at before. */
    static boolean needsNone(byte[] utf8, int start, int count) {
        int end = start + count;
        if (count < Long.BYTES) {
            return indexOfFirst(utf8, start, end) == end;
        }
        int last = end - Long.BYTES;
        for (int at = start; at < last; at += Long.BYTES) {
            if (!needsNone((long) WORD.get(utf8, at))) {
                return false;
            }
        }
        return needsNone((long) WORD.get(utf8, last));
    }

    /** @return where the first stands, or the end */
    static int indexOfFirst(byte[] utf8, int from, int end) {
        int at = from;
        while (at < end && (utf8[at] < 0 || utf8[at] >= ' ' && utf8[at] != '"' && utf8[at] != '\\')) {
            at++;
        }
        return at;
    }

    /**
     * Whether none of eight bytes is to be escaped: where a byte is less than what is subtracted from it, its highest bit is
     * borrowed. See "Determine if a word has a byte less than n" in Sean Eron Anderson's "Bit Twiddling Hacks".
     */
    private static boolean needsNone(long word) {
        long quote = word ^ '"' * ONES;
        long backslash = word ^ '\\' * ONES;
        return ((word - ' ' * ONES & ~word | quote - ONES & ~quote | backslash - ONES & ~backslash) & HIGH_BITS) == 0;
    }
}
