package dev.tidemark.http.fresh;

import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.events.StreamLimit;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** The event streams of new items that are open in this process. */
@Singleton
class FreshStreams {

    private final SharedCounts counts;
    private final EventStreams streams;
    private final StreamLimit limit;

    FreshStreams(SharedCounts counts, EventStreams streams, FreshConfig config, MeterRegistry metrics) {
        this.counts = counts;
        this.streams = streams;
        this.limit = new StreamLimit(
                        config.maxStreams(),
                        config.heartbeat(),
                        Problem.of(
                                ProblemCode.OVERLOADED,
                                "this server has reached its limit of event streams; poll the number instead"))
                .withGauge("tidemark.fresh.streams", "Event streams that are open", metrics);
    }

    /**
     * Opens a stream, and emits it once the first number of new items is known or the stream has ended. Must be called
     * in the context of the request, and the result must be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} streams are open, or the server is stopping
     */
    Uni<EventStream> open(FreshPosition position, RoutingContext context) {
        LatestCount latest = new LatestCount();
        return streams.open(limit, position.state().feed(), position.caller(), context, latest, stream -> {
            latest.sendTo(stream);
            return counts.watch(position.state(), position.from(), latest);
        });
    }
}
