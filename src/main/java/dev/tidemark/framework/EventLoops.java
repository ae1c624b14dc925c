package dev.tidemark.framework;

import io.netty.channel.EventLoopGroup;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;

/** The event loops of Vert.x. */
public final class EventLoops {

    private EventLoops() {}

    /** The event loops that accept connections. */
    public static EventLoopGroup ofAcceptors(Vertx vertx) {
        return ((VertxInternal) vertx).getAcceptorEventLoopGroup();
    }

    /** The event loops of the connections. */
    public static EventLoopGroup ofConnections(Vertx vertx) {
        return ((VertxInternal) vertx).getEventLoopGroup();
    }
}
