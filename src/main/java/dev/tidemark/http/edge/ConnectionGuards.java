package dev.tidemark.http.edge;

import dev.tidemark.framework.Connections;
import dev.tidemark.framework.EventLoops;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Puts a {@link ConnectionGuard} into each connection of each server of this process. Neither Vert.x nor Quarkus lets an
 * application see a connection before its first request, so this class looks for servers and connections once a second.
 */
@Singleton
class ConnectionGuards {

    private static final long INTERVAL_SECONDS = 1;

    private final Vertx vertx;
    private final UnreadBytes unreadBytes = UnreadBytes.forThisProcess();
    private final ServerConfig config;
    private final Provider<Integer> managementPort;
    private final List<ScheduledFuture<?>> tasks = new ArrayList<>();

    ConnectionGuards(
            Vertx vertx,
            MeterRegistry metrics,
            ServerConfig config,
            @ConfigProperty(name = "quarkus.management.port", defaultValue = "9000") Provider<Integer> managementPort) {
        this.vertx = vertx;
        this.config = config;
        this.managementPort = managementPort;
        Gauge.builder("tidemark.unread.bytes", unreadBytes, UnreadBytes::total)
                .description("Bytes of responses that clients have not read, and of request heads that stay in memory")
                .register(metrics);
        FunctionCounter.builder("tidemark.unread.connections.closed", unreadBytes, UnreadBytes::closedConnections)
                .description("Connections that were closed because their clients did not read")
                .register(metrics);
    }

    void onStart(@Observes StartupEvent start) {
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

    /** If the configured port is 0, Quarkus replaces it with the free port that it has opened, some time after that. */
    private boolean isHttpOneOnly(Channel server) {
        return !config.managementHttp2()
                && server.localAddress() instanceof InetSocketAddress address
                && address.getPort() == managementPort.get();
    }

    private void visitConnection(Channel connection) {
        // A connection that this process has opened, such as one to the database, has no parent.
        if (connection.parent() != null && connection.isActive()) {
            ConnectionGuard guard = guardOf(connection);
            guard.limitHttpTwo();
            guard.update();
        }
    }

    /** Returns whether no connection gets another response, because other clients do not read. */
    boolean isMemoryShort() {
        return unreadBytes.isFarOverBudget();
    }

    /** Returns the guard of a connection. Must be called on its event loop. */
    ConnectionGuard guardOf(HttpConnection connection) {
        return guardOf(Connections.channelOf(connection));
    }

    private ConnectionGuard guardOf(Channel connection) {
        ConnectionGuard guard = ConnectionGuard.of(connection);
        if (guard == null) {
            guard = new ConnectionGuard(unreadBytes);
            guard.addTo(connection);
        }
        return guard;
    }

    /** Sees each connection of a server before its other handlers are added. */
    private final class AcceptedConnections extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            Channel accepted = (Channel) connection;
            guardOf(accepted);
            if (isHttpOneOnly(context.channel())) {
                accepted.pipeline().addLast(new HttpOneOnly());
            }
            context.fireChannelRead(connection);
            // Afterwards, because the server sets the same option, and Quarkus cannot configure it for the management
            // port.
            Connections.closeIfSilent(accepted);
        }
    }
}
