package dev.tidemark.postgres.wire;

import dev.tidemark.postgres.rows.WireRowReceiver;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.Connection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;
import io.vertx.sqlclient.impl.pool.SqlConnectionPool.PooledConnection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Netty channel of a connection. The driver's handlers are in the pipeline of this channel. */
record NettyWire(Channel channel) implements Wire {

    private static final AttributeKey<WireRowReceiver> RECEIVER = AttributeKey.valueOf(NettyWire.class, "receiver");

    private static final AttributeKey<String> SESSION = AttributeKey.valueOf(NettyWire.class, "session");

    private static final AttributeKey<Long> PLANNED_NANOS = AttributeKey.valueOf(NettyWire.class, "planned");

    /** The driver's name for the handler that decodes PostgreSQL's messages. */
    private static final String DRIVER_CODEC = "codec";

    /**
     * The largest number of bytes in one read. Together with the rest of a row of usual length, these bytes fit into
     * the largest buffer that Netty reuses.
     */
    private static final int MAX_READ_BYTES = 32 * 1024;

    /**
     * The largest number of reads in one turn of the event loop: 4 MB of answers. The default of 16 reads is some 45
     * pages. If many requests arrive, a turn can take 30 ms, and PostgreSQL would wait for most of it.
     */
    private static final int MAX_READS_PER_TURN = 128;

    /** The largest number of statements that one turn of the event loop writes together. */
    private static final int MAX_STATEMENTS_PER_WRITE = 4096;

    static NettyWire of(SqlConnection connection) {
        Connection unwrapped = ((SqlConnectionInternal) connection).unwrap();
        Connection socketConnection = unwrapped instanceof PooledConnection pooled ? pooled.unwrap() : unwrapped;
        return new NettyWire(((SocketConnectionBase) socketConnection)
                .socket()
                .channelHandlerContext()
                .channel());
    }

    @Override
    public void cut() {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        // The pipeline of a closed channel is empty.
        if (first != null) {
            first.close();
        }
    }

    @Override
    public void onClose(Runnable listener) {
        channel.closeFuture().addListener(closed -> listener.run());
    }

    @Override
    public void setSession(String name) {
        channel.attr(SESSION).set(name);
    }

    @Override
    public @Nullable String session() {
        return channel.attr(SESSION).get();
    }

    @Override
    public void setPlannedNanos(long nanos) {
        channel.attr(PLANNED_NANOS).set(nanos);
    }

    @Override
    public @Nullable Long plannedNanos() {
        return channel.attr(PLANNED_NANOS).get();
    }

    @Override
    public void endOnFatalError() {
        if (channel.pipeline().get(DRIVER_CODEC) != null) {
            channel.pipeline().addAfter(DRIVER_CODEC, null, new ConnectionEnd(DRIVER_CODEC));
        }
    }

    @Override
    public void installPinnedHandlers(Supplier<WireRowReceiver> currentReceiver) {
        channel.config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(64, MAX_READ_BYTES, MAX_READ_BYTES)
                        .maxMessagesPerRead(MAX_READS_PER_TURN));
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addFirst(new FlushConsolidationHandler(MAX_STATEMENTS_PER_WRITE, true));
        pipeline.addBefore(DRIVER_CODEC, null, new RowTap(currentReceiver));
    }

    @Override
    public void setReceiver(@Nullable WireRowReceiver receiver) {
        Attribute<WireRowReceiver> current = channel.attr(RECEIVER);
        current.set(receiver);
        ChannelPipeline pipeline = channel.pipeline();
        if (pipeline.get(RowTap.class) == null && pipeline.get(DRIVER_CODEC) != null) {
            pipeline.addBefore(DRIVER_CODEC, null, new RowTap(current::get));
        }
    }
}
