package dev.tidemark.postgres.wire;

import dev.tidemark.MicrosecondBenchmark;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;

/** The time to read the 32 rows of a page (about 9 kB) from the wire, without further processing of their values. */
public class RowTapBenchmark extends MicrosecondBenchmark {

    private final ByteBuf answer = ByteBufAllocator.DEFAULT.directBuffer().writeBytes(answer());
    private long checksum;
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new RowTap(() -> row -> {
                checksum += row.integer(0) + row.microsSince2000(1);
                return true;
            }),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    ReferenceCountUtil.release(message);
                }
            });

    @Benchmark
    public long rows() {
        channel.writeInbound(answer.retainedDuplicate());
        return checksum;
    }

    private static ByteBuf answer() {
        ByteBuf answer = message('2', Unpooled.EMPTY_BUFFER);
        for (int i = 0; i < 32; i++) {
            ByteBuf row = Unpooled.buffer().writeShort(7);
            writeValue(row, Unpooled.buffer().writeLong(1_000_000 + i));
            writeValue(row, Unpooled.buffer().writeLong(800_000_000_000_000L));
            row.writeInt(-1);
            for (int length : new int[] {40, 150, 4, 8}) {
                writeValue(row, Unpooled.copiedBuffer("x".repeat(length), StandardCharsets.US_ASCII));
            }
            answer.writeBytes(message('D', row));
        }
        return answer.writeBytes(message('C', Unpooled.copiedBuffer("SELECT 32\0", StandardCharsets.US_ASCII)))
                .writeBytes(message('Z', Unpooled.wrappedBuffer(new byte[] {'I'})));
    }

    private static void writeValue(ByteBuf row, ByteBuf value) {
        row.writeInt(value.readableBytes()).writeBytes(value);
    }

    private static ByteBuf message(char type, ByteBuf content) {
        return Unpooled.buffer()
                .writeByte(type)
                .writeInt(Integer.BYTES + content.readableBytes())
                .writeBytes(content);
    }
}
