package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Storage;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.ConditionSql.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The WHERE conditions of a list: the feed's {@code visible} condition and those of the list state. */
final class ListConditions {

    private final Feed feed;
    private final Order order;
    private final String relation;
    private final Comparisons comparisons;
    private final ListShape list;
    private final int firstParameter;
    private final boolean hasServingIndex;
    private final boolean isMembershipOnlyPrefix;
    private final boolean isPlannedOnce;

    /**
     * @param indexPrefix the columns that precede the order's keys in the index that serves the list. The conditions
     *     are then written so that the planner uses this index. Empty if no index serves the list
     * @param comparisons those of the columns of the feed's relation
     */
    ListConditions(
            Feed feed,
            Order order,
            ListShape list,
            int firstParameter,
            Optional<List<OrderKey>> indexPrefix,
            Comparisons comparisons) {
        this.feed = feed;
        this.order = order;
        this.relation = feed.relation().name();
        this.comparisons = comparisons;
        this.list = list;
        this.firstParameter = firstParameter;
        this.hasServingIndex = indexPrefix.isPresent();
        this.isMembershipOnlyPrefix =
                indexPrefix.filter(prefix -> prefix.size() == 1).isPresent()
                        && list.openMembership().isPresent();
        this.isPlannedOnce =
                hasServingIndex && feed.relation().storage().shards().isEmpty();
    }

    /**
     * All conditions joined by AND, for a statement that is planned for its values. No index finds the rows that match
     * in a column without a {@linkplain dev.tidemark.feed.ServingIndexes#hasText known index on text}: it could miss
     * some.
     */
    String conjunction() {
        return conjunction(this::readWithKnownIndexes);
    }

    /** As {@link #conjunction}, with all conditions as the planner can estimate them. */
    String estimatedConjunction() {
        return conjunction((condition, sql) -> sql);
    }

    private String readWithKnownIndexes(ConditionSql condition, String sql) {
        return !condition.isSearch() || condition.columns().allMatch(feed.indexes()::hasText)
                ? sql
                : "CASE WHEN " + sql + " THEN true ELSE false END";
    }

