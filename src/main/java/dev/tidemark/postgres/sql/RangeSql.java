package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.sql.GapShape.BoundGap;
import dev.tidemark.postgres.sql.Keyset.Scan;
import dev.tidemark.postgres.sql.SqlCondition.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Builds the scans that return the rows of a list on one side of a gap, nearest first, joined by UNION ALL. For the
 * order {@code created_at desc, id desc} with the filter {@code status=open}, forward:
 *
 * <pre>
 *   (SELECT … WHERE ("deleted_at" IS NULL) AND "status" = $3
 *      AND ("created_at", "id") &lt; ($1, $2) ORDER BY "created_at" DESC, "id" DESC LIMIT 31)
 * </pre>
 *
 * <p>For a partitioned or foreign table, {@code AND "created_at" <= $1} follows the row comparison. See
 * {@link Comparisons}.
 */
public final class RangeSql {

    private final Feed feed;
    private final Order order;
    private final String relation;
    private final Comparisons comparisons;
    private final ListShape list;
    private final ListConditions conditions;
    private final Optional<List<OrderKey>> indexPrefix;

    /** @param firstConditionParameter the number of the first parameter for a condition's value */
    public RangeSql(Feed feed, Order order, ListShape list, int firstConditionParameter) {
        this.feed = feed;
        this.order = order;
        this.relation = feed.relation().name();
        this.comparisons = new Comparisons(relation, feed.relation().storage());
        this.list = list;
        this.indexPrefix = list.indexPrefix(feed, order);
        this.conditions = new ListConditions(feed, order, list, firstConditionParameter, indexPrefix.isPresent());
    }

    /** Builds a SELECT list from the columns of a relation. */
    @FunctionalInterface
    public interface SelectList {
        String sql(String relation);
    }

    /**
     * What a range returns for each row.
     *
     * @param columns the columns that the SELECT list uses; includes the order's keys
     * @param written an expression that the scans compute for each row, because the system columns are available only
     *     there. The SELECT list refers to it as {@link SinceSql#WRITTEN}. Empty if the SELECT list does not refer to
     *     it
     */
    public record Output(SelectList selectList, List<Column> columns, Optional<SelectList> written) {
        public Output(SelectList selectList, List<Column> columns) {
            this(selectList, columns, Optional.empty());
        }
    }

    /**
     * @param gap the gap at which the range starts; empty for the start of the list in the given direction
     * @param limit the LIMIT of each scan
     */
    public record Range(
            Output output, Optional<BoundGap> gap, Direction direction, int limit, PinShape pin, int pinParameter) {

        public Range(Output output, Optional<BoundGap> gap, Direction direction, int limit) {
            this(output, gap, direction, limit, PinShape.NONE, 0);
        }
    }

    /** Selects the row with the greatest non-NULL value of the order's leading key, if there is one. */
    String greatest(Output output) {
        OrderKey leading = order.keys().get(0);
        Direction fromGreatest = leading.descending() ? Direction.FORWARD : Direction.BACKWARD;
        Range range = new Range(output, Optional.empty(), fromGreatest, 1);
        List<String> onlyValues = leading.column().nullable()
                ? List.of(Sql.column(relation, leading.column()) + " IS NOT NULL")
                : List.of();
        return '(' + merged(range, new Scan(onlyValues, keys(range), true)) + ')';
    }

    /** The feed's {@code visible} condition and the list's conditions, joined by AND. */
    public String condition() {
        return conditions.conjunction();
    }

    /** @return the scans, nearest rows first, each in parentheses */
    public List<String> scans(Range range) {
        return scansOf(range).stream()
                .map(scan -> '(' + merged(range, scan) + ')')
                .toList();
    }

    /** All scans of a range under a single LIMIT, as one operand of UNION ALL. */
    public String limitedUnion(Range range) {
        List<String> scans = scans(range);
        return scans.size() == 1
                ? scans.get(0)
                : "(SELECT * FROM (" + String.join(" UNION ALL ", scans) + ") ranges LIMIT " + range.limit() + ")";
    }

