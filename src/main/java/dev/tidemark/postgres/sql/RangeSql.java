package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.sql.ConditionSql.Operation;
import dev.tidemark.postgres.sql.GapShape.BoundGap;
import dev.tidemark.postgres.sql.Keyset.Scan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the SQL of {@linkplain Range ranges} of a list. A range needs one scan or, for some orders, several. For
 * example, the following scan, shown without casts and redundant bounds, reads the order {@code created_at desc, id
 * desc} with the filter {@code status=open} forward:
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

    /** The name of the subquery that merges several scans. */
    private static final String MERGED = Sql.SUBQUERY + "merged";

    private static final String SCANNED = Sql.SUBQUERY + "scanned";
    private static final String SEARCHED = Sql.SUBQUERY + "searched";

    /** Whether a row meets the conditions that look for text; NULL counts as no. */
    static final String MATCHES = "\"tidemark matches\"";

    /** Whether a row is the last one that may be looked at. */
    static final String ENDS = "\"tidemark ends\"";

    /** Whether a row is the last one that may be looked at among those of one membership. */
    private static final String ENDS_MEMBERSHIP = "\"tidemark ends membership\"";

    /** Whether a row follows one with {@link #ENDS_MEMBERSHIP}. */
    private static final String FOLLOWS_END = "\"tidemark follows end\"";

    private final Feed feed;
    private final Order order;
    private final String relation;
    private final Comparisons comparisons;
    private final ListShape list;
    private final ListConditions conditions;
    private final Optional<List<OrderKey>> indexPrefix;
    private final Optional<MembershipSql> membership;

    /** @param firstConditionParameter the number of the first parameter for a condition's value */
    public RangeSql(Feed feed, Order order, ListShape list, int firstConditionParameter) {
        this(feed, order, list, firstConditionParameter, Values.PARAMETERS);
    }

    /** @param values where the statement has the values of the conditions and of the gaps */
    RangeSql(Feed feed, Order order, ListShape list, int firstConditionParameter, Values values) {
        this.feed = feed;
        this.order = order;
        this.relation = feed.relation().name();
        this.comparisons = new Comparisons(relation, feed.relation().storage(), values);
        this.list = list;
        this.indexPrefix = list.indexPrefix(feed, order);
        this.conditions = new ListConditions(feed, order, list, firstConditionParameter, indexPrefix, comparisons);
        this.membership = conditions.mergedMembership();
    }

    /** The part of the statement's WITH clause that all its ranges refer to; empty if they need none. */
    Optional<String> with() {
        return membership.map(MembershipSql::values);
    }

    /** Builds a SELECT list, or one expression of it, from the columns of a relation. */
    @FunctionalInterface
    public interface SelectList {
        String sql(String relation);
    }

    /**
     * The columns that are returned for each row of a range.
     *
     * @param columns the columns of the relation that the SELECT list uses, and the order's keys
     * @param writtenExpression computes whether a row was written. The scans compute this, because only they can read
     *     the system columns; the SELECT list refers to the result as {@link SinceSql#WRITTEN}. Empty if the SELECT
     *     list does not need it
     */
    public record Output(SelectList selectList, List<Column> columns, Optional<SelectList> writtenExpression) {
        public Output(SelectList selectList, List<Column> columns) {
            this(selectList, columns, Optional.empty());
        }
    }

    /**
     * The rows of a list on one side of a gap, nearest first, or all rows of the list.
     *
     * @param gap the gap at which the range starts; empty for all rows of the list
     * @param limit the LIMIT of each scan of the range
     * @param pinParameter the number of the parameter for the pin's value; used only for {@link PinShape#VALUE}
     * @param isLimitShared whether the scans of the values of a merged membership share the limit, and return
     *     {@link #ENDS_MEMBERSHIP}
     */
    public record Range(
            Output output,
            Optional<BoundGap> gap,
            Direction direction,
            int limit,
            PinShape pin,
            int pinParameter,
            boolean isLimitShared) {

        public Range(
                Output output, Optional<BoundGap> gap, Direction direction, int limit, PinShape pin, int pinParameter) {
            this(output, gap, direction, limit, pin, pinParameter, false);
        }

        public Range(Output output, Optional<BoundGap> gap, Direction direction, int limit) {
            this(output, gap, direction, limit, PinShape.NONE, 0);
        }
    }

    /**
     * Returns a scan that selects the row with the greatest non-NULL value of the order's leading key, if there is
     * one.
     */
    String scanForGreatest(Output output) {
        OrderKey leading = order.keys().get(0);
        Direction fromGreatest = leading.descending() ? Direction.FORWARD : Direction.BACKWARD;
        Range range = new Range(output, Optional.empty(), fromGreatest, 1);
        List<String> notNullConditions =
                comparisons.isNotNull(leading.column()).stream().toList();
        return '(' + select(range, new Scan(notNullConditions, keys(range), true)) + ')';
    }

    /** Returns a scan of the first rows of the list that also meet other conditions. */
    String scanForFirst(Output output, List<String> moreConditions, int limit) {
        Range range = new Range(output, Optional.empty(), Direction.FORWARD, limit);
        return '(' + select(range, new Scan(moreConditions, keys(range), true)) + ')';
    }

    /**
     * Returns a scan of rows of the list in any order. If it consists of several scans, the last ones do not start
     * once the limit is reached.
     *
     * @param moreConditions make all rows equal in the keys of the order, so that each scan can be in this order
     */
    String scanForAny(Output output, List<String> moreConditions, int limit) {
        Range range = new Range(output, Optional.empty(), Direction.FORWARD, limit);
        return '(' + select(range, new Scan(moreConditions, List.of(), false)) + ')';
    }

    /** The feed's {@code visible} condition and the list's conditions, joined by AND. */
    public String condition() {
        return conditions.conjunction();
    }

    /** As {@link #condition}, for a statement that is only explained. */
    String estimatedCondition() {
        return conditions.estimatedConjunction();
    }

    /**
     * Returns the scans of a range, nearest rows first, each in parentheses. They leave out the conditions that look
     * for text; see {@link #searched}.
     */
    public List<String> scans(Range range) {
        return keysetScans(range).stream()
                .map(scan -> '(' + select(range, scan) + ')')
                .toList();
    }

    /** Returns all scans of a range as one query in parentheses, with a common LIMIT. */
    public String limitedUnion(Range range) {
        List<String> scans = scans(range);
        return scans.size() == 1
                ? scans.get(0)
                : "(SELECT * FROM (" + String.join(" UNION ALL ", scans) + ") ranges LIMIT " + range.limit() + ")";
    }

    /**
     * Returns a query for those of the nearest rows of a range that also meet the conditions that look for text:
     *
     * <pre>
     *   (SELECT … FROM (
     *      SELECT "tidemark scanned".*, "tidemark scanned"."subject" ILIKE $3 AS "tidemark matches",
     *        row_number() OVER () = 10000 AS "tidemark ends"
     *      FROM (… the scans, LIMIT 10000 …) "tidemark scanned") "tidemark searched"
     *    WHERE "tidemark matches" OR "tidemark ends" LIMIT 31)
     * </pre>
     *
     * <p>PostgreSQL reads the rows one by one until it has found enough. If it looks at the last of {@code scan} rows,
     * the query returns this row, too, whether or not it matches, so that the caller learns where to go on.
     *
     * <p>If a scan is merged from those of a membership's values, each of these reads an equal {@linkplain
     * MembershipSql#share share} of the rows, because PostgreSQL reads them all before it sorts them. All rows of the
     * list are known up to the nearest row with which one of them has read its share, so the range ends there.
     *
     * @param range whose SELECT list can refer to {@link #MATCHES} and {@link #ENDS}
     * @param maxScanned the number of rows to look at, at most
     * @return empty if the range has no scans
     */
    Optional<String> searched(Range range, int maxScanned) {
        boolean isShared = membership.isPresent();
        List<Column> columns = searchedColumns(range.output().columns());
        Optional<SelectList> written = range.output().writtenExpression();
        SelectList scanned = table ->
                columns.stream().map(column -> Sql.named(table, column)).collect(Collectors.joining(", "))
                        + (written.isEmpty() ? "" : ", " + SqlQuoting.quoteIdentifier(table) + '.' + SinceSql.WRITTEN)
                        + (isShared ? ", " + SqlQuoting.quoteIdentifier(table) + '.' + ENDS_MEMBERSHIP : "");
        Range nearest = new Range(
                new Output(scanned, columns, written),
                range.gap(),
                range.direction(),
                maxScanned,
                range.pin(),
                range.pinParameter(),
                isShared);
        if (scans(nearest).isEmpty()) {
            return Optional.empty();
        }
        String name = SqlQuoting.quoteIdentifier(SCANNED);
        String ends = "row_number() OVER () = " + maxScanned + (isShared ? " OR " + ENDS_MEMBERSHIP : "");
        String numbered = "SELECT " + name + ".*, " + conditions.search(SCANNED).orElseThrow() + " AS " + MATCHES + ", "
                + ends + " AS " + ENDS
                + (isShared
                        ? ", bool_or(" + ENDS_MEMBERSHIP
                                + ") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS " + FOLLOWS_END
                        : "")
                + " FROM " + limitedUnion(nearest) + ' ' + name;
        return Optional.of("(SELECT " + range.output().selectList().sql(SEARCHED) + " FROM (" + numbered + ") "
                + SqlQuoting.quoteIdentifier(SEARCHED) + " WHERE (" + MATCHES + " OR " + ENDS + ')'
                + (isShared ? " AND " + FOLLOWS_END + " IS NOT TRUE" : "") + " LIMIT " + range.limit() + ')');
    }

    /**
     * Returns a query for the nearest rows of a range that also meet the conditions that look for text, if an index
     * on text is to find them:
     *
     * <pre>
     *   (SELECT … FROM (
     *      SELECT …, row_number() OVER () &gt; 10000 AS "tidemark ends" FROM …
     *      WHERE "subject" ILIKE $3 AND (("made", "id") &lt; ($1, $2)) LIMIT 10001) "tidemark merged"
     *    ORDER BY "tidemark ends" DESC, "made" DESC, "id" DESC LIMIT 31)
     * </pre>
     *
     * <p>PostgreSQL reads all rows that match, and sorts them. The inner LIMIT keeps it from planning the subquery
     * for its first rows in the order, for which it might read the order's index to its end. If more than
     * {@code maxScanned} rows match, the first row has {@link #ENDS}, and the others need not be the nearest.
     */
    String matches(Range range, int maxScanned) {
        // No index need serve these conditions, so they can be joined by OR.
        String beyondGap = keysetScans(range).stream()
                .map(each -> each.conditions().isEmpty() ? "true" : '(' + Sql.conjunction(each.conditions()) + ')')
                .reduce((one, other) -> one + " OR " + other)
                .orElse("false");
        String all = "SELECT " + columns(relation, range.output()) + ", row_number() OVER () > " + maxScanned + " AS "
                + ENDS + " FROM " + Sql.relation(feed.relation()) + " WHERE " + condition() + " AND (" + beyondGap
                + ") LIMIT " + (maxScanned + 1);
        return "(SELECT " + range.output().selectList().sql(MERGED) + " FROM (" + all + ") "
                + SqlQuoting.quoteIdentifier(MERGED) + " ORDER BY " + ENDS + " DESC, "
                + Sql.sortKeys(MERGED, keys(range))
                + " LIMIT " + range.limit() + ')';
    }

    /** The columns of a range's output, and those that the conditions that look for text test. */
    private List<Column> searchedColumns(List<Column> output) {
        Map<String, Column> columns = new LinkedHashMap<>();
        Stream.concat(
                        output.stream(),
                        list.conditions().stream()
                                .filter(ConditionSql::isSearch)
                                .flatMap(ConditionSql::columns))
                .forEach(column -> columns.putIfAbsent(column.name(), column));
        return List.copyOf(columns.values());
    }

    private List<OrderKey> keys(Range range) {
        return range.direction() == Direction.FORWARD
                ? order.keys()
                : order.keys().stream().map(OrderKey::reversed).toList();
    }

    private List<Scan> keysetScans(Range range) {
        List<OrderKey> keys = keys(range);
        List<Scan> scans = range.gap()
                .map(gap -> new Keyset(comparisons, keys, gap, conditions.fixedLeadingKeyCount(), this::canHaveEquality)
                        .scans(gap.shape().side().includesPosition(range.direction())))
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

    /** Whether a statement can have a condition, also one that PostgreSQL adds, that tests the column for equality. */
    private boolean canHaveEquality(Column column) {
        return list.hasEquality(column)
                || feed.relation().conditionColumns().contains(column.name())
                // Two expressions can mean the same, also under other names.
                || list.conditions().stream()
                        .anyMatch(condition -> condition.isEquality()
                                && (column.isDerived() || condition.column().isDerived()))
                || column.isDerived()
                        && (feed.relation().visible().isPresent()
                                || feed.relation().storage().filtered());
    }

    private Scan withPin(Scan scan, Range range) {
        Column leading = order.keys().get(0).column();
        List<String> conditions = new ArrayList<>();
        conditions.add(comparisons.compare(leading, "<=", range.pinParameter()));
        comparisons.isNotNull(leading).ifPresent(conditions::add);
        return scan.and(conditions);
    }

    /**
     * Returns the statement of a scan. Usually, this is a plain SELECT. A SELECT from a subquery is used in four
     * cases:
     * <ul>
     * <li>The list is scanned for each value of a membership. See {@link MembershipSql}.
     * <li>A filter with several values is on a column that precedes the order's keys in the index. The subquery has
     *     one
     * scan with a LIMIT for each value.
     * <li>No index serves the list, so all of its rows are sorted. The outer SELECT list then applies only to the rows
     * within the LIMIT. Otherwise, PostgreSQL would fetch the long values of all rows and convert them to text.
     * <li>The SELECT list refers to {@link SinceSql#WRITTEN}, which only the subquery can compute.
     * </ul>
     */
    private String select(Range range, Scan scan) {
        List<List<String>> alternatives = conditions.alternatives(false);
        Output output = range.output();
        if (membership.isPresent()) {
            String merged = MembershipSql.merge(
                    range.isLimitShared()
                            ? sharedBranches(range, scan)
                            : branches(range, scan, conditions.alternatives(true), conditions.sortsByMembership()));
            String joined = branches(range, scan.and(List.of(MembershipSql.isNotMerged())), alternatives, false);
            return merged(range, scan, merged + " UNION ALL " + joined);
        }
        if (alternatives.size() == 1
                && indexPrefix.isPresent()
                && output.writtenExpression().isEmpty()) {
            return plainSelect(
                    output.selectList(),
                    scan,
                    alternatives.get(0),
                    scanSortKeys(range),
                    Integer.toString(range.limit()));
        }
        return merged(range, scan, branches(range, scan, alternatives, false));
    }

    /**
     * The scans of the rows that have one value of the merged membership. Each reads its share of the rows of the
     * range.
     */
    private String sharedBranches(Range range, Scan scan) {
        List<List<String>> alternatives = conditions.alternatives(true);
        List<OrderKey> sortKeys = sortKeys(range, conditions.sortsByMembership());
        String share = MembershipSql.share(range.limit() / alternatives.size());
        return alternatives.stream()
                .map(alternative -> "(SELECT shared.*, row_number() OVER () = " + share + " AS " + ENDS_MEMBERSHIP
                        + " FROM ("
                        + plainSelect(table -> columns(table, range.output()), scan, alternative, sortKeys, share)
                        + ") shared)")
                .collect(Collectors.joining(" UNION ALL "));
    }

    private List<OrderKey> sortKeys(Range range, boolean isSortedByMembership) {
        List<OrderKey> sortKeys = new ArrayList<>();
        if (isSortedByMembership) {
            indexPrefix.orElseThrow().forEach(key -> sortKeys.add(inDirection(key, range)));
        }
        sortKeys.addAll(scanSortKeys(range));
        return sortKeys;
    }

    private String branches(Range range, Scan scan, List<List<String>> alternatives, boolean isSortedByMembership) {
        List<OrderKey> sortKeys = sortKeys(range, isSortedByMembership);
        String endsNoMembership = range.isLimitShared() ? ", false AS " + ENDS_MEMBERSHIP : "";
        return alternatives.stream()
                .map(alternative -> '('
                        + plainSelect(
                                table -> columns(table, range.output()) + endsNoMembership,
                                scan,
                                alternative,
                                sortKeys,
                                Integer.toString(range.limit()))
                        + ')')
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static OrderKey inDirection(OrderKey key, Range range) {
        return range.direction() == Direction.FORWARD ? key : key.reversed();
    }

    private static String merged(Range range, Scan scan, String branches) {
        return "SELECT " + range.output().selectList().sql(MERGED) + " FROM (" + branches + ") "
                + SqlQuoting.quoteIdentifier(MERGED)
                + (scan.outerSortKeys().isEmpty() ? "" : Sql.orderBy(MERGED, scan.outerSortKeys())) + " LIMIT "
                + range.limit();
    }

    private static String columns(String relation, Output output) {
        return output.columns().stream()
                        .map(column -> Sql.named(relation, column))
                        .collect(Collectors.joining(", "))
                + output.writtenExpression()
                        .map(written -> ", " + written.sql(relation) + " AS " + SinceSql.WRITTEN)
                        .orElse("");
    }

    private String plainSelect(
            SelectList selectList, Scan scan, List<String> listConditions, List<OrderKey> sortKeys, String limit) {
        List<String> allConditions = new ArrayList<>(listConditions);
        allConditions.addAll(scan.conditions());
        String where = allConditions.isEmpty() ? "" : " WHERE " + Sql.conjunction(allConditions);
        return "SELECT " + selectList.sql(relation) + " FROM " + Sql.relation(feed.relation()) + where
                + Sql.orderBy(relation, sortKeys) + " LIMIT " + limit;
    }

    /**
     * The keys by which a scan is sorted: the order's keys, after the index column that an IS NULL condition fixes, if
     * any. The planner does not treat IS NULL as an equality, and uses the index only if the scan is also sorted by
     * that column. Sorting by it does not change the order, because all of its values are NULL.
     */
    private List<OrderKey> scanSortKeys(Range range) {
        List<OrderKey> keys = keys(range);
        Optional<OrderKey> nullKey = list.conditions().stream()
                .filter(condition -> condition.operation() == Operation.NULL)
                .findFirst()
                .flatMap(condition -> indexPrefix.stream()
                        .flatMap(List::stream)
                        .filter(key -> condition.isOn(key.column()))
                        .findFirst());
        if (nullKey.isEmpty()) {
            return keys;
        }
        List<OrderKey> keysWithPrefix = new ArrayList<>();
        keysWithPrefix.add(inDirection(nullKey.get(), range));
        keysWithPrefix.addAll(keys);
        return keysWithPrefix;
    }
}
