package dev.tidemark.cursor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes or reads a byte array sequentially. Numbers are varints: seven bits per byte, least significant bits first.
 *
 * <p>The JIT compiler removes the allocation of an instance by escape analysis, unlike that of a
 * {@link java.nio.ByteBuffer}.
 */
final class ContentBuffer {

    private final byte[] bytes;
    private int index;

    ContentBuffer(byte[] bytes) {
        this.bytes = bytes;
    }

    void putByte(int value) {
        bytes[index++] = (byte) value;
    }

    void putBytes(byte[] values) {
        System.arraycopy(values, 0, bytes, index, values.length);
        index += values.length;
    }

    /** Writes the number of UTF-8 bytes plus one and then the bytes. Writes 0 for {@code null}. */
    void putText(@Nullable String text) {
        if (text == null) {
            putByte(0);
        } else if (isAscii(text)) {
            putNumber(text.length() + 1L);
            putAscii(text);
        } else {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            putNumber(utf8.length + 1L);
            putBytes(utf8);
        }
    }

    static int sizeOf(@Nullable String text) {
        if (text == null) {
            return 1;
        }
        int size = isAscii(text) ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
        return sizeOf(size + 1L) + size;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0x7f) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("deprecation") // getBytes copies the low byte of each character, which is correct for ASCII.
    private void putAscii(String text) {
        text.getBytes(0, text.length(), bytes, index);
        index += text.length();
    }

    void putNumber(long number) {
        long rest = number;
        while (rest > 0x7f) {
            putByte((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        putByte((int) rest);
    }

    static int sizeOf(long number) {
        return 1 + (Long.SIZE - 1 - Long.numberOfLeadingZeros(number | 1)) / 7;
    }

    boolean hasMore() {
        return index < bytes.length;
    }

    int getByte() {
        return bytes[skip(1)];
    }

    byte[] getBytes(int count) {
        int start = skip(count);
        return Arrays.copyOfRange(bytes, start, index);
    }

    @Nullable
    String getText() {
        long count = getNumber() - 1;
        if (count < 0) {
            return null;
        }
        int start = skip(count);
        return new String(bytes, start, index - start, StandardCharsets.UTF_8);
    }

    long getNumber() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int part = getByte();
            number |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number is too large");
    }

    /** @return the index before skipping */
    private int skip(long count) {
        if (count > bytes.length - index) {
            throw new IllegalArgumentException("the content is too short");
        }
        int start = index;
        index += (int) count;
        return start;
    }
}
