package dev.tidemark.http.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** Metrics of live windows. */
final class LiveMetrics {

    private final Counter reads;
    private final Counter events;
    private final Counter items;
    private final Timer delay;

    LiveMetrics(MeterRegistry registry, Supplier<Collection<?>> windows) {
        Gauge.builder("tidemark.live.windows", () -> windows.get().size())
                .description("Different live windows that are open")
                .register(registry);
        reads = Counter.builder("tidemark.live.reads")
                .description("Reads of live windows")
                .register(registry);
        events = Counter.builder("tidemark.live.events")
                .description("Events that were sent to the streams of live windows")
                .register(registry);
        items = Counter.builder("tidemark.live.items")
                .description("Items in the events that were sent to the streams of live windows")
                .register(registry);
        delay = Timer.builder("tidemark.live.delay")
                .description("The time from the notice of a change to the event that contains the change")
                .register(registry);
    }

    void recordRead() {
        reads.increment();
    }

    /** @param itemCount the number of items in all of these events */
    void recordEvents(int eventCount, int itemCount) {
        events.increment(eventCount);
        items.increment(itemCount);
    }

    void recordDelay(long nanos) {
        delay.record(Duration.ofNanos(nanos));
    }
}
