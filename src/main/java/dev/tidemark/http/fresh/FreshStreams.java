package dev.tidemark.http.fresh;

import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The event streams that are open in this process. */
@Singleton
class FreshStreams {

    private final SharedCounts counts;
    private final FreshConfig config;
    private final Vertx vertx;
    private final Semaphore room;
    private final Set<FreshStream> open = ConcurrentHashMap.newKeySet();

    FreshStreams(SharedCounts counts, FreshConfig config, MeterRegistry metrics, Vertx vertx) {
        this.counts = counts;
        this.config = config;
        this.vertx = vertx;
        this.room = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.fresh.streams", open, Set::size)
                .description("Event streams that are open")
                .register(metrics);
    }

    /**
     * Emits the stream once its first number is known; it ends when the caller's token expires. Must be subscribed to in the
     * context of the request.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} are open
     */
    Uni<FreshStream> open(FreshPlace place) {
        if (!room.tryAcquire()) {
            throw Problem.of(
                    ProblemCode.OVERLOADED,
                    "this server has reached its limit of event streams; poll the number instead");
        }
        FreshStream stream = new FreshStream(vertx, config.heartbeat(), this::left);
        open.add(stream);
        place.expiry().ifPresent(stream::endAt);
        return stream.begin(listener -> counts.watch(place.state(), place.from(), listener));
    }

    private void left(FreshStream stream) {
        open.remove(stream);
        room.release();
    }

    /** Ends all streams, so that clients reconnect to another process. */
    void end(@Observes ShutdownEvent stop) {
        open.forEach(FreshStream::end);
    }
}
