package dev.tidemark.framework;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;

/** The channels under HTTP connections. */
public final class Connections {

    /**
     * The time after which a client counts as gone, such as a phone without reception, which does not close its
     * connection. Heartbeats are sent to it, so the idle timeout does not apply.
     */
    public static final Duration LONGEST_SILENCE = Duration.ofSeconds(40);

    private Connections() {}

    public static Channel channelOf(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    /**
     * Closes the connection without waiting for what has not been written yet. The kernel drops the bytes that the
     * client has not received, too. The client can lose bytes that it has received but not read.
     */
    public static void reset(HttpConnection connection) {
        channelOf(connection).config().setOption(ChannelOption.SO_LINGER, 0);
        ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /**
     * Has the kernel close a connection whose client has acknowledged nothing for {@link #LONGEST_SILENCE}, although
     * bytes were sent, or has accepted none of the bytes that wait for it, as for new connections. Without the
     * transport epoll, does nothing.
     */
    public static void closeIfSilent(Channel channel) {
        // Another connection can already have the number of a closed socket.
        if (channel.isOpen()) {
            channel.config()
                    .setOption(EpollChannelOption.TCP_USER_TIMEOUT, Math.toIntExact(LONGEST_SILENCE.toMillis()));
        }
    }
}
