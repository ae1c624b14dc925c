package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.postgres.sql.ConditionSql.Operation;
import dev.tidemark.postgres.sql.RangeSql.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds the statements that count the items of a list by their values in a column. If an index starts with the
 * columns of the list's conditions and this column, each value is found by a scan of one row that starts behind the
 * value before (a loose index scan), and a limited scan counts its items. The cost is that of the counted entries,
 * whatever the size of the list:
 *
 * <pre>
 *   WITH RECURSIVE counted(value, number) AS (
 *     SELECT first.value, 1 FROM (SELECT "status" … WHERE … ORDER BY "status" LIMIT 1) first
 *     UNION ALL
 *     SELECT next.value, number + 1 FROM counted CROSS JOIN LATERAL (
 *       SELECT "status" … WHERE … AND "status" > counted.value ORDER BY "status" LIMIT 1) next WHERE number &lt;= 100)
 *   SELECT value, (SELECT count(*) FROM (
 *     SELECT 1 … WHERE … AND "status" >= value AND "status" &lt;= value ORDER BY "status" LIMIT 101) items)
 *   FROM counted
 * </pre>
 *
 * <p>Otherwise, all items are read and grouped once, because a scan for each value could read all of them each time.
 *
 * <p>Named values come from a parameter instead, an array. They are distinct in the column's type, in which different
 * texts can be equal.
 */
public final class ValueCountSql {

    /** Columns and tables are unlikely to have these names; the statement would be ambiguous otherwise. */
    private static final String COUNTED = "\"tidemark counted\"";

    private static final String VALUE_NAME = "\"tidemark value\"";
    private static final String NUMBER_NAME = "\"tidemark number\"";
    private static final String ITEMS_NAME = "\"tidemark items\"";
    private static final String FOUND = "\"tidemark found\"";
    private static final String GROUPED = "\"tidemark grouped\"";
    private static final String NAMED = "\"tidemark named\"";

    private static final String VALUE = COUNTED + '.' + VALUE_NAME;
    private static final String NUMBER = COUNTED + '.' + NUMBER_NAME;

    private final Feed feed;
    private final Column by;
    private final ListShape list;
    private final boolean namesValues;
    private final int limit;
    private final RangeSql ranges;
    private final String relation;

    private ValueCountSql(CountsByValue counts) {
        this.feed = counts.list().feed();
        this.by = counts.by();
        this.list = ListShape.of(counts.list());
        this.namesValues = counts.named().isPresent();
        this.limit = counts.upTo() + 1;
        this.ranges = new RangeSql(feed, Order.ofValues(by), list, 1);
        this.relation = feed.relation().name();
    }

    /**
     * Returns a statement that returns each value with its count. Its parameters are the values of the list's
     * conditions, and then the array of the named values if there are some.
     */
    public static Statement statement(CountsByValue counts) {
        ValueCountSql sql = new ValueCountSql(counts);
        boolean isIndexed = isServedByIndex(counts);
        return new Statement(
                isIndexed ? sql.loose() : sql.grouped(),
                sql.list.parameterCount() + (sql.namesValues ? 1 : 0),
                isIndexed ? Statement.Kind.INDEXED : Statement.Kind.FREE,
                Statement.listTables(sql.feed),
                Optional.of(sql.feed.name()));
    }

    /**
     * Whether an index serves the counts. Citus and foreign servers cannot run the statement that such an index needs.
     */
    public static boolean isServedByIndex(CountsByValue counts) {
        Feed feed = counts.list().feed();
        return !feed.relation().storage().foreign()
                && ListShape.of(counts.list()).statementKind(feed, Order.ofValues(counts.by()))
                        == Statement.Kind.INDEXED;
    }

    private String loose() {
        List<String> with = new ArrayList<>(ranges.with().stream().toList());
        List<String> parts = new ArrayList<>();
        if (!hasOnlyNull()) {
            with.add(COUNTED + '(' + VALUE_NAME + ", " + NUMBER_NAME + ") AS (" + (namesValues ? named() : found())
                    + ')');
            parts.add("SELECT " + output(VALUE) + ", " + count(between(VALUE)) + ", " + NUMBER + " FROM " + COUNTED);
        }
        if (hasOnlyNull() || canHaveNull()) {
            String ofNull = "SELECT " + output("NULL") + ", " + count(List.of(Sql.column(relation, by) + " IS NULL"))
                    + ", NULL::int";
            parts.add(hasOnlyNull() ? ofNull : withoutZero(ofNull));
        }
        return (with.isEmpty() ? "" : "WITH RECURSIVE " + String.join(", ", with) + ' ')
                + String.join(" UNION ALL ", parts) + " ORDER BY 3";
    }