    private String conjunction(BiFunction<ConditionSql, String, String> complete) {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::inParentheses).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            conditions.add(complete.apply(condition, condition.sql(comparisons, parameter)));
            condition.isNotNull(comparisons).ifPresent(conditions::add);
            parameter += condition.parameterCount();
        }
        return conditions.isEmpty() ? "true" : Sql.conjunction(conditions);
    }

    /** The conditions that look for text, joined by AND, on the rows of a subquery; empty if there are none. */
    Optional<String> search(String subquery) {
        Comparisons inSubquery = new Comparisons(subquery, Storage.LOCAL, comparisons.values());
        List<String> conditions = new ArrayList<>();
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            if (condition.isSearch()) {
                conditions.add(condition.sql(inSubquery, parameter));
            }
            parameter += condition.parameterCount();
        }
        return conditions.isEmpty() ? Optional.empty() : Optional.of(Sql.conjunction(conditions));
    }

    /**
     * The membership for each of whose values the list is scanned; empty if there is none, or if no index serves such
     * scans.
     */
    Optional<MembershipSql> mergedMembership() {
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            if (hasServingIndex && list.openMembership().equals(Optional.of(condition))) {
                return Optional.of(condition.membershipSql(parameter, comparisons.values()));
            }
            parameter += condition.parameterCount();
        }
        return Optional.empty();
    }

    /** Whether the scans of one value of the merged membership are also sorted by its column. */
    boolean sortsByMembership() {
        return isMembershipOnlyPrefix;
    }

    /**
     * The conditions for each scan, without those that look for text. If a filter with several values is on a column
     * that precedes the order's keys in the index, each value needs its own scan; otherwise, there is a single scan.
     *
     * @param isMerged whether the scans are those of one value of {@link #mergedMembership}
     */
    List<List<String>> alternatives(boolean isMerged) {
        Optional<ConditionSql> splitCondition = hasServingIndex
                ? list.conditions().stream()
                        .filter(ConditionSql::isAnyOfSeveral)
                        .filter(condition -> !isOnLeadingKey(condition))
                        .min(Comparator.comparing(condition -> !hasMembership(condition.column())))
                : Optional.empty();
        List<List<String>> alternatives = new ArrayList<>();
        for (int valueIndex = 0;
                valueIndex < splitCondition.map(ConditionSql::parameterCount).orElse(1);
                valueIndex++) {
            alternatives.add(alternative(splitCondition.orElse(null), valueIndex, isMerged));
        }
        return alternatives;
    }

    /**
     * The number of leading order keys that the conditions restrict to a single value.
     */
    int fixedLeadingKeyCount() {
        int fixed = 0;
        for (OrderKey key : order.keys()) {
            if (!list.hasSingleValue(key.column())) {
                return fixed;
            }
            fixed++;
        }
        return fixed;
    }

    private boolean hasMembership(Column column) {
        return list.conditions().stream()
                .anyMatch(condition -> condition.operation() == Operation.MEMBER && condition.isOn(column));
    }

    private boolean isOnLeadingKey(ConditionSql condition) {
        return condition.isOn(order.keys().get(0).column());
    }

    private List<String> alternative(@Nullable ConditionSql splitCondition, int valueIndex, boolean isMerged) {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::inParentheses).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            if (condition.equals(splitCondition)) {
                conditions.add(equality(condition.withOneValue(), parameter + valueIndex));
                // Two values of the filter can differ as text but be equal in the column's type, so the rows that an
                // earlier scan returns are excluded.
                for (int earlier = 0; earlier < valueIndex; earlier++) {
                    conditions.add("NOT " + condition.withOneValue().sql(comparisons, parameter + earlier));
                }
            } else if (condition.operation() == Operation.MEMBER) {
                conditions.add(membership(condition, parameter, splitCondition, valueIndex, isMerged));
            } else if (!condition.isSearch()) {
                conditions.add(
                        condition.isEquality() && !isOnLeadingKey(condition)
                                ? equality(condition, parameter)
                                : condition.sql(comparisons, parameter));
                condition.isNotNull(comparisons).ifPresent(conditions::add);
            }
            parameter += condition.parameterCount();
        }
        return conditions;
    }

    private String membership(
            ConditionSql membership,
            int parameter,
            @Nullable ConditionSql splitCondition,
            int valueIndex,
            boolean isMerged) {
        MembershipSql sql = membership.membershipSql(parameter, comparisons.values());
        if (isMerged && list.openMembership().equals(Optional.of(membership))) {
            return sql.isMergedValue(relation, isMembershipOnlyPrefix);
        }
        int next = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            if (condition.isOn(membership.column()) && (condition.isEquality() || condition.equals(splitCondition))) {
                return sql.has(condition.equals(splitCondition) ? next + valueIndex : next);
            }
            next += condition.parameterCount();
        }
        return sql.join(relation);
    }

    /**
     * Returns the equality, followed by the bounds {@code >=} and {@code <=} with the same value. Without these
     * bounds, the planner of a generic plan assumes that the value is about as common as the others, and can choose to
     * scan the order's own index and filter the rows. For a rare value, this reads the whole index. The planner
     * estimates a range between two unknown bounds at 0.5 % of the rows, and therefore chooses the index that starts
     * with the column, which is right for rare and common values. The index scan itself ignores the redundant bounds.
     *
     * <p>A statement that is planned for its values has no such bounds, because they would only lower the estimate.
     */
    private String equality(ConditionSql condition, int parameter) {
        if (!isPlannedOnce) {
            return condition.sql(comparisons, parameter);
        }
        String column = Sql.operand(relation, condition.column());
        String value = comparisons.values().of(parameter, condition.column());
        return condition.sql(comparisons, parameter) + " AND " + column + " >= " + value + " AND " + column + " <= "
                + value;
    }
}
