package dev.tidemark.http.connections;

import dev.tidemark.framework.Connections;
import io.netty.channel.Channel;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Drains the connections when the process is asked to stop. New connections are refused immediately, so that a load
 * balancer sends their requests to another instance. Requests over open connections are answered, and each response
 * closes its connection.
 *
 * <p>This happens during {@code quarkus.shutdown.delay}. The framework itself closes the listening sockets only after
 * {@code quarkus.shutdown.timeout}. Until then, it accepts connections and, after the delay, rejects their requests
 * with 503.
 */
@Singleton
public class Drain {

    /** Fired when the server begins to drain its connections. Its observers run on a thread of their own. */
    public record Begun() {}

    /** The filter runs before all others, so that it also sees the requests that they reject. */
    private static final int FILTER_PRIORITY = 10_000;

    /** The longest time for which an HTTP/2 connection stays open for the streams that are open. */
    private static final long MAX_STREAM_SECONDS = 60;

    private final Event<Begun> begun;

    /** The listening sockets over which requests have come. */
    private final Set<Channel> listeners = ConcurrentHashMap.newKeySet();

    private volatile boolean draining;
    private volatile boolean stopped;

    Drain(Event<Begun> begun) {
        this.begun = begun;
    }

    /** Whether the server is stopping. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Registers a shutdown hook, because the framework tells the application of a shutdown only after the HTTP server.
     */
    void start(@Observes StartupEvent start) {
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::begin, "drain"));
        }
    }

    void register(@Observes Filters filters) {
        filters.register(this::serve, FILTER_PRIORITY);
    }

    void stop(@Observes ShutdownEvent stop) {
        stopped = true;
    }

    private void begin() {
        // Without a request, there is nothing to drain: for example, if the start fails, and beans may be gone
        // already.
        if (!stopped && !listeners.isEmpty()) {
            draining = true;
            listeners.forEach(Channel::close);
            begun.fire(new Begun());
        }
    }

    private void serve(RoutingContext context) {
        HttpConnection connection = context.request().connection();
        listeners.add(Connections.channelOf(connection).parent());
        if (draining) {
            closeAfterResponse(context, connection);
        }
        context.next();
    }

    private static void closeAfterResponse(RoutingContext context, HttpConnection connection) {
        if (context.request().version() == HttpVersion.HTTP_2) {
            // Sends GOAWAY. The streams that are open are answered.
            connection.shutdown(MAX_STREAM_SECONDS, TimeUnit.SECONDS);
        } else {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            context.addEndHandler(ended -> connection.close());
        }
    }
}
