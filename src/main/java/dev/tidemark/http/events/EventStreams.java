package dev.tidemark.http.events;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.access.ClientName;
import dev.tidemark.http.edge.Drain;
import dev.tidemark.http.edge.StalledResponse;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The open event streams of all kinds in this process. */
@Singleton
public class EventStreams {

    private static final Problem STOPPING =
            Problem.of(ProblemCode.OVERLOADED, "this server is stopping; connect again");

    private final Feeds feeds;
    private final ReadProblems problems;
    private final Vertx vertx;
    private final Drain drain;
    private final Map<EventStream, StreamRequest> requests = new ConcurrentHashMap<>();

    private record StreamRequest(Feed feed, RoutingContext context) {}

    EventStreams(Feeds feeds, ReadProblems problems, Vertx vertx, Drain drain) {
        this.feeds = feeds;
        this.problems = problems;
        this.vertx = vertx;
        this.drain = drain;
    }

    /**
     * Opens a stream, and emits it once its first event is known or the stream has ended. The stream ends when the
     * caller's token expires. Must be called in the context of the request, and the result must be subscribed to.
     *
     * @param startWatch starts what makes the events, for the given stream
     * @throws Problem {@code overloaded}, if the maximum number of streams is open, or the server is stopping
     */
    public Uni<EventStream> open(
            StreamLimit limit,
            Feed feed,
            Caller caller,
            RoutingContext context,
            EventSource source,
            Function<EventStream, Watch> startWatch) {
        if (drain.isDraining()) {
            throw STOPPING;
        }
        Runnable abort = () -> StalledResponse.reset(context.request());
        EventStream stream = new EventStream(vertx, source, limit.heartbeat(), abort, ended -> {
            requests.remove(ended);
            limit.release(ended);
        });
        StreamRequest request = new StreamRequest(feed, context);
        requests.put(stream, request);
        try {
            limit.acquire(ClientName.of(caller, context), stream, displaced -> end(displaced, limit.displaced()));
        } catch (Problem tooMany) {
            requests.remove(stream);
            throw tooMany;
        }
        caller.expiry().ifPresent(stream::endAt);
        return stream.begin(begun -> {
            Watch watch = startWatch.apply(begun);
            // The feed may have been read again since the request looked it up.
            endIfReplaced(begun, request);
            return watch;
        });
    }

    /** Ends a stream with a problem, as its last event or, before its first one, as its response. Callable from any thread. */
    public void end(EventStream stream, Problem problem) {
        StreamRequest request = requests.get(stream);
        if (request != null) {
            stream.end(problem, () -> problems.recordAsJson(problem, request.context()));
        }
    }

    /** Ends the streams whose feeds were read again, so that clients connect to the current version. */
    public void endReplaced() {
        requests.forEach(this::endIfReplaced);
    }

    private void endIfReplaced(EventStream stream, StreamRequest request) {
        if (!feeds.contains(request.feed())) {
            stream.end();
        }
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void endAll(@Observes Drain.Begun begun) {
        requests.keySet().forEach(EventStream::end);
    }
}
