package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Creates example lists of an order: one without a filter, and one for each operator of each filter. */
final class ExampleLists {

    private ExampleLists() {}

    /** @param name the order, and the filter if there is one */
    record NamedList(String name, ListState state) {}

    static List<NamedList> of(Feed feed, Order order) {
        List<NamedList> lists = new ArrayList<>();
        String name = "order " + order.name();
        lists.add(new NamedList(name, state(feed, order, Optional.empty())));
        for (Filter filter : feed.filters().values()) {
            Column column = filter.column();
            for (Filter.Operator operator : filter.operators()) {
                String suffix = operator == Filter.Operator.EQ ? "" : "." + operator.wireName();
                lists.add(new NamedList(
                        name + ", filter " + column.name() + suffix,
                        state(feed, order, Optional.of(condition(column, operator)))));
            }
        }
        return lists;
    }

    private static Condition condition(Column column, Filter.Operator operator) {
        return switch (operator) {
            case EQ -> new Condition.AnyOf(column, List.of(ExampleRequests.ANY_VALUE));
            case GTE, GT, LTE, LT -> new Condition.Comparison(column, operator, ExampleRequests.ANY_VALUE);
            case PREFIX -> new Condition.Prefix(column, ExampleRequests.ANY_VALUE);
            case CONTAINS -> new Condition.Contains(column, ExampleRequests.ANY_VALUE);
            case IS -> new Condition.Nullness(column, true);
        };
    }

    private static ListState state(Feed feed, Order order, Optional<Condition> filter) {
        List<Condition> conditions = new ArrayList<>();
        for (Access.Scope scope : feed.access().scope()) {
            conditions.add(
                    scope instanceof Access.Membership membership
                            ? new Condition.InMembership(
                                    membership,
                                    Collections.nCopies(membership.where().size(), ExampleRequests.ANY_VALUE))
                            : new Condition.InScope(scope.column(), ExampleRequests.ANY_VALUE));
        }
        filter.ifPresent(conditions::add);
        return new ListState(feed, order, conditions);
    }
}
