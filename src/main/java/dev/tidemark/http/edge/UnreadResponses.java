package dev.tidemark.http.edge;

import dev.tidemark.framework.Connections;
import dev.tidemark.framework.DirectMemory;
import dev.tidemark.framework.EventLoops;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that HTTP/1 clients take without reading their responses or ending their requests:
 *
 * <ul>
 *   <li>From a connection whose response has not been read, no further request is read.
 *   <li>The unread responses of all connections, and the heads of requests that stay in memory, have a budget. If they
 *       have more bytes, the connections that have accepted nothing for longest are closed.
 *   <li>A client that accepts nothing is disconnected by the idle timeout or by the kernel, see {@link
 *       Connections#closeIfSilent}. Streams end earlier, by their own rules.
 * </ul>
 *
 * <p>Connections over HTTP/2 have no such limits.
 *
 * <p>Neither Vert.x nor Quarkus lets an application see a connection before its first request, so this class looks for
 * servers and connections once a second.
 */
@Singleton
class UnreadResponses {

    private static final Logger LOG = Logger.getLogger(UnreadResponses.class);

    private static final int BEFORE_OTHER_ROUTES = -1_000;
    private static final long INTERVAL_SECONDS = 1;

    private static final long MAX_BUDGET = 256 * 1024 * 1024;
    private static final int PART_OF_MEMORY = 4;

    /** A client that accepts fewer bytes makes no progress. Otherwise, it could seem active by accepting a byte. */
    private static final int MIN_PROGRESS = 1024;

    /** Fewer bytes of heads do not count, because many connections that are used have some. */
    private static final int UNCOUNTED_BYTES = 1024;

    /** An unfinished head needs no more memory, because Netty rejects a longer one. More bytes belong to content. */
    private static final int MAX_UNFINISHED_BYTES = 160 * 1024;

    /** How many times as much memory as its bytes a head can need that consists of short headers, or many short heads. */
    private static final int WEIGHT_OF_HEADS = 32;

    /** The name of the handler of Vert.x that upgrades connections to HTTP/2. It exists once bytes have been read. */
    private static final String UPGRADE_HANDLER = "h2c";

    private final boolean isHttpTwoOn;
    private final Provider<Integer> managementPort;
    private final Vertx vertx;
    private final List<ScheduledFuture<?>> tasks = new ArrayList<>();

    private final long budget;
    private final AtomicLong total = new AtomicLong();

    /** The bytes of connections that are about to be closed. They are still part of the total. */
    private final AtomicLong closing = new AtomicLong();

    private final AtomicLong closedConnections = new AtomicLong();
    private final Set<Connection> unread = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean choosing = new AtomicBoolean();

    /** The budget is a quarter of the heap or of the direct memory, whichever is smaller. Responses use both. */
    UnreadResponses(
            @ConfigProperty(name = "quarkus.http.http2") boolean isHttpTwoOn,
            @ConfigProperty(name = "quarkus.management.port", defaultValue = "9000") Provider<Integer> managementPort,
            Vertx vertx,
            MeterRegistry metrics) {
        this.isHttpTwoOn = isHttpTwoOn;
        this.managementPort = managementPort;
        this.vertx = vertx;
        this.budget = Math.min(
                MAX_BUDGET, Math.min(Runtime.getRuntime().maxMemory(), DirectMemory.maxBytes()) / PART_OF_MEMORY);
        Gauge.builder("tidemark.unread.bytes", total, AtomicLong::get)
                .description(
                        "Bytes of responses that clients have not read, and 32 times those of request heads that stay in memory")
                .register(metrics);
        FunctionCounter.builder("tidemark.unread.connections.closed", closedConnections, AtomicLong::get)
                .description("Connections that were closed because their clients did not read")
                .register(metrics);
    }

    void onStart(@Observes StartupEvent start) {
        if (isHttpTwoOn) {
            LOG.warn(
                    "HTTP/2 is on (QUARKUS_HTTP_HTTP2), but this server does not defend itself against HTTP/2 clients from"
                            + " the internet. Let only a proxy of your own connect to it.");
        }
        repeat(EventLoops.ofAcceptors(vertx), this::visitServer);
        repeat(EventLoops.ofConnections(vertx), this::visitConnection);
    }

    /** Visits the servers at once, before their first connections. */
    void onHttp(@ObservesAsync HttpServerStart started) {
        EventLoops.ofAcceptors(vertx).forEach(loop -> loop.execute(() -> forEachChannel(loop, this::visitServer)));
    }

    void onStop(@Observes ShutdownEvent stop) {
        tasks.forEach(task -> task.cancel(false));
        // Dev mode keeps the servers when it starts the application again.
        EventLoops.ofAcceptors(vertx).forEach(loop -> loop.execute(() -> forEachChannel(loop, this::leaveServer)));
    }

    void register(@Observes ManagementInterface management) {
        management.router().route().order(BEFORE_OTHER_ROUTES).handler(context -> {
            RequestHead head = RequestHead.of(context.request());
            begin(context, head);
            passWhenRead(context, head);
        });
    }

    /** Counts the head of a request. Must be called once for each request. */
    void begin(RoutingContext context, RequestHead head) {
        Channel channel = Connections.channelOf(context.request().connection());
        Connection connection = channel.pipeline().get(Connection.class);
        if (context.request().version() == HttpVersion.HTTP_2) {
            if (connection != null) {
                channel.pipeline().remove(connection);
            }
        } else if (connection != null) {
            connection.endHead(head.bytes(context.request()), context.response());
        }
    }

    /** Passes on a request once the client has read the earlier responses, because unread responses stay in memory. */
    void passWhenRead(RoutingContext context, RequestHead head) {
        HttpServerResponse response = context.response();
        Connection connection =
                Connections.channelOf(context.request().connection()).pipeline().get(Connection.class);
        if (connection == null || !response.writeQueueFull()) {
            context.next();
            return;
        }
        connection.waitingHead = head.bytes(context.request());
        response.drainHandler(drained -> {
            response.drainHandler(null);
            connection.waitingHead = 0;
            context.next();
        });
    }

    /**
     * Returns whether no connection gets another response: twice the budget is used, because connections are not closed as
     * fast as others are filled.
     */
    boolean isMemoryShort() {
        return total.get() > 2 * budget;
    }

    private void repeat(EventLoopGroup loops, Consumer<Channel> visit) {
        for (EventExecutor loop : loops) {
            tasks.add(loop.scheduleWithFixedDelay(
                    () -> forEachChannel(loop, visit), 0, INTERVAL_SECONDS, TimeUnit.SECONDS));
        }
    }

    private static void forEachChannel(EventExecutor loop, Consumer<Channel> visit) {
        // A copy, because a visit can close other channels.
        List<Channel> channels = new ArrayList<>();
        ((SingleThreadEventLoop) loop).registeredChannelsIterator().forEachRemaining(channels::add);
        channels.forEach(visit);
    }

    private void visitServer(Channel server) {
        if (server instanceof ServerChannel && server.pipeline().get(AcceptedConnections.class) == null) {
            server.pipeline().addFirst(new AcceptedConnections());
        }
    }

    private void leaveServer(Channel server) {
        if (server.pipeline().get(AcceptedConnections.class) != null) {
            server.pipeline().remove(AcceptedConnections.class);
        }
    }

    private void visitConnection(Channel channel) {
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection != null) {
            connection.update();
        }
    }

    /** Sees each connection of a server before its other handlers are added. */
    private final class AcceptedConnections extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel accepted = (Channel) message;
            accepted.pipeline().addFirst(new Connection());
            if (!isHttpTwoOn && isManagement(context.channel())) {
                accepted.pipeline().addLast(new WithoutHttpTwo());
            }
            context.fireChannelRead(message);
            // Afterwards, because the server sets the same option, and Quarkus cannot configure it for the management
            // port.
            Connections.closeIfSilent(accepted);
        }
    }

    /** If the configured port is 0, Quarkus replaces it with the free port that it has opened, some time after that. */
    private boolean isManagement(Channel server) {
        return server.localAddress() instanceof InetSocketAddress address && address.getPort() == managementPort.get();
    }

    /**
     * Keeps a connection at HTTP/1.1. Quarkus always creates the management port with HTTP/2. Over TLS, the client and the
     * server agree on HTTP/1.1. Otherwise, upgrades are ignored, and connections that begin with HTTP/2 are closed.
     */
    private static final class WithoutHttpTwo extends ChannelInboundHandlerAdapter {

        private static final String HTTP_1_1 = "http/1.1";

        @Override
        public void channelActive(ChannelHandlerContext context) {
            SslHandler tls = context.pipeline().get(SslHandler.class);
            if (tls != null) {
                tls.engine()
                        .setHandshakeApplicationProtocolSelector(
                                (engine, offered) -> offered.contains(HTTP_1_1) ? HTTP_1_1 : "");
                context.pipeline().remove(this);
            }
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (bytes.isReadable() && bytes.getByte(bytes.readerIndex()) == 'P') {
                // PRI is the first word of HTTP/2. This port has no operation whose method begins with P.
                bytes.release();
                context.close();
                return;
            }
            if (bytes.isReadable()) {
                // After this byte, Vert.x knows the protocol.
                context.fireChannelRead(bytes.readRetainedSlice(1));
                context.pipeline().addBefore(UPGRADE_HANDLER, null, new UpgradeIgnored());
                context.pipeline().remove(this);
            }
            context.fireChannelRead(bytes);
        }
    }

    private static final class UpgradeIgnored extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                request.headers().remove(HttpHeaderNames.UPGRADE);
                context.pipeline().remove(this);
            }
            context.fireChannelRead(message);
        }
    }

    /** Adds the change of one connection, whose number of bytes was {@code before}, and is {@code now}. */
    private void change(Connection connection, long before, long now) {
        if (before == 0) {
            unread.add(connection);
        } else if (now == 0) {
            unread.remove(connection);
        }
        if (total.addAndGet(now - before) - closing.get() > budget && now > before) {
            closeLongestStalled();
        }
    }

    /**
     * Closes connections until seven eighths of the budget are used, so that the next choice is not due at once.
     * Connections with less than half of the average are spared: together, they have less than half of all bytes.
     */
    private void closeLongestStalled() {
        if (!choosing.compareAndSet(false, true)) {
            return;
        }
        try {
            record Candidate(Connection connection, long lastProgress) {}
            long now = System.nanoTime();
            long spared = total.get() / 2 / Math.max(1, unread.size());
            List<Candidate> longestStalledFirst = unread.stream()
                    .filter(connection -> connection.counted >= spared)
                    .map(connection -> new Candidate(connection, connection.lastProgress))
                    .sorted(Comparator.comparingLong(candidate -> candidate.lastProgress() - now))
                    .toList();
            for (Candidate candidate : longestStalledFirst) {
                if (total.get() - closing.get() <= budget - budget / 8) {
                    break;
                }
                closedConnections.addAndGet(candidate.connection().closeBecauseUnread() ? 1 : 0);
            }
        } finally {
            choosing.set(false);
        }
    }

    /** The bytes of one connection. Except where noted, everything runs on its event loop. */
    private final class Connection extends ChannelDuplexHandler {

        @SuppressWarnings("NullAway.Init") // Netty calls handlerAdded first.
        private Channel channel;

        /** The response to the latest request; {@code null} if it was known to have ended. */
        private @Nullable HttpServerResponse latestResponse;

        /** The number of bytes that were read last. */
        private int lastRead;

        /** The number of bytes that were read and may belong to requests that have not begun. */
        private long unfinished;

        /** The number of bytes of the head of a request that waits until earlier responses are read. */
        private int waitingHead;

        /** Whether this object has stopped the connection from being read. Vert.x does so, too. */
        private boolean paused;

        private boolean counting;
        private boolean removed;

        /** The number of bytes that count. Other threads read it. */
        private volatile long counted;

        /** When the client last accepted bytes, or when the first byte was written. Other threads read it. */
        private volatile long lastProgress;

        /** The largest number of bytes since {@link #lastProgress}. */
        private long mostSinceProgress;

        /** Set by the thread that chose this connection to be closed. */
        private long bytesAtClose;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (unfinished > UNCOUNTED_BYTES && total.get() > budget) {
                // One turn of the event loop can read thousands of heads, and connections of other loops are closed
                // later.
                ReferenceCountUtil.release(message);
                closedConnections.incrementAndGet();
                close();
                return;
            }
            lastRead = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
            unfinished += lastRead;
            context.fireChannelRead(message);
            update();
        }

        /** Records that the head of a request has been read, which had this many bytes. */
        private void endHead(int bytes, HttpServerResponse response) {
            latestResponse = response;
            // Only bytes that were read after the end of a head can belong to an unfinished head.
            unfinished = Math.min(Math.max(0, unfinished - bytes), lastRead);
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            context.flush();
            update();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (channel.isWritable()) {
                update();
            }
            context.fireChannelWritabilityChanged();
        }

        private void update() {
            if (latestResponse != null && latestResponse.ended()) {
                latestResponse = null;
            }
            pauseOrRead();
            count();
        }

        /** Reads nothing while a response is unread, or while a response is made and further requests wait. */
        private void pauseOrRead() {
            boolean pause = !channel.isWritable() || latestResponse != null && unfinished > UNCOUNTED_BYTES;
            if (pause && channel.config().isAutoRead()) {
                paused = true;
                channel.config().setAutoRead(false);
            } else if (!pause && paused) {
                paused = false;
                channel.config().setAutoRead(true);
            }
        }

        /** Makes the number of bytes known. For a client that reads everything at once, does nothing. */
        private void count() {
            long before = counted;
            long now = buffered() + heads();
            if (removed || before == 0 && now == 0) {
                return;
            }
            if (before == 0 || now <= mostSinceProgress - MIN_PROGRESS) {
                lastProgress = System.nanoTime();
                mostSinceProgress = now;
            } else {
                mostSinceProgress = Math.max(mostSinceProgress, now);
            }
            if (now != before) {
                counted = now;
                counting = true;
                change(this, before, now);
                counting = false;
            }
        }

        /** Returns the number of bytes that the socket has not accepted. */
        private long buffered() {
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            return buffer == null ? 0 : buffer.totalPendingWriteBytes();
        }

        private long heads() {
            long bytes = Math.min(unfinished, MAX_UNFINISHED_BYTES) + waitingHead;
            return bytes < UNCOUNTED_BYTES ? 0 : bytes * WEIGHT_OF_HEADS;
        }

        /** Closes the connection, unless it is already being closed. Callable by one thread at a time. */
        private boolean closeBecauseUnread() {
            synchronized (this) {
                if (removed || bytesAtClose > 0 || counted == 0) {
                    return false;
                }
                bytesAtClose = counted;
                closing.addAndGet(bytesAtClose);
            }
            if (channel.eventLoop().inEventLoop() && !counting) {
                close();
            } else {
                channel.eventLoop().execute(this::close);
            }
            return true;
        }

        /** Closes the connection without waiting until the client has read anything. */
        private void close() {
            ChannelHandlerContext context = channel.pipeline().context(this);
            if (context == null) {
                channel.close();
            } else {
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            remove();
            super.channelInactive(context);
        }

        /** An upgrade to HTTP/2 removes all handlers of HTTP/1. */
        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            remove();
            if (paused) {
                channel.config().setAutoRead(true);
            }
        }

        private void remove() {
            long before;
            synchronized (this) {
                if (removed) {
                    return;
                }
                removed = true;
                before = counted;
                counted = 0;
                closing.addAndGet(-bytesAtClose);
            }
            if (before > 0) {
                change(this, before, 0);
            }
        }
    }
}