    /**
     * The values that occur, each found behind the one before. One more than are reported shows that there are more.
     */
    private String found() {
        Output value = new Output(name -> Sql.operand(name, by) + " AS " + VALUE_NAME, List.of(by));
        return "SELECT " + FOUND + '.' + VALUE_NAME + ", 1 FROM " + ranges.scanForFirst(value, isNotNull(), 1) + ' '
                + FOUND
                + " UNION ALL SELECT " + FOUND + '.' + VALUE_NAME + ", " + NUMBER + " + 1 FROM " + COUNTED
                + " CROSS JOIN LATERAL " + ranges.scanForFirst(value, with(isNotNull(), operand() + " > " + VALUE), 1)
                + ' '
                + FOUND + " WHERE " + NUMBER + " <= " + FeedCounter.MAX_VALUES;
    }

    /** The named values, each once, with the place at which it is named first. */
    private String named() {
        String value = NAMED + ".text" + (by.sqlType().equals("text") ? "" : "::" + by.sqlType());
        return "SELECT DISTINCT ON (1) " + value + ", " + NAMED + ".place FROM unnest("
                + Values.PARAMETERS.text(list.parameterCount() + 1) + "::text[]) WITH ORDINALITY AS " + NAMED
                + "(text, place) ORDER BY 1, 2";
    }

    /**
     * The conditions of the rows with a value. To an equality, the planner would not need to sort by the column, and
     * could read the table or another index until it has found enough rows. To a range, it does, and only an index
     * that starts with the column provides this order.
     */
    private List<String> between(String value) {
        return with(isNotNull(), operand() + " >= " + value, operand() + " <= " + value);
    }

    private String count(List<String> conditions) {
        Output nothing = new Output(name -> "1", List.of(by));
        return "(SELECT count(*)::int FROM " + ranges.scanForAny(nothing, conditions, limit) + ' ' + ITEMS_NAME + ')';
    }

    /** Without OFFSET, PostgreSQL would merge the subquery into the query around it, and count twice. */
    private static String withoutZero(String count) {
        return "SELECT * FROM (" + count + " OFFSET 0) " + FOUND + '(' + VALUE_NAME + ", " + ITEMS_NAME + ", "
                + NUMBER_NAME + ") WHERE " + ITEMS_NAME + " > 0";
    }

    private String grouped() {
        if (hasOnlyNull()) {
            return "SELECT " + output("NULL") + ", count(*)::int FROM (SELECT 1 FROM " + Sql.relation(feed.relation())
                    + " WHERE " + ranges.condition() + " LIMIT " + limit + ") " + ITEMS_NAME;
        }
        String groups = GROUPED + '(' + VALUE_NAME + ", " + ITEMS_NAME + ") AS MATERIALIZED (SELECT " + operand()
                + ", least(count(*), " + limit + ")::int FROM " + Sql.relation(feed.relation()) + " WHERE "
                + ranges.condition()
                + (namesValues
                        ? " AND " + operand() + " IN (SELECT " + VALUE + " FROM " + COUNTED + ')'
                        : canHaveNull() ? "" : " AND " + Sql.isNotNull(relation, by))
                + " GROUP BY 1)";
        String value = GROUPED + '.' + VALUE_NAME;
        String items = GROUPED + '.' + ITEMS_NAME;
        return namesValues
                ? "WITH " + COUNTED + '(' + VALUE_NAME + ", " + NUMBER_NAME + ") AS MATERIALIZED (" + named() + "), "
                        + groups + " SELECT " + output(VALUE) + ", coalesce(" + items + ", 0) FROM " + COUNTED
                        + " LEFT JOIN " + GROUPED + " ON " + value + " = " + VALUE + " ORDER BY " + NUMBER
                : "WITH " + groups + " SELECT " + output(value) + ", " + items + " FROM " + GROUPED + " ORDER BY "
                        + value + " LIMIT " + (FeedCounter.MAX_VALUES + 1);
    }

    /** Whether the list has only items without a value. */
    private boolean hasOnlyNull() {
        return !namesValues
                && list.conditions().stream().anyMatch(each -> each.isOn(by) && each.operation() == Operation.NULL);
    }

    private boolean canHaveNull() {
        return !namesValues
                && by.nullable()
                && list.conditions().stream().noneMatch(each -> each.isOn(by) && each.operation() != Operation.NULL);
    }

    /** Only a column that can be NULL needs the condition; see {@link Comparisons#isNotNull}. */
    private List<String> isNotNull() {
        return by.nullable() ? List.of(Sql.isNotNull(relation, by)) : List.of();
    }

    private static List<String> with(List<String> conditions, String... more) {
        return Stream.concat(conditions.stream(), Stream.of(more)).toList();
    }

    private String operand() {
        return Sql.operand(relation, by);
    }

    private String output(String value) {
        return ColumnTypes.output(by, value);
    }
}
