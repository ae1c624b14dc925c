package dev.tidemark.http.connections;

import dev.tidemark.framework.Connections;
import dev.tidemark.framework.DirectMemory;
import dev.tidemark.framework.EventLoops;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 *       Connections#closeIfSilent}. Event streams end earlier, by their own rules.
 * </ul>
 *
 * <p>Connections over HTTP/2 have no such limits.
 */
@Singleton
public class UnreadResponses {

    private static final Logger LOG = Logger.getLogger(UnreadResponses.class);

    private static final Optional<Problem> MEMORY_SHORT = Optional.of(
            Problem.of(ProblemCode.OVERLOADED, "too many responses are waiting to be read by their clients"));

    private static final int BEFORE_OTHER_ROUTES = -1_000;

    /** How often connections are closed if the budget is exceeded. */
    private static final long LOOK_MILLIS = 10;

    /** How many times less often the progress of the clients is observed if it is not. */
    private static final int LOOKS_PER_OBSERVATION = 100;

    private static final long MAX_BUDGET = 256 * 1024 * 1024;
    private static final int PART_OF_MEMORY = 4;

    /** A client that accepts fewer bytes makes no progress. Otherwise, it could seem active by accepting a byte. */
    private static final int MIN_PROGRESS = 1024;

    /** Fewer bytes of heads do not count, because many connections that are used have some. */
    private static final int UNCOUNTED_BYTES = 1024;

    /** An unfinished head needs no more memory, because Netty rejects a longer one. More bytes belong to content. */
    private static final int MAX_UNFINISHED_BYTES = 160 * 1024;

    /**
     * How many times as much memory as its bytes a head can need that consists of short headers, or many short heads.
     */
    private static final int WEIGHT_OF_HEADS = 32;