    private List<OrderKey> keys(Range range) {
        return range.direction() == Direction.FORWARD
                ? order.keys()
                : order.keys().stream().map(OrderKey::reversed).toList();
    }

    private List<Scan> scansOf(Range range) {
        List<OrderKey> keys = keys(range);
        List<Scan> scans = range.gap()
                .map(gap -> new Keyset(comparisons, keys, gap, conditions.fixedLeadingKeys())
                        .scans(gap.shape().includesPosition(range.direction())))
                .orElseGet(() -> List.of(new Scan(List.of(), keys, true)));
        return switch (range.pin()) {
            case NONE, DETERMINE -> scans;
            case ALL_NULL ->
                scans.stream().filter(scan -> !scan.spansLeadingValues()).toList();
            case VALUE ->
                scans.stream()
                        .map(scan -> scan.spansLeadingValues() ? withPin(scan, range) : scan)
                        .toList();
        };
    }

    private Scan withPin(Scan scan, Range range) {
        Column leading = order.keys().get(0).column();
        return scan.and(comparisons.compare(leading, "<=", range.pinParameter()));
    }

    /**
     * Returns a scan with its SELECT list. If an index starts with the column of a filter with several values, it
     * merges one limited scan per value. If no index serves the list, all its rows are sorted, and the SELECT list
     * applies only to the rows within the LIMIT. Without this, PostgreSQL would fetch every long value and convert it
     * to text. The same form makes the {@code written} values of the scans available to the SELECT list.
     */
    private String merged(Range range, Scan scan) {
        List<List<String>> alternatives = conditions.alternatives();
        Output output = range.output();
        if (alternatives.size() == 1
                && indexPrefix.isPresent()
                && output.written().isEmpty()) {
            return scan(range, output.selectList(), scan, alternatives.get(0));
        }
        List<String> scans = alternatives.stream()
                .map(alternative -> '(' + scan(range, table -> columns(table, output), scan, alternative) + ')')
                .toList();
        return "SELECT " + output.selectList().sql("merged") + " FROM (" + String.join(" UNION ALL ", scans)
                + ") merged" + Sql.orderBy("merged", scan.sorted()) + " LIMIT " + range.limit();
    }

    private static String columns(String relation, Output output) {
        return output.columns().stream()
                        .map(column -> Sql.column(relation, column))
                        .collect(Collectors.joining(", "))
                + output.written()
                        .map(written -> ", " + written.sql(relation) + " AS " + SinceSql.WRITTEN)
                        .orElse("");
    }

    private String scan(Range range, SelectList selectList, Scan scan, List<String> listConditions) {
        List<String> all = new ArrayList<>(listConditions);
        all.addAll(scan.conditions());
        String where = all.isEmpty() ? "" : " WHERE " + String.join(" AND ", all);
        return "SELECT " + selectList.sql(relation) + " FROM " + Sql.relation(feed.relation()) + where
                + Sql.orderBy(relation, scanKeys(range)) + " LIMIT " + range.limit();
    }

    /**
     * The sort keys of a scan. The planner does not treat IS NULL as an equality, so it uses an index on the NULL
     * column and the order only if the scan is also sorted by that column. Sorting by that column does not change the
     * order: all of its values are NULL.
     */
    private List<OrderKey> scanKeys(Range range) {
        List<OrderKey> keys = keys(range);
        Optional<OrderKey> leading = list.conditions().stream()
                .filter(condition -> condition.operation() == Operation.NULL)
                .findFirst()
                .flatMap(condition -> indexPrefix.stream()
                        .flatMap(List::stream)
                        .filter(key -> key.column().equals(condition.column()))
                        .findFirst());
        if (leading.isEmpty()) {
            return keys;
        }
        List<OrderKey> prefixed = new ArrayList<>();
        prefixed.add(
                range.direction() == Direction.FORWARD
                        ? leading.get()
                        : leading.get().reversed());
        prefixed.addAll(keys);
        return prefixed;
    }
}
