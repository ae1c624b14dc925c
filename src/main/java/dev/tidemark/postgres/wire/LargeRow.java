package dev.tidemark.postgres.wire;

import io.netty.buffer.ByteBuf;

/**
 * Reads one row while its bytes arrive, without its oversized values. A row can have a gigabyte, which would otherwise be
 * buffered as a whole.
 */
final class LargeRow {

    /** All values that are kept have at most this many times the size of the largest value that is kept. */
    private static final int MAX_KEPT_VALUES = 4;

    private final WireRow row;
    private final int maxValueBytes;

    /** -1 until the number of columns has been read. */
    private int columns = -1;

    private int nextColumn;
    private int remainingValueBytes;
    private boolean isValueKept;

    LargeRow(WireRow row, int maxValueBytes) {
        this.row = row;
        this.maxValueBytes = maxValueBytes;
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
        isValueKept = length <= maxValueBytes && row.length() + (long) length <= (long) MAX_KEPT_VALUES * maxValueBytes;
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
