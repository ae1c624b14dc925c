package dev.tidemark.feed;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** One list as a client sees it: what one tab on a phone shows. A cursor belongs to exactly one list state. */
public final class ListState {

    private final Feed feed;
    private final Order order;
    private final List<Condition> conditions;
    private final String definition;

    /**
     * @param conditions in any sequence, repeated or not; equal sets of conditions make equal list states. There is one for
     *     each part of the feed's scope among them: no list of such a feed is everybody's
     */
    public ListState(Feed feed, Order order, List<Condition> conditions) {
        this.feed = Objects.requireNonNull(feed);
        this.order = Objects.requireNonNull(order);
        this.conditions = conditions.stream()
                .distinct()
                .sorted(Comparator.comparing(Condition::definition))
                .toList();
        for (Access.Scope scope : feed.access().scope()) {
            if (conditions.stream().noneMatch(condition -> isOf(scope, condition))) {
                throw new IllegalArgumentException("a list of a scoped feed is within its scope");
            }
        }
        // Spelled here once: a page asks for it with every cursor that it opens or seals.
        this.definition = this.conditions.stream()
                .map(Condition::definition)
                .collect(Collectors.joining("\n", feed.name() + '\n' + order.definition() + '\n', ""));
    }

    private static boolean isOf(Access.Scope scope, Condition condition) {
        return condition instanceof Condition.Scoped scoped && scoped.column().equals(scope.column());
    }

    public Feed feed() {
        return feed;
    }

    public Order order() {
        return order;
    }

    /** All different, in one sequence only. */
    public List<Condition> conditions() {
        return conditions;
    }

    /** All that a cursor is bound to, in one spelling only. */
    public String definition() {
        return definition;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ListState state && feed.equals(state.feed) && definition.equals(state.definition);
    }

    @Override
    public int hashCode() {
        return definition.hashCode();
    }

    /** Leaves out the conditions' values: what a client looks for is not for logs. */
    @Override
    public String toString() {
        return "ListState[" + feed.name() + ", " + order.name() + ", " + conditions + ']';
    }
}
