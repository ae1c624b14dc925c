package dev.tidemark.feed;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One list as a client sees it: what one tab on a phone shows. A cursor belongs to exactly one list state.
 *
 * @param conditions in any sequence; equal sets of conditions make equal list states
 */
public record ListState(Feed feed, Order order, List<Condition> conditions) {

    public ListState {
        conditions = conditions.stream()
                .sorted(Comparator.comparing(Condition::definition))
                .toList();
    }

    /** All that a cursor is bound to, in one spelling only. */
    public String definition() {
        return feed.name()
                + '\n'
                + order.definition()
                + '\n'
                + conditions.stream().map(Condition::definition).collect(Collectors.joining("\n"));
    }
}
