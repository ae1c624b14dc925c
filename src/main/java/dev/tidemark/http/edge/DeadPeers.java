package dev.tidemark.http.edge;

import dev.tidemark.http.edge.Retransmissions.Ends;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Closes the connections of streams whose client has disappeared, for example a phone without reception. Such a client
 * does not close its connection. Heartbeats end in the send buffer of the kernel, which gives up only after about a
 * quarter of an hour. The idle timeout does not apply, because heartbeats are written, and TCP keep-alive does not
 * apply while data is unacknowledged.
 */
@Singleton
class DeadPeers {

    private static final Logger LOG = Logger.getLogger(DeadPeers.class);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    /** With an interval of {@link #CHECK_INTERVAL}, a client is closed after 30 to 40 s without an acknowledgment. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    /** Fewer retransmissions of different data can be seen by chance in successive checks. */
    private static final int MIN_RETRANSMISSIONS = 3;

    private final Vertx vertx;
    private final Retransmissions retransmissions;
    private final long longestSilenceNanos;
    private final Map<Object, HttpConnection> connectionByStream = new ConcurrentHashMap<>();
    private final Duration checkInterval;
    private long timer;

    /** Used only by one check at a time. */
    private final Map<Ends, Silence> silences = new HashMap<>();

    private boolean checking;

    /** @param sinceNanos when the first retransmission was seen, by {@link System#nanoTime} */
    private record Silence(long sinceNanos, int retransmissions) {}

    @Inject
    DeadPeers(Vertx vertx) {
        this(vertx, Path.of("/proc/net"), CHECK_INTERVAL, LONGEST_SILENCE);
    }

    DeadPeers(Vertx vertx, Path directory, Duration checkInterval, Duration longestSilence) {
        this.vertx = vertx;
        this.retransmissions = new Retransmissions(directory);
        this.longestSilenceNanos = longestSilence.toNanos();
        this.checkInterval = checkInterval;
    }

    void start(@Observes StartupEvent start) {
        timer = vertx.setPeriodic(checkInterval.toMillis(), tick -> check());
    }

    /** Watches the connection of a request until its response has ended. */
    void watch(RoutingContext request) {
        connectionByStream.put(request, request.request().connection());
        request.addEndHandler(ended -> connectionByStream.remove(request));
    }

    void close(@Observes ShutdownEvent stop) {
        vertx.cancelTimer(timer);
    }

    private void check() {
        if (checking || connectionByStream.isEmpty()) {
            return;
        }
        checking = true;
        vertx.executeBlocking(retransmissions::read).onComplete(counts -> {
            checking = false;
            if (counts.succeeded()) {
                closeSilent(counts.result());
            } else {
                LOG.debug("Cannot read which clients do not respond", counts.cause());
            }
        });
    }

    private void closeSilent(Map<Ends, Integer> counts) {
        silences.keySet().retainAll(counts.keySet());
        if (counts.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (HttpConnection connection : connectionByStream.values()) {
            Ends ends = Ends.of(connection);
            Integer count = counts.get(ends);
            if (count != null) {
                Silence silence = silences.merge(
                        ends,
                        new Silence(now, count),
                        // A lower number means that the client has acknowledged something meanwhile.
                        (before, current) -> current.retransmissions() < before.retransmissions()
                                ? current
                                : new Silence(before.sinceNanos(), count));
                if (now - silence.sinceNanos() >= longestSilenceNanos && count >= MIN_RETRANSMISSIONS) {
                    connection.close();
                }
            }
        }
    }
}
