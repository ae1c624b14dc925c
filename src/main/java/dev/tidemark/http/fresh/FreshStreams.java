package dev.tidemark.http.fresh;

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

/** The event streams of new items that are open in this process. */
@Singleton
public class FreshStreams {

    private final SharedCounts counts;
    private final EventStreams streams;

    FreshStreams(
            Feeds feeds,
            SharedCounts counts,
            ReadProblems problems,
            FreshConfig config,
            MeterRegistry metrics,
            Vertx vertx,
            Drain drain) {
        this.counts = counts;
        this.streams = new EventStreams(
                feeds,
                problems,
                vertx,
                drain,
                config.maxStreams(),
                config.heartbeat(),
                Problem.of(
                        ProblemCode.OVERLOADED,
                        "this server has reached its limit of event streams; poll the number instead"));
        Gauge.builder("tidemark.fresh.streams", streams, EventStreams::size)
                .description("Event streams that are open")
                .register(metrics);
    }

    /**
     * Opens a stream, and emits it once the first number of new items is known or the stream has ended. Must be called
     * in the context of the request, and the result must be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} streams are open, or the server is stopping
     */
    Uni<EventStream> open(FreshPosition position, RoutingContext context) {
        LatestCount latest = new LatestCount();
        return streams.open(position.state().feed(), position.expiry(), context, latest, stream -> {
            latest.sendTo(stream);
            return counts.watch(position.state(), position.from(), latest);
        });
    }

    /** Ends the streams of feeds that have been removed or changed. */
    public void endReplaced() {
        streams.endReplaced();
    }

    void end(@Observes Drain.Begun begun) {
        streams.endAll();
    }
}
