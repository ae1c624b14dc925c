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
     * The request has no pin, for example because it starts a scroll or reads backward. The statement determines the
     * pin.
     */
    DETERMINE,
    /** Excludes rows whose leading key is greater than the pin, which is a parameter. */
    VALUE,
    /** Excludes all rows whose leading key is not NULL, because the list had no such rows when the scroll started. */
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