    private final boolean isHttpTwoOn;
    private final Provider<Integer> managementPort;
    private final Vertx vertx;
    private final long budget;
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong totalOfResponses = new AtomicLong();
    private final AtomicLong closedConnections = new AtomicLong();
    private final Set<Connection> unread = ConcurrentHashMap.newKeySet();
    private long timer;
    private int looks;

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
        timer = vertx.setPeriodic(LOOK_MILLIS, tick -> look());
    }

    /** Visits the servers at once, before their first connections. */
    void onHttp(@ObservesAsync HttpServerStart started) {
        forEachServer(this::visit);
    }

    void onHttps(@ObservesAsync HttpsServerStart started) {
        forEachServer(this::visit);
    }

    void onStop(@Observes ShutdownEvent stop) {
        vertx.cancelTimer(timer);
        // Dev mode keeps the servers when it starts the application again.
        forEachServer(this::leave);
    }

    void register(@Observes ManagementInterface management) {
        management
                .router()
                .route()
                .order(BEFORE_OTHER_ROUTES)
                .handler(context -> whenRead(context, RequestHead.of(context.request()), context::next));
    }

    /**
     * Counts the head of a request, and goes on once the client has read the earlier responses, because unread
     * responses stay in memory. Must be called once for each request.
     */
    public void whenRead(RoutingContext context, RequestHead head, Runnable next) {
        Channel channel = Connections.channelOf(context.request().connection());
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection == null) {
            // Over HTTP/2, or accepted before this object has visited its server.
            next.run();
        } else if (context.request().version() == HttpVersion.HTTP_2) {
            channel.pipeline().remove(connection);
            next.run();
        } else {
            HttpServerResponse response = context.response();
            Runnable begin = () -> {
                connection.begin(head.bytes(context.request()), response);
                next.run();
            };
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> {
                    response.drainHandler(null);
                    begin.run();
                });
            } else {
                begin.run();
            }
        }
    }

    /**
     * Returns {@code overloaded} if no response may be made or written for now: unread responses use the budget until
     * the next look. Heads of requests do not count here, because other connections would pay for them.
     */
    public Optional<Problem> findShortage() {
        return totalOfResponses.get() > budget ? MEMORY_SHORT : Optional.empty();
    }

    private void forEachServer(Consumer<Channel> visit) {
        for (EventExecutor loop : EventLoops.ofAcceptors(vertx)) {
            loop.execute(() -> {
                List<Channel> servers = new ArrayList<>();
                ((SingleThreadEventLoop) loop).registeredChannelsIterator().forEachRemaining(servers::add);
                servers.stream().filter(ServerChannel.class::isInstance).forEach(visit);
            });
        }
    }

    private void visit(Channel server) {
        if (server.pipeline().get(AcceptedConnections.class) == null) {
            server.pipeline().addFirst(new AcceptedConnections());
        }
    }

    private void leave(Channel server) {
        if (server.pipeline().get(AcceptedConnections.class) != null) {
            server.pipeline().remove(AcceptedConnections.class);
        }
    }

    /** Sees each connection of a server before its other handlers are added. */
    private final class AcceptedConnections extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel accepted = (Channel) message;
            accepted.pipeline().addFirst(new Connection());
            boolean isManagement = isManagement(context.channel());
            if (!isHttpTwoOn && isManagement) {
                accepted.pipeline().addLast(new ManagementWithoutHttpTwo());
            }
            context.fireChannelRead(message);
            if (isManagement) {
                // Quarkus has no options for this port, and the server sets the same one before.
                accepted.eventLoop().execute(() -> Connections.closeIfSilent(accepted));
            }
        }
    }

    /**
     * If the configured port is 0, Quarkus replaces it with the free port that it has opened, some time after that.
     */
    private boolean isManagement(Channel server) {
        return server.localAddress() instanceof InetSocketAddress address && address.getPort() == managementPort.get();
    }

    private void look() {
        boolean observes = ++looks % LOOKS_PER_OBSERVATION == 0;
        if (observes) {
            // The management port opens without an event.
            forEachServer(this::visit);
            unread.forEach(Connection::refresh);
        }
        if (observes || total.get() > budget) {
            closeLongestStalled();
        }
    }

    /**
     * Closes connections until seven eighths of the budget are used, so that the next choice is not due at once.
     * Connections with less than half of the average are spared: together, they have less than half of all bytes.
     */
    private void closeLongestStalled() {
        long now = System.nanoTime();
        List<Connection> longestStalledFirst = new ArrayList<>(unread);
        longestStalledFirst.forEach(connection -> connection.observe(now));
        long left = total.get();
        if (left <= budget || longestStalledFirst.isEmpty()) {
            return;
        }
        long spared = left / 2 / longestStalledFirst.size();
        longestStalledFirst.sort(Comparator.comparingLong(connection -> connection.lastProgress - now));
        for (Connection connection : longestStalledFirst) {
            if (left <= budget - budget / 8) {
                break;
            }
            long bytes = connection.counted;
            if (bytes >= spared) {
                left -= bytes;
                connection.closeBecauseUnread();
            }
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

        /** Whether this object has stopped the connection from being read. Vert.x does so, too. */
        private boolean paused;

        private boolean closed;

        /** The number of bytes that count. Other threads read it. */
        private volatile long counted;

        private long countedOfResponses;

        /** Whether bytes count again, after none did. Set by the event loop, cleared by the timer. */
        private volatile boolean filled;

        private boolean removed;

        /**
         * When the client last accepted bytes, or had any to accept for the first time. Like
         * {@link #mostSinceProgress}, used only by the timer.
         */
        private long lastProgress;

        /** The largest number of bytes that was observed since {@link #lastProgress}. */
        private long mostSinceProgress;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            // One turn of the event loop can read thousands of heads before the timer closes connections. From a
            // client that
            // has closed its side, epoll reads everything, also while the connection is paused.
            if (unfinished > UNCOUNTED_BYTES && total.get() > budget || paused && unfinished > MAX_UNFINISHED_BYTES) {
                ReferenceCountUtil.release(message);
                close();
                return;
            }
            lastRead = message instanceof ByteBuf bytes && !isHandshaking() ? bytes.readableBytes() : 0;
            unfinished += lastRead;
            context.fireChannelRead(message);
            update();
        }

        /** Records that a request begins, whose head had this many bytes. */
        private void begin(int bytes, HttpServerResponse response) {
            latestResponse = response;
            // Over TLS, more bytes are read than the heads have, also by the handshake.
            long read = isEncrypted() ? Math.min(unfinished, lastRead) : unfinished;
            // Only bytes that were read after the end of a head can belong to an unfinished head.
            unfinished = Math.min(Math.max(0, read - bytes), lastRead);
        }

        private boolean isEncrypted() {
            return channel.pipeline().get(SslHandler.class) != null;
        }

        private boolean isHandshaking() {
            SslHandler tls = channel.pipeline().get(SslHandler.class);
            return tls != null && !tls.handshakeFuture().isDone();
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            context.flush();
            updateAfterWrite();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (channel.isWritable()) {
                updateAfterWrite();
            }
            context.fireChannelWritabilityChanged();
        }

        /**
         * The next request that waits begins before more is read. Otherwise, each response would let more of them be
         * read.
         */
        private void updateAfterWrite() {
            if (paused && !removed) {
                count();
                refresh();
            } else {
                update();
            }
        }

        private void update() {
            if (removed) {
                return;
            }
            if (latestResponse != null && latestResponse.ended()) {
                latestResponse = null;
            }
            pauseOrRead();
            count();
        }

        private void count() {
            if (channel.isActive()) {
                count(buffered(), heads());
            } else {
                count(0, 0);
            }
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
        private void count(long responses, long heads) {
            if (responses != countedOfResponses) {
                totalOfResponses.addAndGet(responses - countedOfResponses);
                countedOfResponses = responses;
            }
            long before = counted;
            long now = responses + heads;
            if (now == before) {
                return;
            }
            counted = now;
            total.addAndGet(now - before);
            if (before == 0) {
                filled = true;
                unread.add(this);
            } else if (now == 0) {
                unread.remove(this);
            }
        }

        /** Returns the number of bytes that the socket has not accepted. */
        private long buffered() {
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            return buffer == null ? 0 : buffer.totalPendingWriteBytes();
        }

        private long heads() {
            long bytes = Math.min(unfinished, MAX_UNFINISHED_BYTES);
            return bytes < UNCOUNTED_BYTES ? 0 : bytes * WEIGHT_OF_HEADS;
        }

        /** Observes the progress of the client. Called by the timer. */
        private void observe(long now) {
            long bytes = counted;
            if (filled || bytes <= mostSinceProgress - MIN_PROGRESS) {
                filled = false;
                lastProgress = now;
                mostSinceProgress = bytes;
            } else {
                mostSinceProgress = Math.max(mostSinceProgress, bytes);
            }
        }

        /** Counts the bytes again soon. The timer calls this, because the socket accepts bytes without an event. */
        private void refresh() {
            channel.eventLoop().execute(this::update);
        }

        /** Closes the connection soon, unless its client has read since it was observed. Called by the timer. */
        private void closeBecauseUnread() {
            long observed = counted;
            channel.eventLoop().execute(() -> {
                update();
                if (counted > 0 && counted > observed - MIN_PROGRESS) {
                    close();
                }
            });
        }

        /** Closes the connection without waiting until the client has read anything. */
        private void close() {
            if (!closed) {
                closed = true;
                closedConnections.incrementAndGet();
                channel.unsafe().close(channel.voidPromise());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            count(0, 0);
            super.channelInactive(context);
        }

        /** An upgrade to HTTP/2 removes all handlers of HTTP/1. */
        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            removed = true;
            count(0, 0);
            if (paused) {
                channel.config().setAutoRead(true);
            }
        }
    }
}
