package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.ServingIndexes.ServingIndex;
import dev.tidemark.postgres.sql.ConditionSql.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The part of a list state that determines its SQL: its conditions without their values. */
public record ListShape(List<ConditionSql> conditions) {

    private static final ListShape UNFILTERED = new ListShape(List.of());

    public static ListShape of(ListState state) {
        if (state.conditions().isEmpty()) {
            return UNFILTERED;
        }
        return new ListShape(state.conditions().stream().map(ConditionSql::of).toList());
    }

    /**
     * The condition of the only membership whose column no filter restricts to one or several values; empty if there
     * is none.
     */
    Optional<ConditionSql> openMembership() {
        return conditions.stream()
                .filter(condition -> condition.operation() == Operation.MEMBER && !hasValues(condition.column()))
                .findFirst();
    }

    /** As {@link ListState#isSearch}. */
    boolean isSearch() {
        return conditions.stream().anyMatch(ConditionSql::isSearch);
    }

    /** Whether indexes on text can find the rows that meet each of the conditions that look for text. */
    public boolean hasTextIndex(Feed feed) {
        return isSearch()
                && conditions.stream()
                        .filter(ConditionSql::isSearch)
                        .allMatch(condition -> condition.columns().allMatch(feed.indexes()::hasText));
    }

    /** Whether a filter or a claim restricts a column to one or several values. */
    boolean hasValues(Column column) {
        return conditions.stream()
                .anyMatch(condition -> condition.operation() == Operation.EQUAL && condition.isOn(column));
    }

    /** Whether a condition restricts a column to one or several values, or to those of a membership. */
    boolean hasEquality(Column column) {
        return conditions.stream()
                .anyMatch(condition ->
                        (condition.operation() == Operation.EQUAL || condition.operation() == Operation.MEMBER)
                                && condition.isOn(column));
    }

    /** Whether a condition restricts a column to a single value or to NULL. */
    boolean hasSingleValue(Column column) {
        for (ConditionSql condition : conditions) {
            if (condition.matchesSingleValue() && condition.isOn(column)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The columns that precede the order's keys in the index that serves the list: an empty list for the index of the
     * order itself, and an empty {@code Optional} if no index serves the list. In each range of the index that is
     * scanned, the rows of the list are contiguous, apart from rows that {@code visible} excludes.
     *
     * <p>If no column other than the order's first key has conditions, only an index of the order itself can serve the
     * list. Otherwise, the index must start with the other columns that have conditions, and each of these columns
     * must have a single condition, which tests for equality, for NULL, or, for one of the columns, for a membership.
     * The membership of a column that has values does not count, but for several values of the first key. Conditions
     * on the first key limit the range that is scanned. However, if one of them is a prefix or a membership, no index
     * serves the list.
     *
     * <p>Conditions that look for text do not count. The scans of a list leave them out.
     */
    public Optional<List<OrderKey>> indexPrefix(Feed feed, Order order) {
        Column first = order.keys().get(0).column();
        Optional<ConditionSql> membership = openMembership();
        List<ConditionSql> scanned = conditions.stream()
                .filter(condition -> !condition.isSearch())
                .filter(condition -> condition.operation() != Operation.MEMBER
                        || !(condition.isOn(first) ? hasSingleValue(first) : hasValues(condition.column())))
                .toList();
        List<ConditionSql> others =
                scanned.stream().filter(condition -> !condition.isOn(first)).toList();
        Set<String> columns =
                others.stream().map(condition -> condition.column().name()).collect(Collectors.toUnmodifiableSet());
        boolean canUseIndex = columns.size() == others.size()
                && others.stream()
                        .allMatch(condition -> condition.operation() == Operation.EQUAL
                                || condition.operation() == Operation.NULL
                                || membership.equals(Optional.of(condition)))
                && scanned.stream()
                        .allMatch(condition -> others.contains(condition) || condition.isContiguousInIndex());
        return canUseIndex ? feed.indexes().find(order, columns).map(ServingIndex::prefix) : Optional.empty();
    }

    /** The kind of a statement that reads the list in this order. */
    public Statement.Kind statementKind(Feed feed, Order order) {
        if (indexPrefix(feed, order).isEmpty()) {
            return Statement.Kind.FREE;
        }
        return feed.relation()
                .storage()
                .shards()
                .map(shards ->
                        isInOneShard(shards) && !isSearch() ? Statement.Kind.ONE_SHARD : Statement.Kind.SEVERAL_SHARDS)
                .orElse(isSearch() ? Statement.Kind.INDEXED_SEARCH : Statement.Kind.INDEXED);
    }

    private boolean isInOneShard(Shards shards) {
        return shards.keepsTogether(conditions.stream()
                .filter(ConditionSql::isEquality)
                .map(condition -> condition.column().name())
                .collect(Collectors.toSet()));
    }

    /** The number of parameters of all conditions. */
    int parameterCount() {
        int count = 0;
        for (ConditionSql condition : conditions) {
            count += condition.parameterCount();
        }
        return count;
    }

    /** Appends the parameters: the values of the conditions of a list of this shape. */
    public void bind(ListState state, List<String> parameters) {
        List<Condition> stateConditions = state.conditions();
        for (int i = 0; i < stateConditions.size(); i++) {
            conditions.get(i).bind(stateConditions.get(i), parameters);
        }
    }
}
