package dev.tidemark.http.events;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.connections.Drain;
import dev.tidemark.http.connections.StalledResponse;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** The open event streams of all kinds in this process. */
@Singleton
public class EventStreams {

    private static final Problem STOPPING =
            Problem.of(ProblemCode.OVERLOADED, "this server is stopping; connect again");

    private final Feeds feeds;
    private final Vertx vertx;
    private final Drain drain;
    private final MeterRegistry metrics;
    private final Map<EventStream, Feed> feedsOfStreams = new ConcurrentHashMap<>();

    EventStreams(Feeds feeds, Vertx vertx, Drain drain, MeterRegistry metrics) {
        this.feeds = feeds;
        this.vertx = vertx;
        this.drain = drain;
        this.metrics = metrics;
        feeds.follow(() -> feedsOfStreams.forEach(this::endIfReplaced));
    }

    /** The streams of one kind: how many can be open, and the pace of their heartbeats. */
    public final class Kind {

        private final Semaphore free;
        private final Duration heartbeat;
        private final Problem tooMany;

        private Kind(int max, Duration heartbeat, Problem tooMany) {
            this.free = new Semaphore(max);
            this.heartbeat = heartbeat;
            this.tooMany = tooMany;
        }

        /**
         * Opens a stream, and emits it once its first event is known or the stream has ended. The stream ends when the
         * caller's token expires. Must be called in the context of the request, and the result must be subscribed to.
         *
         * @param startWatch starts what makes the events, for the given stream
         * @throws Problem {@code overloaded}, if the maximum number of streams is open, or the server is stopping
         */
        public Uni<EventStream> open(
                Feed feed,
                Caller caller,
                RoutingContext context,
                EventSource source,
                Function<EventStream, Watch> startWatch) {
            if (drain.isDraining()) {
                throw STOPPING;
            }
            if (!free.tryAcquire()) {
                throw tooMany;
            }
            Runnable abort = () -> StalledResponse.reset(context.request());
            EventStream stream = new EventStream(vertx, source, heartbeat, abort, ended -> {
                feedsOfStreams.remove(ended);
                free.release();
            });
            feedsOfStreams.put(stream, feed);
            caller.expiry().ifPresent(stream::endAt);
            return stream.begin(begun -> {
                Watch watch = startWatch.apply(begun);
                // The feed may have been replaced since the request looked it up.
                endIfReplaced(begun, feed);
                return watch;
            });
        }
    }

    /**
     * @param gauge the name of the metric that counts the open streams
     * @param max the maximum number of streams
     * @param heartbeat the interval between comments that keep proxies from closing a connection as idle
     * @param tooMany the detail of the problem of a stream beyond the maximum
     */
    public Kind kind(String gauge, String description, int max, Duration heartbeat, String tooMany) {
        Kind kind = new Kind(max, heartbeat, Problem.of(ProblemCode.OVERLOADED, tooMany));
        Gauge.builder(gauge, () -> max - kind.free.availablePermits())
                .description(description)
                .register(metrics);
        return kind;
    }

    /** Ends the stream of a feed that was replaced, so that the client connects to the current version. */
    private void endIfReplaced(EventStream stream, Feed feed) {
        if (!feeds.contains(feed)) {
            stream.end();
        }
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void endAll(@Observes Drain.Begun begun) {
        feedsOfStreams.keySet().forEach(EventStream::end);
    }
}
