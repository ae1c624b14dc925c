package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Direction;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Counts the served pages of a feed, by order and direction, and measures their sizes. The metrics are registered when
 * the server begins to serve the feed.
 */
public final class PageMetrics {

    private static final double[] BUCKET_BYTES = {1 << 10, 1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20};

    private final Map<String, Map<Direction, Counter>> countersByOrder = new HashMap<>();
    private final DistributionSummary pageBytes;

    PageMetrics(Feed feed, MeterRegistry metrics) {
        pageBytes = DistributionSummary.builder("tidemark.page")
                .description("The size of pages that were served, before compression")
                .baseUnit(BaseUnits.BYTES)
                .tag("feed", feed.name())
                .serviceLevelObjectives(BUCKET_BYTES)
                .register(metrics);
        for (Order order : feed.orders().all()) {
            Map<Direction, Counter> counters = new EnumMap<>(Direction.class);
            for (Direction direction : Direction.values()) {
                counters.put(
                        direction,
                        Counter.builder("tidemark.pages")
                                .description("Pages that were served")
                                .tag("feed", feed.name())
                                .tag("order", order.name())
                                .tag("direction", direction.name().toLowerCase(Locale.ROOT))
                                .register(metrics));
            }
            countersByOrder.put(order.name(), counters);
        }
    }

    void record(WrittenPage page) {
        Map<Direction, Counter> counters =
                Objects.requireNonNull(countersByOrder.get(page.order().name()));
        Objects.requireNonNull(counters.get(page.direction())).increment();
        pageBytes.record(page.body().bytes().length);
    }
}
