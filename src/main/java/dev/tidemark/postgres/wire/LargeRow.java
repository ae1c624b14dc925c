package dev.tidemark.postgres.wire;

import dev.tidemark.postgres.rows.WireRowReceiver;
import io.netty.buffer.ByteBuf;

/**
 * Reads one row while its bytes arrive, without its oversized values and those that are not needed. A row can have a
 * gigabyte, which would otherwise be buffered as a whole.
 */
final class LargeRow {

    /** All values that are kept have at most this many times the size of the largest value that is kept. */
    private static final int MAX_KEPT_VALUES = 4;

    /** A value of this size is kept if it is read, because a value of fixed size must not be left out. */
    private static final int SMALL_VALUE_BYTES = 1024;

    private final WireRow row;
    private final WireRowReceiver receiver;
    private final int maxValueBytes;

    /** -1 until the number of columns has been read. */
    private int columns = -1;

    private int nextColumn;
    private int remainingValueBytes;
    private boolean isValueKept;

    LargeRow(WireRow row, WireRowReceiver receiver) {
        this.row = row;
        this.receiver = receiver;
        this.maxValueBytes = receiver.maxValueBytes();
    }

    /**
     * @param in positioned at the row's number of columns, or where the last call ended
     * @return whether the row is complete; if not, this method must be called again with the bytes that follow
     */
    boolean read(ByteBuf in) {
        if (columns < 0) {
            if (in.readableBytes() < Short.BYTES) {
                return false;
            }
            columns = in.readShort();
            row.begin(columns);
        }
        while (readValue(in) && nextColumn < columns && in.readableBytes() >= Integer.BYTES) {
            beginValue(in.readInt());
        }
        return nextColumn == columns && remainingValueBytes == 0;
    }

    private void beginValue(int length) {
        boolean fits =
                length <= maxValueBytes && row.length() + (long) length <= (long) MAX_KEPT_VALUES * maxValueBytes;
        isValueKept = receiver.reads(nextColumn) && (fits || length <= SMALL_VALUE_BYTES);
        if (isValueKept) {
            row.addValue(nextColumn, length);
        } else {
            row.addOmittedValue(nextColumn, length);
        }
        nextColumn++;
        remainingValueBytes = Math.max(0, length);
    }

    /** @return whether the value is complete */
    private boolean readValue(ByteBuf in) {
        int count = Math.min(remainingValueBytes, in.readableBytes());
        if (isValueKept) {
            row.append(in, count);
        } else {
            in.skipBytes(count);
        }
        remainingValueBytes -= count;
        return remainingValueBytes == 0;
    }
}
