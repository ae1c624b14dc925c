package dev.tidemark.http;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * JSON as bytes in UTF-8, for what is written for each row: about a third of what a generator takes, which keeps track of
 * where it is in the document. Whoever writes here puts commas and colons where they belong.
 */
final class JsonBytes {

    private static final byte[] NULL = asciiBytes("null");
    private static final byte[] TRUE = asciiBytes("true");
    private static final byte[] FALSE = asciiBytes("false");
    private static final byte[] HEX = asciiBytes("0123456789ABCDEF");

    /** From 00 to 99. */
    private static final byte[] PAIRS = new byte[200];

    /** By ASCII character, whether it stands for itself. */
    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
        for (int c = 0; c < PLAIN.length; c++) {
            PLAIN[c] = c >= ' ' && c != '"' && c != '\\';
        }
    }

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** In each byte of a word, one, and the highest bit. */
    private static final long EACH = 0x0101010101010101L;

    private static final long HIGHEST = EACH << 7;

    private static final int SPARE_BYTES = 32 * 1024;
    private static final int MOST_KEPT = 8 * SPARE_BYTES;

    /** One for each thread: what is filled and emptied again before another one is begun needs no more. */
    private static final FastThreadLocal<JsonBytes> SPARE = new FastThreadLocal<>();

    private byte[] bytes;
    private int length;

    JsonBytes(int capacity) {
        bytes = new byte[capacity];
    }

    /** An empty one that was {@link #keepForNext kept}, where there is one. */
    static JsonBytes spare() {
        JsonBytes spare = SPARE.get();
        if (spare == null) {
            return new JsonBytes(SPARE_BYTES);
        }
        SPARE.set(null);
        return spare;
    }

    /** Empties it. Nobody may use it after this but who gets it as a spare. */
    void keepForNext() {
        length = 0;
        if (bytes.length <= MOST_KEPT) {
            SPARE.set(this);
        }
    }

    int length() {
        return length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Copies some of what was written. */
    void copy(int from, int to, byte[] target, int at) {
        System.arraycopy(bytes, from, target, at, to - from);
    }

    JsonBytes raw(byte[] json) {
        return raw(json, 0, json.length);
    }

    JsonBytes raw(byte[] json, int start, int count) {
        ensure(count);
        System.arraycopy(json, start, bytes, length, count);
        length += count;
        return this;
    }

    /** JSON that is ASCII, or comes as text from the database. */
    JsonBytes raw(String json) {
        return raw(json.getBytes(StandardCharsets.UTF_8));
    }

    /** JSON that is ASCII: the same as {@link #raw(String)}, without an array on the way. */
    @SuppressWarnings("deprecation") // It takes each character's low byte, which is all of it.
    JsonBytes ascii(String json) {
        int count = json.length();
        ensure(count);
        json.getBytes(0, count, bytes, length);
        length += count;
        return this;
    }

    JsonBytes raw(char ascii) {
        return raw((byte) ascii);
    }

    /** Writes over what stands there. */
    void put(int at, char ascii) {
        bytes[at] = (byte) ascii;
    }

    private JsonBytes raw(byte b) {
        ensure(1);
        bytes[length++] = b;
        return this;
    }

    JsonBytes nothing() {
        return raw(NULL);
    }

    JsonBytes bool(boolean value) {
        return raw(value ? TRUE : FALSE);
    }

    JsonBytes number(long value) {
        ensure(20);
        length = NumberOutput.outputLong(value, bytes, length);
        return this;
    }

    /** In the fewest digits that read back the same; what is no number of JSON's, as a string. */
    JsonBytes number(double value) {
        return Double.isFinite(value) ? raw(NumberOutput.toString(value, true)) : string(Double.toString(value));
    }

    /** As the other one, for fewer digits. */
    JsonBytes number(float value) {
        return Float.isFinite(value) ? raw(NumberOutput.toString(value, true)) : string(Float.toString(value));
    }

    /** With zeros before it, where it has fewer digits than that. */
    JsonBytes digits(int number, int width) {
        ensure(width);
        int rest = number;
        int at = length + width;
        for (; at > length + 1; rest /= 100) {
            int pair = rest % 100 * 2;
            bytes[--at] = PAIRS[pair + 1];
            bytes[--at] = PAIRS[pair];
        }
        if (at > length) {
            bytes[length] = (byte) ('0' + rest % 10);
        }
        length += width;
        return this;
    }

    JsonBytes base64(byte[] value) {
        return raw('"').raw(Base64.getEncoder().encode(value)).raw('"');
    }

    JsonBytes string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return string(utf8, 0, utf8.length);
    }

    /** Of UTF-8; what stands for itself, which is most of it, is copied as a whole. */
    JsonBytes string(byte[] utf8, int start, int count) {
        ensure(count + 2);
        bytes[length++] = '"';
        if (isPlain(utf8, start, count)) {
            System.arraycopy(utf8, start, bytes, length, count);
            length += count;
        } else {
            escaped(utf8, start, start + count);
        }
        return raw('"');
    }

    private static boolean isPlain(byte[] utf8, int start, int count) {
        int end = start + count;
        if (count < Long.BYTES) {
            return escape(utf8, start, end) == end;
        }
        int last = end - Long.BYTES;
        for (int at = start; at < last; at += Long.BYTES) {
            if (!isPlain((long) WORD.get(utf8, at))) {
                return false;
            }
        }
        return isPlain((long) WORD.get(utf8, last));
    }

    private void escaped(byte[] utf8, int start, int end) {
        for (int from = start; from < end; ) {
            int escape = escape(utf8, from, end);
            raw(utf8, from, escape - from);
            if (escape < end) {
                escape(utf8[escape]);
            }
            from = escape + 1;
        }
    }

    /** Where the first byte stands that does not stand for itself, or the end. */
    private static int escape(byte[] utf8, int from, int end) {
        int at = from;
        while (at < end && (utf8[at] < 0 || PLAIN[utf8[at]])) {
            at++;
        }
        return at;
    }

    /**
     * Whether none of eight bytes is a control character, a quotation mark or a backslash: where a byte is less than what
     * is subtracted from it, its highest bit is borrowed. See "Determine if a word has a byte less than n" in Sean Eron
     * Anderson's "Bit Twiddling Hacks".
     */
    private static boolean isPlain(long word) {
        long quote = word ^ '"' * EACH;
        long backslash = word ^ '\\' * EACH;
        return ((word - ' ' * EACH & ~word | quote - EACH & ~quote | backslash - EACH & ~backslash) & HIGHEST) == 0;
    }

    /** ASCII of which nothing is escaped. */
    JsonBytes tokenOrNull(Optional<String> token) {
        return token.isPresent() ? raw('"').ascii(token.get()).raw('"') : nothing();
    }

    private void escape(byte b) {
        int shorthand = "\b\t\n\f\r\"\\".indexOf(b);
        if (shorthand >= 0) {
            raw('\\').raw("btnfr\"\\".charAt(shorthand));
        } else {
            raw("\\u00").raw((char) HEX[b >> 4]).raw((char) HEX[b & 15]);
        }
    }

    private static byte[] asciiBytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
