package dev.tidemark.http.fresh;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
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

    private static final Problem REMOVED =
            Problem.of(ProblemCode.UNKNOWN_FEED, "this feed is no longer served; GET /api lists the feeds");

    private final Feeds feeds;
    private final SharedCounts counts;
    private final ReadProblems problems;
    private final FreshConfig config;
    private final Vertx vertx;
    private final Semaphore permits;
    private final Map<FreshStream, Opened> open = new ConcurrentHashMap<>();

    private record Opened(Feed feed, RoutingContext request) {}

    FreshStreams(
            Feeds feeds,
            SharedCounts counts,
            ReadProblems problems,
            FreshConfig config,
            MeterRegistry metrics,
            Vertx vertx) {
        this.feeds = feeds;
        this.counts = counts;
        this.problems = problems;
        this.config = config;
        this.vertx = vertx;
        this.permits = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.fresh.streams", open, Map::size)
                .description("Event streams that are open")
                .register(metrics);
    }

    /**
     * Emits the stream once its first number is known or the stream has ended. The stream ends when the caller's token
     * expires. Must be subscribed to in the context of the request.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} streams are open
     */
    Uni<FreshStream> open(FreshPosition position, RoutingContext request) {
        if (!permits.tryAcquire()) {
            throw Problem.of(
                    ProblemCode.OVERLOADED,
                    "this server has reached its limit of event streams; poll the number instead");
        }
        FreshStream stream = new FreshStream(vertx, config.heartbeat(), this::onEnd);
        Opened opened = new Opened(position.state().feed(), request);
        open.put(stream, opened);
        position.expiry().ifPresent(stream::endAt);
        return stream.begin(listener -> {
            Watch watch = counts.watch(position.state(), position.from(), listener);
            // The feeds may have been replaced since the request found this one.
            endIfReplaced(stream, opened);
            return watch;
        });
    }

    void onReplaced(@Observes @Priority(Feeds.Replaced.RELEASE) Feeds.Replaced feeds) {
        open.forEach(this::endIfReplaced);
    }

    /**
     * Ends a stream whose feed was removed or changed. The client of a changed feed reconnects, and the changed feed
     * answers the new request.
     */
    private void endIfReplaced(FreshStream stream, Opened opened) {
        Feed feed = opened.feed();
        if (feeds.find(feed.name()).isEmpty()) {
            stream.end(REMOVED, () -> problems.body(REMOVED, opened.request()));
        } else if (!feeds.contains(feed)) {
            stream.end();
        }
    }

    private void onEnd(FreshStream stream) {
        open.remove(stream);
        permits.release();
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void end(@Observes ShutdownEvent stop) {
        open.keySet().forEach(FreshStream::end);
    }
}
