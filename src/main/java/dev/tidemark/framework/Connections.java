package dev.tidemark.framework;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxHandler;
import org.jspecify.annotations.Nullable;

/** The channels under HTTP connections. */
public final class Connections {

    private Connections() {}

    public static Channel channelOf(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    /** Closes the connection without waiting for what has not been written yet. */
    public static void abort(HttpConnection connection) {
        ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /**
     * Like {@link #abort}, but resets the connection, so that the kernel drops the bytes that the client has not
     * received, too. The client can lose bytes that it has received but not read.
     */
    public static void reset(HttpConnection connection) {
        channelOf(connection).config().setOption(ChannelOption.SO_LINGER, 0);
        abort(connection);
    }

    /** Whether this is the handler that Vert.x adds once it knows the protocol of a connection. */
    public static boolean isHttpHandler(@Nullable ChannelHandler handler) {
        return handler instanceof VertxHandler;
    }
}
