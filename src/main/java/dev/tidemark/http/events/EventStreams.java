package dev.tidemark.http.events;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.edge.Drain;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** The open event streams of one kind in this process. */
public final class EventStreams {

    private static final Problem FEED_REMOVED =
            Problem.of(ProblemCode.UNKNOWN_FEED, "this feed is no longer served; GET /api lists the feeds");

    private static final Problem STOPPING =
            Problem.of(ProblemCode.OVERLOADED, "this server is stopping; connect again");

    private final Feeds feeds;
    private final ReadProblems problems;
    private final Vertx vertx;
    private final Drain drain;
    private final Duration heartbeat;
    private final Problem tooMany;
    private final Semaphore permits;
    private final Map<EventStream, StreamRequest> requests = new ConcurrentHashMap<>();

    private record StreamRequest(Feed feed, RoutingContext context) {}

    /**
     * @param maxStreams the maximum number of open streams
     * @param heartbeat the interval between comments that keep proxies from closing a connection as idle
     * @param tooMany the problem of a stream beyond the maximum
     */
    public EventStreams(
            Feeds feeds,
            ReadProblems problems,
            Vertx vertx,
            Drain drain,
            int maxStreams,
            Duration heartbeat,
            Problem tooMany) {
        this.feeds = feeds;
        this.problems = problems;
        this.vertx = vertx;
        this.drain = drain;
        this.heartbeat = heartbeat;
        this.tooMany = tooMany;
        this.permits = new Semaphore(maxStreams);
    }

    /** Returns the number of open streams. */
    public int size() {
        return requests.size();
    }

    /**
     * Opens a stream, and emits it once its first event is known or the stream has ended. The stream ends when the
     * caller's token expires. Must be called in the context of the request, and the result must be subscribed to.
     *
     * @param expiry when the caller's token expires; empty if the feed is public
     * @param startWatch starts what makes the events, for the given stream
     * @throws Problem {@code overloaded}, if the maximum number of streams is open, or the server is stopping
     */
    public Uni<EventStream> open(
            Feed feed,
            Optional<Instant> expiry,
            RoutingContext context,
            EventSource source,
            Function<EventStream, Watch> startWatch) {
        if (drain.isDraining()) {
            throw STOPPING;
        }
        if (!permits.tryAcquire()) {
            throw tooMany;
        }
        EventStream stream = new EventStream(vertx, source, heartbeat, this::onEnd);
        StreamRequest request = new StreamRequest(feed, context);
        requests.put(stream, request);
        expiry.ifPresent(stream::endAt);
        return stream.begin(begun -> {
            Watch watch = startWatch.apply(begun);
            // The feeds may have been replaced since the request's feed was looked up.
            endIfReplaced(begun, request);
            return watch;
        });
    }

    /** Ends the streams whose feeds were removed or changed. */
    public void endReplaced() {
        requests.forEach(this::endIfReplaced);
    }

    /**
     * Ends a stream if its feed was removed or changed. The client gets a problem if the feed was removed, and
     * otherwise reconnects to the changed feed.
     */
    private void endIfReplaced(EventStream stream, StreamRequest request) {
        Feed feed = request.feed();
        if (feeds.find(feed.name()).isEmpty()) {
            stream.end(FEED_REMOVED, () -> problems.recordAsJson(FEED_REMOVED, request.context()));
        } else if (!feeds.contains(feed)) {
            stream.end();
        }
    }

    private void onEnd(EventStream stream) {
        requests.remove(stream);
        permits.release();
    }

    /** Ends all streams, so that clients reconnect to another process. */
    public void endAll() {
        requests.keySet().forEach(EventStream::end);
    }
}
