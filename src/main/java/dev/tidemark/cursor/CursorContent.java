package dev.tidemark.cursor;

import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is inside a token, in this sequence: a byte of flags; the time of issue in seconds since 1970, where the flags
 * say so; the digest of the list state; the pin's value, where the flags say so; the position's values. Of each value
 * there is its length in UTF-8 plus one (0 stands for NULL, and for nothing pinned to) and its UTF-8. Numbers are varints, seven bits to a byte, the lowest first.
 */
record CursorContent(OptionalLong issuedAt, byte[] listState, Continuation continuation) {

    static final int DIGEST_BYTES = 16;

    private static final int BACKWARD = 1;
    private static final int AFTER = 1 << 1;
    private static final int ISSUED = 1 << 2;
    private static final int PINNED = 1 << 3;
    private static final int KNOWN = BACKWARD | AFTER | ISSUED | PINNED;

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        Gap gap = continuation.gap();
        bytes.write((continuation.direction() == Direction.BACKWARD ? BACKWARD : 0)
                | (gap.side() == Gap.Side.AFTER ? AFTER : 0)
                | (issuedAt.isPresent() ? ISSUED : 0)
                | (continuation.pin().isPresent() ? PINNED : 0));
        issuedAt.ifPresent(seconds -> writeNumber(bytes, seconds));
        bytes.write(listState, 0, DIGEST_BYTES);
        continuation.pin().ifPresent(pin -> writeValue(bytes, pin.greatest().orElse(null)));
        for (int i = 0; i < gap.position().size(); i++) {
            writeValue(bytes, gap.position().value(i));
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
        Optional<Pin> pin =
                (flags & PINNED) != 0 ? Optional.of(new Pin(Optional.ofNullable(readValue(bytes)))) : Optional.empty();
        List<String> values = new ArrayList<>(4);
        while (bytes.hasRemaining()) {
            values.add(readValue(bytes));
        }
        Gap gap = new Gap(
                (flags & AFTER) != 0 ? Gap.Side.AFTER : Gap.Side.BEFORE, Position.of(values.toArray(new String[0])));
        return new CursorContent(
                issuedAt,
                listState,
                new Continuation(gap, (flags & BACKWARD) != 0 ? Direction.BACKWARD : Direction.FORWARD, pin));
    }

    boolean isOf(byte[] digest) {
        return Arrays.equals(listState, digest);
    }

    private static void writeValue(ByteArrayOutputStream bytes, String value) {
        if (value == null) {
            bytes.write(0);
            return;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        writeNumber(bytes, utf8.length + 1L);
        bytes.write(utf8, 0, utf8.length);
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
