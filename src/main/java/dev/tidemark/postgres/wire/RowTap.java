package dev.tidemark.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes the rows of pages out of what PostgreSQL answers, before the driver makes an object of each value: that was a third
 * of what a page cost, and 20 kB of garbage. All other messages go on to the driver, one by one, so that it has done with
 * the answer before when a row of the next one comes.
 */
public final class RowTap extends ByteToMessageDecoder {

    private static final byte DATA_ROW = 'D';

    /** Its type, and how long it is without it. */
    private static final int HEADER = 1 + Integer.BYTES;

    /** A message from this length on has its place made at once: the buffer would else be copied each time it grows. */
    private static final int LONG = 1024 * 1024;

    private final Supplier<WireRows> now;
    private WireRow row = new WireRow();
    private WireRow kept = new WireRow();

    /** @param now the rows of the statement that is being answered; {@code null} where the driver is to decode them */
    public RowTap(Supplier<WireRows> now) {
        this.now = now;
        setCumulator(RowTap::joined);
    }

    /** What is left of the bytes before is seldom more than a row: without what was taken of them, no larger buffer is needed. */
    private static ByteBuf joined(ByteBufAllocator allocator, ByteBuf left, ByteBuf read) {
        if (left.refCnt() == 1) {
            left.discardReadBytes();
        }
        return MERGE_CUMULATOR.cumulate(allocator, left, read);
    }

    /** Takes a run of rows at once, and one message at a time for the driver. */
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        for (int length; (length = lengthOfNext(in)) > 0; ) {
            WireRows rows = in.getByte(in.readerIndex()) == DATA_ROW ? now.get() : null;
            if (rows == null) {
                out.add(in.readRetainedSlice(length));
                return;
            }
            row.read(in.skipBytes(HEADER), length - HEADER);
            if (rows.take(row)) {
                WireRow free = kept;
                kept = row;
                row = free;
            }
        }
    }

    /** @return of the next message, with its header; 0 where it has not come as a whole */
    private static int lengthOfNext(ByteBuf in) {
        if (in.readableBytes() < HEADER) {
            return 0;
        }
        int length = 1 + in.getInt(in.readerIndex() + 1);
        int missing = length - in.readableBytes();
        // Not while the driver still holds messages of the same buffer, which would move under them.
        if (missing > 0 && length >= LONG && in.refCnt() == 1) {
            in.discardReadBytes().ensureWritable(missing);
        }
        return missing > 0 ? 0 : length;
    }
}
