package dev.tidemark.cursor;

import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is inside a token, in this sequence: a byte of flags; the time of issue in seconds since 1970, where the flags
 * say so; the digest of the list state; of each value its length in UTF-8 plus one (0 stands for NULL) and its UTF-8.
 * Numbers are varints, seven bits to a byte, the lowest first.
 */
record CursorContent(OptionalLong issuedAt, byte[] listState, Continuation continuation) {

    static final int DIGEST_BYTES = 16;

    private static final int BACKWARD = 1;
    private static final int AFTER = 1 << 1;
    private static final int ISSUED = 1 << 2;
    private static final int KNOWN = BACKWARD | AFTER | ISSUED;

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        Gap gap = continuation.gap();
        bytes.write((continuation.direction() == Direction.BACKWARD ? BACKWARD : 0)
                | (gap.side() == Gap.Side.AFTER ? AFTER : 0)
                | (issuedAt.isPresent() ? ISSUED : 0));
        issuedAt.ifPresent(seconds -> writeNumber(bytes, seconds));
        bytes.write(listState, 0, DIGEST_BYTES);
        for (int i = 0; i < gap.position().size(); i++) {
            String value = gap.position().value(i);
            if (value == null) {
                bytes.write(0);
            } else {
                byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
                writeNumber(bytes, utf8.length + 1L);
                bytes.write(utf8, 0, utf8.length);
            }
        }
        return bytes.toByteArray();
    }

    /** @throws BufferUnderflowException, IllegalArgumentException when this is no such content */
    static CursorContent parse(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        int flags = bytes.get();
        if ((flags & ~KNOWN) != 0) {
            throw new IllegalArgumentException("flags of another version");
        }
        OptionalLong issuedAt = (flags & ISSUED) != 0 ? OptionalLong.of(readNumber(bytes)) : OptionalLong.empty();
        byte[] listState = new byte[DIGEST_BYTES];
        bytes.get(listState);
        List<String> values = new ArrayList<>(4);
        while (bytes.hasRemaining()) {
            values.add(readValue(bytes));
        }
        Gap gap = new Gap(
                (flags & AFTER) != 0 ? Gap.Side.AFTER : Gap.Side.BEFORE, Position.of(values.toArray(new String[0])));
        return new CursorContent(
                issuedAt,
                listState,
                new Continuation(gap, (flags & BACKWARD) != 0 ? Direction.BACKWARD : Direction.FORWARD));
    }

    boolean isOf(byte[] digest) {
        return Arrays.equals(listState, digest);
    }

    private static String readValue(ByteBuffer bytes) {
        long length = readNumber(bytes) - 1;
        if (length < 0) {
            return null;
        }
        if (length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        String value = new String(bytes.array(), bytes.position(), (int) length, StandardCharsets.UTF_8);
        bytes.position(bytes.position() + (int) length);
        return value;
    }

    private static void writeNumber(ByteArrayOutputStream bytes, long number) {
        long rest = number;
        while (rest > 0x7f) {
            bytes.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    private static long readNumber(ByteBuffer bytes) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int part = bytes.get();
            number |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number beyond any that is written");
    }
}
