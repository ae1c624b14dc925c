package dev.tidemark.postgres.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The metrics of statements that run over one kind of connection. */
final class StatementMeters {

    /**
     * The label that names the pool, or the pinned connections. If the database has several hosts, the value ends in
     * the name of the host.
     */
    private static final String LABEL = "connections";

    private static final Duration[] BUCKETS = LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Timer time;
    private final Counter rejected;

    StatementMeters(MeterRegistry metrics, String connections, Supplier<Number> inFlight) {
        time = Timer.builder("tidemark.statements")
                .description(
                        "The time from the request of a statement to its answer, including the wait for a connection")
                .tag(LABEL, connections)
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
        rejected = Counter.builder("tidemark.statements.rejected")
                .description("Statements that were rejected because they would have waited too long")
                .tag(LABEL, connections)
                .register(metrics);
        Gauge.builder("tidemark.statements.in.flight", inFlight)
                .description("Statements that wait for a connection or for an answer")
                .tag(LABEL, connections)
                .register(metrics);
    }

    void recordAnswer(long startNanos) {
        time.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
    }

    void recordRejected() {
        rejected.increment();
    }
}
