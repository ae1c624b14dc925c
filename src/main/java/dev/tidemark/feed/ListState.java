package dev.tidemark.feed;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** A list of a feed: the feed in one order, with one set of conditions. A cursor belongs to exactly one list state. */
public final class ListState {

    private final Feed feed;
    private final Order order;
    private final List<Condition> conditions;
    private final String definition;

    /**
     * @param conditions in any order, with or without duplicates. They must include a {@link Condition.InScope} or
     *     {@link Condition.InMembership} for each part of the feed's scope
     */
    public ListState(Feed feed, Order order, List<Condition> conditions) {
        this.feed = Objects.requireNonNull(feed);
        this.order = Objects.requireNonNull(order);
        // Most lists have no conditions or one. A stream for each request would take a tenth of a page's memory.
        this.conditions = conditions.size() < 2
                ? List.copyOf(conditions)
                : conditions.stream()
                        .distinct()
                        .sorted(Comparator.comparing(Condition::definition))
                        .toList();
        for (Access.Scope scope : feed.access().scope()) {
            if (conditions.stream().noneMatch(condition -> covers(scope, condition))) {
                throw new IllegalArgumentException(
                        "a list of a scoped feed needs a condition for each part of the scope");
            }
        }
        // Computed once, because sealing and opening cursors, equals, and hashCode use it.
        StringBuilder text = new StringBuilder(feed.name())
                .append('\n')
                .append(order.definition())
                .append('\n');
        for (int i = 0; i < this.conditions.size(); i++) {
            text.append(i == 0 ? "" : "\n").append(this.conditions.get(i).definition());
        }
        this.definition = text.toString();
    }

    private static boolean covers(Access.Scope scope, Condition condition) {
        return condition instanceof Condition.InMembership member
                ? member.membership().equals(scope)
                : scope instanceof Access.ClaimScope
                        && condition instanceof Condition.InScope scoped
                        && scoped.column().equals(scope.column());
    }

    public Feed feed() {
        return feed;
    }

    public Order order() {
        return order;
    }

    /** Returns the distinct conditions in canonical order. */
    public List<Condition> conditions() {
        return conditions;
    }

    /** Whether a condition {@linkplain Condition#isSearch looks for text}, so that a page can be partial. */
    public boolean isSearch() {
        return conditions.stream().anyMatch(Condition::isSearch);
    }

    /** The canonical text of the feed's name, the order, and the conditions. A cursor is bound to this text. */
    public String definition() {
        return definition;
    }

    @Override
    public boolean equals(Object other) {
        // Equal definitions can have words of a search in different cases.
        return other instanceof ListState state
                && feed.equals(state.feed)
                && definition.equals(state.definition)
                && conditions.equals(state.conditions);
    }

    /** The same in all processes, so that different servers prefer the same database host for the same list. */
    @Override
    public int hashCode() {
        return definition.hashCode();
    }

    /** Omits the values of conditions, because they must not appear in logs. */
    @Override
    public String toString() {
        return "ListState[" + feed.name() + ", " + order.name() + ", " + conditions + ']';
    }
}
