package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import java.util.Optional;

/** What a page has to do with a pin. */
public enum PinShape {
    /** The order is not live, or nothing that moves can come to lie ahead. */
    NONE,
    /** The scroll begins, or turns round on a page that goes backward: the page finds out what going on is pinned to. */
    DETERMINE,
    /** Values above the pin, which is a parameter, are left out. */
    VALUE,
    /** All values are left out, for when the scroll began there was none. */
    ALL_NULL;

    static PinShape of(Order order, ListShape list, PageRequest request) {
        OrderKey leading = order.keys().get(0);
        if (!order.isPinned() || list.hasSingleValue(leading.column())) {
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
