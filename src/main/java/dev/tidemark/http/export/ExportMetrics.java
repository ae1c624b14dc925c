package dev.tidemark.http.export;

import dev.tidemark.http.export.ExportStream.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Counts running exports, ended exports by outcome, and the items of ended exports. A request that was answered without
 * lines, because it was a HEAD request or got a problem instead, is not counted as an ended export.
 */
final class ExportMetrics {

    private final Map<Outcome, Counter> endedByOutcome = new EnumMap<>(Outcome.class);
    private final Counter items;

    ExportMetrics(MeterRegistry metrics, Set<ExportStream> runningExports) {
        Gauge.builder("tidemark.export.streams", runningExports, Set::size)
                .description("Exports that are running")
                .register(metrics);
        items = Counter.builder("tidemark.export.items")
                .description("Items that were read for exports that have ended")
                .register(metrics);
        for (Outcome outcome : Outcome.values()) {
            endedByOutcome.put(
                    outcome,
                    Counter.builder("tidemark.exports")
                            .description("Exports that have ended")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(metrics));
        }
    }

    void recordEnd(ExportStream stream) {
        if (stream.hasBodyBegun()) {
            endedByOutcome.get(stream.outcome()).increment();
            items.increment(stream.itemCount());
        }
    }
}
