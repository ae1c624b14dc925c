package dev.tidemark.cursor;

import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The plaintext of a cursor. It consists of, in this order: a byte of flags; the time of issue in seconds since 1970,
 * if its flag is set; the system, the timeline, and the log sequence number of the floor, if its flag is set; the
 * floor's {@code xmax}, and by how much it exceeds {@code xmin}, if their flag is set; the digest of the list state;
 * the value of the pin, if its flag is set; the values of the position. Each value is written as the number of its
 * UTF-8 bytes plus one, followed by these bytes. NULL, and a pin without a value, are written as the number 0.
 */
record CursorContent(OptionalLong issuedAt, byte[] listStateDigest, Continuation continuation) {

    static final int DIGEST_BYTES = 16;

    /** One sort key and one tie-breaker. */
    private static final int TYPICAL_KEY_COUNT = 2;

    private static final int BACKWARD = 1;
    private static final int AFTER = 1 << 1;
    private static final int HAS_ISSUE_TIME = 1 << 2;
    private static final int HAS_PIN = 1 << 3;
    private static final int HAS_FLOOR = 1 << 4;
    private static final int HAS_TRANSACTIONS = 1 << 5;
    private static final int KNOWN_FLAGS = BACKWARD | AFTER | HAS_ISSUE_TIME | HAS_PIN | HAS_FLOOR | HAS_TRANSACTIONS;

    byte[] toBytes() {
        Position position = continuation.gap().position();
        byte[] content = new byte[size()];
        ContentBuffer buffer = new ContentBuffer(content);
        buffer.putByte(flags());
        if (issuedAt.isPresent()) {
            buffer.putNumber(issuedAt.getAsLong());
        }
        if (continuation.floor().isPresent()) {
            buffer.putNumber(continuation.floor().get().system());
            buffer.putNumber(continuation.floor().get().timeline());
            buffer.putNumber(continuation.floor().get().lsn());
        }
        if (hasTransactions()) {
            Floor floor = continuation.floor().get();
            buffer.putNumber(floor.xmax());
            buffer.putNumber(floor.xmax() - floor.xmin());
        }
        buffer.putBytes(listStateDigest);
        if (continuation.pin().isPresent()) {
            buffer.putText(continuation.pin().get().greatest().orElse(null));
        }
        for (int i = 0; i < position.size(); i++) {
            buffer.putText(position.value(i));
        }
        return content;
    }

    private int size() {
        Position position = continuation.gap().position();
        int size = 1 + listStateDigest.length;
        size += issuedAt.isPresent() ? ContentBuffer.sizeOf(issuedAt.getAsLong()) : 0;
        size += continuation
                .floor()
                .map(floor -> ContentBuffer.sizeOf(floor.system())
                        + ContentBuffer.sizeOf(floor.timeline())
                        + ContentBuffer.sizeOf(floor.lsn())
                        + (hasTransactions()
                                ? ContentBuffer.sizeOf(floor.xmax()) + ContentBuffer.sizeOf(floor.xmax() - floor.xmin())
                                : 0))
                .orElse(0);
        size += continuation
                .pin()
                .map(pin -> ContentBuffer.sizeOf(pin.greatest().orElse(null)))
                .orElse(0);
        for (int i = 0; i < position.size(); i++) {
            size += ContentBuffer.sizeOf(position.value(i));
        }
        return size;
    }

    private int flags() {
        return (continuation.direction() == Direction.BACKWARD ? BACKWARD : 0)
                | (continuation.gap().side() == Gap.Side.AFTER ? AFTER : 0)
                | (issuedAt.isPresent() ? HAS_ISSUE_TIME : 0)
                | (continuation.pin().isPresent() ? HAS_PIN : 0)
                | (continuation.floor().isPresent() ? HAS_FLOOR : 0)
                | (hasTransactions() ? HAS_TRANSACTIONS : 0);
    }

    private boolean hasTransactions() {
        return continuation.floor().isPresent() && continuation.floor().get().xmax() != 0;
    }

    /** @throws IllegalArgumentException if the content is malformed */
    static CursorContent parse(byte[] content) {
        ContentBuffer buffer = new ContentBuffer(content);
        int flags = buffer.getByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException("unknown flags");
        }
        OptionalLong issuedAt =
                (flags & HAS_ISSUE_TIME) != 0 ? OptionalLong.of(buffer.getNumber()) : OptionalLong.empty();
        Optional<Floor> floor = (flags & HAS_FLOOR) != 0
                ? Optional.of(floor(buffer, (flags & HAS_TRANSACTIONS) != 0))
                : Optional.empty();
        byte[] listStateDigest = buffer.getBytes(DIGEST_BYTES);
        Optional<Pin> pin =
                (flags & HAS_PIN) != 0 ? Optional.of(new Pin(Optional.ofNullable(buffer.getText()))) : Optional.empty();
        Gap gap = new Gap((flags & AFTER) != 0 ? Gap.Side.AFTER : Gap.Side.BEFORE, position(buffer));
        return new CursorContent(
                issuedAt,
                listStateDigest,
                new Continuation(gap, (flags & BACKWARD) != 0 ? Direction.BACKWARD : Direction.FORWARD, pin, floor));
    }

    private static Floor floor(ContentBuffer buffer, boolean hasTransactions) {
        Floor floor = new Floor((int) buffer.getNumber(), (int) buffer.getNumber(), buffer.getNumber());
        if (!hasTransactions) {
            return floor;
        }
        long xmax = buffer.getNumber();
        return new Floor(floor.system(), floor.timeline(), floor.lsn(), xmax - buffer.getNumber(), xmax);
    }

    private static Position position(ContentBuffer buffer) {
        String[] values = new String[TYPICAL_KEY_COUNT];
        int size = 0;
        for (; buffer.hasMore(); size++) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size] = buffer.getText();
        }
        return Position.of(size == values.length ? values : Arrays.copyOf(values, size));
    }

    CursorContent withoutFloor() {
        return new CursorContent(issuedAt, listStateDigest, continuation.withoutFloor());
    }

    boolean hasDigest(byte[] digest) {
        return Arrays.equals(listStateDigest, digest);
    }
}
