package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.ConditionShape.Test;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Which lists have an index, as was found at start: orders alone, or one that begins with the columns of the feed's scope and
 * of an equality filter and goes on in the order. The keyset statements take a form that uses it.
 */
public final class ServingIndexes {

    private final Map<Use, List<OrderKey>> found = new ConcurrentHashMap<>();

    private record Use(String feed, String order, Set<String> columns) {}

    /** @param leading columns before the order's own, as the index sorts them when it is read in the order's direction */
    public void add(String feed, Order order, List<OrderKey> leading) {
        Set<String> columns = leading.stream().map(key -> key.column().name()).collect(Collectors.toUnmodifiableSet());
        found.put(new Use(feed, order.name(), columns), leading);
    }

    /** How the index that serves the list sorts a column that stands before the order's own. */
    Optional<OrderKey> leading(String feed, Order order, List<ConditionShape> conditions, Column column) {
        return index(feed, order, beside(order, conditions)).stream()
                .flatMap(List::stream)
                .filter(key -> key.column().name().equals(column.name()))
                .findFirst();
    }

    /**
     * Whether one index finds the first row of a list with these conditions and reads on without passing by others: the
     * order's own, with bounds on its first key, or one that begins with all other columns, each tested once, for a value or
     * for NULL.
     */
    public boolean serve(String feed, Order order, List<ConditionShape> conditions) {
        List<ConditionShape> beside = beside(order, conditions);
        return conditions.stream().allMatch(condition -> beside.contains(condition) || condition.isRange())
                && beside.stream()
                        .allMatch(condition -> condition.test() == Test.EQUAL || condition.test() == Test.NULL)
                && index(feed, order, beside).isPresent();
    }

    private static List<ConditionShape> beside(Order order, List<ConditionShape> conditions) {
        Column first = order.keys().get(0).column();
        return conditions.stream()
                .filter(condition -> !condition.column().equals(first))
                .toList();
    }

    private Optional<List<OrderKey>> index(String feed, Order order, List<ConditionShape> beside) {
        Set<String> columns =
                beside.stream().map(condition -> condition.column().name()).collect(Collectors.toUnmodifiableSet());
        return columns.size() < beside.size()
                ? Optional.empty()
                : Optional.ofNullable(found.get(new Use(feed, order.name(), columns)));
    }
}
