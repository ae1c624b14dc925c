package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import java.util.Optional;

/** How a page statement applies the pin of a live order. */
public enum PinShape {
    /** The order is not live, or no moved row can be ahead of the scroll. */
    NONE,
    /**
     * The request has no pin, as at the start of a scroll or when it reads backward: the statement determines the pin.
     */
    DETERMINE,
    /** Excludes values greater than the pin, which is a parameter. */
    VALUE,
    /** Excludes all non-NULL values, because the list had none when the scroll started. */
    ALL_NULL;

    static PinShape of(Order order, ListShape list, PageRequest request) {
        OrderKey leading = order.keys().get(0);
        if (!order.needsPin() || list.hasSingleValue(leading.column())) {
            return NONE;
        }
        Optional<Pin> pin = request.from().flatMap(from -> from.pin());
        if (pin.isEmpty()) {
            return DETERMINE;
        }
        boolean isPastAllValues = request.from().orElseThrow().gap().position().isNull(0) && !leading.nullsFirst();
        if (isPastAllValues) {
            return NONE;
        }
        return pin.get().greatest().isPresent() ? VALUE : ALL_NULL;
    }
}
