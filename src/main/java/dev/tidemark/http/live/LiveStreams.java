package dev.tidemark.http.live;

import dev.tidemark.feed.Feeds;
import dev.tidemark.http.edge.Drain;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** The streams of live windows that are open in this process. */
@Singleton
public class LiveStreams {

    private final LiveWindows windows;
    private final EventStreams streams;

    LiveStreams(
            Feeds feeds,
            LiveWindows windows,
            ReadProblems problems,
            LiveConfig config,
            MeterRegistry metrics,
            Vertx vertx,
            Drain drain) {
        this.windows = windows;
        this.streams = new EventStreams(
                feeds,
                problems,
                vertx,
                drain,
                config.maxStreams(),
                config.heartbeat(),
                Problem.of(
                        ProblemCode.OVERLOADED,
                        "this server has reached its limit of live streams; refresh with since instead"));
        Gauge.builder("tidemark.live.streams", streams, EventStreams::size)
                .description("Streams of live windows that are open")
                .register(metrics);
    }

    /**
     * Opens a stream, and emits it once its first event is known or the stream has ended. Must be called in the context
     * of the request, and the result must be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.live.max-streams} streams are open, or the server is stopping
     */
    Uni<EventStream> open(LiveRequest request, RoutingContext context) {
        LiveClient client = new LiveClient(request.since(), windows);
        return streams.open(
                request.served().feed(),
                request.expiry(),
                context,
                client,
                stream -> windows.join(request, client, stream));
    }

    /** Ends the streams of feeds that have been removed or changed. */
    public void endReplaced() {
        streams.endReplaced();
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void end(@Observes Drain.Begun begun) {
        streams.endAll();
    }
}
