package dev.tidemark.framework;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
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

    /** Whether this is the handler that Vert.x adds once it knows the protocol of a connection. */
    public static boolean isHttpHandler(@Nullable ChannelHandler handler) {
        return handler instanceof VertxHandler;
    }
}
