package dev.tidemark.cursor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Sequential writer and reader of bytes. Numbers are varints: seven bits per byte, least significant first. */
final class ContentBytes {

    /** Enough for most cursors. */
    private static final int INITIAL_CAPACITY = 128;

    private byte[] bytes;
    private int index;

    /** Creates a writer. */
    ContentBytes() {
        this(new byte[INITIAL_CAPACITY]);
    }

    /** Creates a reader. */
    ContentBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    void put(int value) {
        ensureSpace(1);
        bytes[index++] = (byte) value;
    }

    void put(byte[] values) {
        ensureSpace(values.length);
        System.arraycopy(values, 0, bytes, index, values.length);
        index += values.length;
    }

    private void ensureSpace(int count) {
        if (bytes.length - index < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, index + count));
        }
    }

    /** Writes the length in UTF-8 plus one and then the UTF-8 bytes, or 0 for {@code null}. */
    void putText(String text) {
        if (text == null) {
            put(0);
        } else {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            putNumber(utf8.length + 1L);
            put(utf8);
        }
    }

    void putNumber(long number) {
        long rest = number;
        while (rest > 0x7f) {
            put((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        put((int) rest);
    }

    /** Returns the bytes that have been written. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, index);
    }

    boolean hasMore() {
        return index < bytes.length;
    }

    int get() {
        return bytes[skip(1)];
    }

    byte[] get(int count) {
        int start = skip(count);
        return Arrays.copyOfRange(bytes, start, index);
    }

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
            int part = get();
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
