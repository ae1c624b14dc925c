package dev.tidemark.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.rows.WireRowReceiver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results as PostgreSQL sends them, split in the ways in which a network can split them. */
@BesideQuarkusTests
class RowTapTest {

    /** The largest number of bytes that the driver reads from the network at once. */
    private static final int MAX_READ_BYTES = 64 * 1024;

    private final List<String> events = new ArrayList<>();
    private WireRowReceiver receiver =
            row -> events.add("row " + row.integer(0) + " " + (row.isNull(1) ? null : row.text(1)));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 11, 64, 4096})
    void rowsAndMessagesArriveCompleteAndInOrder(int size) {
        byte[] answers = answers();
        EmbeddedChannel channel = channel();
        for (int start = 0; start < answers.length; start += size) {
            channel.writeInbound(Unpooled.copiedBuffer(answers, start, Math.min(size, answers.length - start)));
        }
        assertThat(events)
                .containsExactly("2", "row 1 ä", "row 0 null", "C", "Z", "2", "row 1 " + "long".repeat(300), "C", "Z");
    }

    @Test
    void rowsWithoutAReceiverGoToTheDriver() {
        receiver = null;
        EmbeddedChannel channel = channel();
        channel.writeInbound(Unpooled.wrappedBuffer(answers()));
        assertThat(events).containsExactly("2", "D", "D", "C", "Z", "2", "D", "C", "Z");
    }

    @Test
    void aKeptRowStaysUnchangedUntilAnotherRowIsKept() {
        List<StatementRow> kept = new ArrayList<>();
        List<String> lastKept = new ArrayList<>();
        receiver = row -> {
            if (!kept.isEmpty()) {
                lastKept.add(kept.get(kept.size() - 1).text(1));
            }
            return !row.text(1).startsWith("unneeded") && kept.add(row);
        };
        EmbeddedChannel channel = channel();
        for (String text : List.of("a", "unneeded 1", "unneeded 2", "b", "c", "unneeded 3")) {
            channel.writeInbound(row(1, text));
        }
        assertThat(lastKept).containsExactly("a", "a", "a", "b", "c");
    }

    @Test
    void aLongRowInManyReadsIsAllocatedOnce() {
        byte[] row = ByteBufUtil.getBytes(row(1, "long".repeat(2_000_000)));
        List<Integer> grown = new ArrayList<>();
        ByteBuf first = new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, MAX_READ_BYTES, Integer.MAX_VALUE) {
            @Override
            public ByteBuf capacity(int capacity) {
                grown.add(capacity);
                return super.capacity(capacity);
            }
        };
        EmbeddedChannel channel = channel();
        channel.writeInbound(first.writeBytes(row, 0, MAX_READ_BYTES));
        for (int start = MAX_READ_BYTES; start < row.length; start += MAX_READ_BYTES) {
            channel.writeInbound(Unpooled.copiedBuffer(row, start, Math.min(MAX_READ_BYTES, row.length - start)));
        }
        assertThat(events).containsExactly("row 1 " + "long".repeat(2_000_000));
        assertThat(grown).hasSize(1);
    }

    /** The value that is not needed has a length, but takes no memory. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4096, MAX_READ_BYTES})
    void anOversizedValueIsLeftOutWhileItArrives(int size) {
        int needed = 1000;
        receiver = new WireRowReceiver() {
            @Override
            public boolean receive(StatementRow row) {
                Throwable failure = catchThrowable(() -> row.text(1));
                return events.add("row " + row.integer(0) + " " + row.size(1)
                        + (failure instanceof OversizedValueException ? " left out" : " kept"));
            }

            @Override
            public int maxValueBytes() {
                return needed;
            }
        };
        ByteBuf stream = Unpooled.buffer();
        stream.writeBytes(row(1, "short")).writeBytes(row(2, "long".repeat(500_000)));
        stream.writeBytes(row(3, "short")).writeBytes(row(4, "long".repeat(500_000)));
        stream.writeBytes(message('C', Unpooled.copiedBuffer("SELECT 4\0", StandardCharsets.US_ASCII)));
        EmbeddedChannel channel = channel();
        while (stream.isReadable()) {
            channel.writeInbound(stream.readBytes(Math.min(size, stream.readableBytes())));
        }
        assertThat(events)
                .containsExactly(
                        "row 1 5 kept", "row 2 2000000 left out", "row 3 5 kept", "row 4 2000000 left out", "C");
    }

    /** Only the values that are needed take memory, and count. */
    @Test
    void aValueOfALargeRowIsKeptWhateverPrecedesIt() {
        receiver = new WireRowReceiver() {
            @Override
            public boolean receive(StatementRow row) {
                return events.add(row.integer(0) + " " + row.size(1) + " " + row.text(7));
            }

            @Override
            public int maxValueBytes() {
                return 100_000;
            }

            @Override
            public boolean reads(int column) {
                return column == 0 || column == 7;
            }
        };
        ByteBuf row = Unpooled.buffer().writeShort(8).writeInt(Integer.BYTES).writeInt(1);
        for (int length : new int[] {600_000, 90_000, 90_000, 90_000, 90_000, 90_000}) {
            row.writeInt(length).writeZero(length);
        }
        row.writeInt(4).writeBytes("last".getBytes(StandardCharsets.US_ASCII));
        channel().writeInbound(message('D', row));
        assertThat(events).containsExactly("1 600000 last");
    }

    private static byte[] answers() {
        ByteBuf stream = Unpooled.buffer();
        stream.writeBytes(message('2', Unpooled.EMPTY_BUFFER));
        stream.writeBytes(row(1, "ä"));
        stream.writeBytes(row(0, null));
        stream.writeBytes(message('C', Unpooled.copiedBuffer("SELECT 2\0", StandardCharsets.US_ASCII)));
        stream.writeBytes(message('Z', Unpooled.wrappedBuffer(new byte[] {'I'})));
        stream.writeBytes(message('2', Unpooled.EMPTY_BUFFER));
        stream.writeBytes(row(1, "long".repeat(300)));
        stream.writeBytes(message('C', Unpooled.copiedBuffer("SELECT 1\0", StandardCharsets.US_ASCII)));
        stream.writeBytes(message('Z', Unpooled.wrappedBuffer(new byte[] {'I'})));
        byte[] bytes = new byte[stream.readableBytes()];
        stream.readBytes(bytes);
        return bytes;
    }

    private static ByteBuf row(int number, String text) {
        ByteBuf row = Unpooled.buffer().writeShort(2).writeInt(Integer.BYTES).writeInt(number);
        if (text == null) {
            row.writeInt(-1);
        } else {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            row.writeInt(utf8.length).writeBytes(utf8);
        }
        return message('D', row);
    }

    private static ByteBuf message(char type, ByteBuf content) {
        return Unpooled.buffer()
                .writeByte(type)
                .writeInt(Integer.BYTES + content.readableBytes())
                .writeBytes(content);
    }

    /** A channel in which, instead of the driver, a handler receives the messages and records their types. */
    private EmbeddedChannel channel() {
        return new EmbeddedChannel(new RowTap(() -> receiver), new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object read) {
                ByteBuf message = (ByteBuf) read;
                assertThat(message.getInt(message.readerIndex() + 1) + 1).isEqualTo(message.readableBytes());
                events.add(Character.toString(message.getByte(message.readerIndex())));
                message.release();
            }
        });
    }
}
