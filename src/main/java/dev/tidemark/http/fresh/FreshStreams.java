package dev.tidemark.http.fresh;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.edge.Drain;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The event streams that are open in this process. */
@Singleton
class FreshStreams {

    private static final Problem FEED_REMOVED =
            Problem.of(ProblemCode.UNKNOWN_FEED, "this feed is no longer served; GET /api lists the feeds");

    private static final Problem STOPPING =
            Problem.of(ProblemCode.OVERLOADED, "this server is stopping; connect again");

    private final Feeds feeds;
    private final SharedCounts counts;
    private final ReadProblems problems;
    private final FreshConfig config;
    private final Vertx vertx;
    private final Drain drain;
    private final Semaphore permits;
    private final Map<FreshStream, StreamRequest> requests = new ConcurrentHashMap<>();

    private record StreamRequest(Feed feed, RoutingContext context) {}

    FreshStreams(
            Feeds feeds,
            SharedCounts counts,
            ReadProblems problems,
            FreshConfig config,
            MeterRegistry metrics,
            Vertx vertx,
            Drain drain) {
        this.feeds = feeds;
        this.counts = counts;
        this.problems = problems;
        this.config = config;
        this.vertx = vertx;
        this.drain = drain;
        this.permits = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.fresh.streams", requests, Map::size)
                .description("Event streams that are open")
                .register(metrics);
    }

    /**
     * Opens a stream, and emits it once the first number of new items is known or the stream has ended. The stream ends
     * when the caller's token expires. Must be called in the context of the request, and the result must be subscribed
     * to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} streams are open, or the server is stopping
     */
    Uni<FreshStream> open(FreshPosition position, RoutingContext context) {
        if (drain.isDraining()) {
            throw STOPPING;
        }
        if (!permits.tryAcquire()) {
            throw Problem.of(
                    ProblemCode.OVERLOADED,
                    "this server has reached its limit of event streams; poll the number instead");
        }
        FreshStream stream = new FreshStream(vertx, config.heartbeat(), this::onEnd);
        StreamRequest request = new StreamRequest(position.state().feed(), context);
        requests.put(stream, request);
        position.expiry().ifPresent(stream::endAt);
        return stream.begin(listener -> {
            Watch watch = counts.watch(position.state(), position.from(), listener);
            // The feeds may have been replaced since the request's feed was looked up.
            endIfReplaced(stream, request);
            return watch;
        });
    }

    void onReplaced(@Observes @Priority(Feeds.Replacement.RELEASE_PRIORITY) Feeds.Replacement replacement) {
        requests.forEach(this::endIfReplaced);
    }

    /**
     * Ends a stream if its feed was removed or changed. The client gets a problem if the feed was removed, and
     * otherwise reconnects to the changed feed.
     */
    private void endIfReplaced(FreshStream stream, StreamRequest request) {
        Feed feed = request.feed();
        if (feeds.find(feed.name()).isEmpty()) {
            stream.end(FEED_REMOVED, () -> problems.recordAsJson(FEED_REMOVED, request.context()));
        } else if (!feeds.contains(feed)) {
            stream.end();
        }
    }

    private void onEnd(FreshStream stream) {
        requests.remove(stream);
        permits.release();
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void end(@Observes Drain.Begun begun) {
        requests.keySet().forEach(FreshStream::end);
    }
}
