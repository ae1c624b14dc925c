package dev.tidemark.postgres;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import java.util.Optional;

/** What a page has to do with a pin. */
enum PinShape {
    /** The order is not live, or items that move cannot come to lie ahead, or the page goes backward. */
    NONE,
    /** The scroll begins: the page finds out what it will be pinned to. */
    FOUND,
    /** Values above the pin, which is a parameter, are left out. */
    VALUE,
    /** All values are left out, for when the scroll began there was none. */
    ALL_NULL;

    static PinShape of(ListState state, PageRequest request) {
        if (!state.order().isPinned() || request.direction() == Direction.BACKWARD) {
            return NONE;
        }
        Optional<Pin> pin = request.from().flatMap(from -> from.pin());
        if (pin.isEmpty()) {
            return FOUND;
        }
        return pin.get().greatest().isPresent() ? VALUE : ALL_NULL;
    }
}
