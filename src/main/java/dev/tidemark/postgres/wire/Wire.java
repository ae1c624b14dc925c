package dev.tidemark.postgres.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.Connection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;
import io.vertx.sqlclient.impl.pool.SqlConnectionPool.PooledConnection;

/** The network connection under one of the driver's. */
public final class Wire {

    private final Channel channel;

    private Wire(Channel channel) {
        this.channel = channel;
    }

    public static Wire of(SqlConnection connection) {
        Connection own = ((SqlConnectionInternal) connection).unwrap();
        Connection last = own instanceof PooledConnection pooled ? pooled.unwrap() : own;
        return new Wire(
                ((SocketConnectionBase) last).socket().channelHandlerContext().channel());
    }

    public Channel channel() {
        return channel;
    }

    /**
     * Closes it at once, and so fails what is in flight. The driver would wait for answers first and then say farewell, which
     * a silent server never lets it.
     */
    public void cut() {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        // One that is closed has none.
        if (first != null) {
            first.close();
        }
    }
}
