package dev.tidemark.http.live;

import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.events.StreamLimit;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** The streams of live windows that are open in this process. */
@Singleton
class LiveStreams {

    private final LiveWindows windows;
    private final EventStreams streams;
    private final StreamLimit limit;

    LiveStreams(LiveWindows windows, EventStreams streams, LiveConfig config, MeterRegistry metrics) {
        this.windows = windows;
        this.streams = streams;
        this.limit = new StreamLimit(
                        config.maxStreams(),
                        config.heartbeat(),
                        Problem.of(
                                ProblemCode.OVERLOADED,
                                "this server has reached its limit of live streams; refresh with since instead"))
                .withGauge("tidemark.live.streams", "Streams of live windows that are open", metrics);
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
                limit,
                request.served().feed(),
                request.caller(),
                context,
                client,
                stream -> windows.join(request, client, stream));
    }
}
