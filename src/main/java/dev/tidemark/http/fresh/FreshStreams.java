package dev.tidemark.http.fresh;

import dev.tidemark.http.fresh.FreshQueries.FreshQuery;
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

/** The streams that are open in this process. */
@Singleton
class FreshStreams {

    private final FreshLooks looks;
    private final FreshConfig config;
    private final Vertx vertx;
    private final Semaphore room;
    private final Set<FreshStream> open = ConcurrentHashMap.newKeySet();

    FreshStreams(FreshLooks looks, FreshConfig config, MeterRegistry metrics, Vertx vertx) {
        this.looks = looks;
        this.config = config;
        this.vertx = vertx;
        this.room = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.fresh.streams", open, Set::size)
                .description("Event streams that are open")
                .register(metrics);
    }

    /**
     * Emits the stream once its first number is known; it ends by itself when its caller may read no longer. To be subscribed to in the context of the request.
     *
     * @throws Problem {@code overloaded}, when as many streams are open as may be
     */
    Uni<FreshStream> open(FreshQuery query) {
        if (!room.tryAcquire()) {
            throw Problem.of(
                    ProblemCode.OVERLOADED,
                    "as many event streams are open as this server takes; the number alone is there without one");
        }
        FreshStream stream = new FreshStream(vertx, config.heartbeat(), this::left);
        open.add(stream);
        query.until().ifPresent(stream::endAt);
        return stream.begin(listener -> looks.watch(query.state(), query.from(), listener));
    }

    private void left(FreshStream stream) {
        open.remove(stream);
        room.release();
    }

    /** Who listened hears that it is over, and may connect to another process. */
    void end(@Observes ShutdownEvent stop) {
        open.forEach(FreshStream::end);
    }
}
