package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Creates example requests for pages and counts of a list. The statements of these requests differ in shape. */
final class ExampleRequests {

    /** Stands in for each value. Only the shape of a request matters. */
    static final String ANY_VALUE = "0";

    private static final Optional<Moment> MOMENT = Optional.of(new Moment(ANY_VALUE, 0));

    private final ListState state;
    private final int limit;

    ExampleRequests(ListState state) {
        this.state = state;
        this.limit = state.feed().policy().limits().byDefault();
    }

    /**
     * @param direction {@code next} or {@code previous}
     * @param suffix the end of the description of a page that continues from here, such as {@code " after a NULL"}
     */
    private record Start(String direction, String suffix, Continuation from) {}

    /** Returns requests for pages, keyed by a description of each request. */
    Map<String, PageRequest> pages() {
        Optional<Gap> end = Optional.of(Gap.before(position()));
        Map<String, PageRequest> pages = new LinkedHashMap<>();
        pages.put("first page", new PageRequest(Optional.empty(), limit));
        pages.put("first page, until a cursor", new PageRequest(Optional.empty(), limit, OptionalInt.empty(), end));
        for (Start start : starts()) {
            String page = start.direction() + " page" + start.suffix();
            Optional<Continuation> from = Optional.of(start.from());
            pages.put(page, new PageRequest(from, limit));
            if (start.from().direction() == Direction.FORWARD) {
                pages.put(page + ", until a cursor", new PageRequest(from, limit, OptionalInt.empty(), end));
            }
        }
        Optional<Continuation> beforeValue =
                Optional.of(new Continuation(Gap.before(Position.of(ANY_VALUE)), Direction.FORWARD));
        pages.put("jump from a value", new PageRequest(beforeValue, limit));
        pages.put(
                "jump around a value",
                new PageRequest(beforeValue, limit, OptionalInt.of(limit / 2), Optional.empty()));
        if (state.feed().policy().delta().isPresent()) {
            new LinkedHashMap<>(pages)
                    .forEach((name, page) -> pages.put(name + ", since a moment", page.withSince(MOMENT)));
        }
        return pages;
    }

    /** Returns those of {@link #pages} that need different privileges, and a jump. */
    Map<String, PageRequest> oneOfEachKind() {
        Map<String, PageRequest> kinds = new LinkedHashMap<>(pages());
        kinds.keySet().retainAll(Set.of("first page", "first page, since a moment", "jump from a value"));
        return kinds;
    }

    /** Returns the requests with which {@code fresh} counts items, keyed by a description of each request. */
    Map<String, PageRequest> freshCounts() {
        Map<String, PageRequest> counts = new LinkedHashMap<>();
        for (Start start : starts()) {
            counts.put(
                    "count of the " + start.direction() + " items" + start.suffix() + ", for fresh",
                    new PageRequest(Optional.of(start.from()), 1));
        }
        return counts;
    }

    private List<Start> starts() {
        boolean needsPin = state.order().needsPin();
        Optional<Pin> pin = needsPin ? Optional.of(new Pin(Optional.of(ANY_VALUE))) : Optional.empty();
        List<Start> starts = new ArrayList<>();
        starts.add(next("", position(), pin));
        starts.add(previous("", position()));
        if (needsPin) {
            starts.add(next(" after a previous page", position(), Optional.empty()));
        }
        OrderKey leading = state.order().keys().get(0);
        if (leading.column().nullable()) {
            starts.add(next(" after a NULL", positionWithNull(), pin));
            starts.add(previous(" before a NULL", positionWithNull()));
            if (needsPin && leading.nullsFirst()) {
                starts.add(next(
                        " after a NULL if there were only NULLs",
                        positionWithNull(),
                        Optional.of(new Pin(Optional.empty()))));
            }
        }
        return starts;
    }

    private static Start next(String suffix, Position position, Optional<Pin> pin) {
        return new Start("next", suffix, new Continuation(Gap.after(position), Direction.FORWARD, pin));
    }

    private static Start previous(String suffix, Position position) {
        return new Start("previous", suffix, new Continuation(Gap.before(position), Direction.BACKWARD));
    }

    private Position position() {
        return Position.of(state.order().keys().stream().map(key -> ANY_VALUE).toArray(String[]::new));
    }

    private Position positionWithNull() {
        String[] values = new String[state.order().keys().size()];
        for (int i = 1; i < values.length; i++) {
            values[i] = ANY_VALUE;
        }
        return Position.of(values);
    }
}
