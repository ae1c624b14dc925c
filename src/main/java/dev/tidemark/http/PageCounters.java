package dev.tidemark.http;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Direction;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** How many pages of a feed were served, by order and direction. Looked up once, at start. */
final class PageCounters {

    private final Map<String, Map<Direction, Counter>> byOrder = new HashMap<>();

    PageCounters(Feed feed, MeterRegistry metrics) {
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
            byOrder.put(order.name(), counters);
        }
    }

    void served(Order order, Direction direction) {
        byOrder.get(order.name()).get(direction).increment();
    }
}
