package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.sql.RangeSql.Output;
import dev.tidemark.postgres.sql.RangeSql.Range;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the statements that count or estimate the rows of a list, with the same conditions as the list's page
 * statements. A statement that counts one list returns whether there can be more rows, too: if the list has
 * conditions that look for text, counting ends at the {@linkplain Feed.Search#largeScan number of rows} that it may
 * look at.
 */
public final class CountSql {

    /** The beginning of the statements that return a plan instead of rows. */
    public static final String EXPLAIN = "EXPLAIN (FORMAT JSON) ";

    private CountSql() {}

    /**
     * Returns a statement that counts the rows on one side of a gap.
     *
     * @param shape the shape of a page of these rows; the statement has the parameters of this shape
     * @param cap the number of rows at which counting stops
     * @return empty if no row can follow, because the pin excludes all non-NULL values and the scroll has passed the
     *     NULLs
     */
    public static Optional<Statement> countRemaining(ListState state, PageShape shape, int cap) {
        return countRemaining(state, shape, cap, Values.PARAMETERS)
                .map(count -> statement(count + parameterReferences(shape), state, shape));
    }

    /**
     * Returns a statement that counts like {@link #countRemaining}, but at several places of the same shape. Its
     * parameters are arrays: for each parameter of the shape, the values of all places. It returns the counts in the
     * order of the places.
     *
     * @return empty if no row can follow
     */
    public static Optional<Statement> countRemainingOfSeveral(ListState state, PageShape shape, int cap) {
        return countRemaining(state, shape, cap, Values.ROWS)
                .map(count -> statement(
                        "SELECT (" + count + ") FROM " + Values.rows(shape.parameterCount()) + " ORDER BY "
                                + Values.rowNumber(),
                        state,
                        shape));
    }

    /**
     * Whether several places of this shape can be counted by one statement, because an index serves each of their
     * lists. Citus and foreign servers cannot run such a statement.
     */
    public static boolean canCountSeveral(ListState state, PageShape shape) {
        return shape.parameterCount() > 0
                && !state.feed().relation().storage().foreign()
                && shape.list().statementKind(state.feed(), state.order()) == Statement.Kind.INDEXED;
    }

    private static Statement statement(String sql, ListState state, PageShape shape) {
        return statement(
                sql, shape.parameterCount(), shape.list().statementKind(state.feed(), state.order()), state.feed());
    }

    private static Statement statement(String sql, int parameterCount, Statement.Kind kind, Feed feed) {
        return new Statement(sql, parameterCount, kind, Statement.listTables(feed), Optional.of(feed.name()));
    }

    private static Optional<String> countRemaining(ListState state, PageShape shape, int cap, Values values) {
        RangeSql ranges =
                new RangeSql(state.feed(), state.order(), shape.list(), shape.firstConditionParameter(), values);
        Range range = new Range(
                new Output(relation -> "1", keys(state)),
                shape.boundGap(),
                shape.direction(),
                cap,
                shape.pin(),
                shape.pinParameter());
        if (shape.isSearch()) {
            return countSearched(ranges, range, scan(state));
        }
        return ranges.scans(range).isEmpty()
                ? Optional.empty()
                : Optional.of(with(ranges) + "SELECT count(*)::int"
                        + (values == Values.PARAMETERS ? ", false" : "") + " FROM " + ranges.limitedUnion(range)
                        + " beyond");
    }

    private static String with(RangeSql ranges) {
        return ranges.with().map(with -> "WITH " + with + ' ').orElse("");
    }

    /**
     * Counts the rows that meet the conditions that look for text. The rows are looked at in the list's order, so
     * that the same rows are counted each time.
     */
    private static Optional<String> countSearched(RangeSql ranges, Range range, int scan) {
        Range marked = new Range(
                new Output(
                        relation -> RangeSql.MATCHES + " AS matches, " + RangeSql.ENDS + " AS ends",
                        range.output().columns()),
                range.gap(),
                range.direction(),
                range.limit(),
                range.pin(),
                range.pinParameter());
        return ranges.searched(marked, scan)
                .map(rows ->
                        with(ranges) + "SELECT (count(*) FILTER (WHERE matches))::int, coalesce(bool_or(ends), false)"
                                + " FROM " + rows + " beyond");
    }

    /**
     * Returns a WHERE clause that is always true and uses every parameter of the gap; an empty string unless the pin
     * excludes all non-NULL values. With such a pin, the scans can leave some of these parameters unused, and
     * PostgreSQL cannot determine the type of an unused parameter.
     */
    private static String parameterReferences(PageShape shape) {
        int gapParameterCount = shape.pin() == PinShape.ALL_NULL ? shape.firstConditionParameter() - 1 : 0;
        return gapParameterCount == 0
                ? ""
                : IntStream.rangeClosed(1, gapParameterCount)
                        .mapToObj(value -> "$" + value + "::text")
                        .collect(Collectors.joining(", ", " WHERE pg_catalog.num_nulls(", ") = 0"));
    }

    private static List<Column> keys(ListState state) {
        return state.order().keys().stream().map(OrderKey::column).distinct().toList();
    }

    private static int scan(ListState state) {
        return state.feed().policy().search().largeScan();
    }

    /** @param cap the number of rows at which counting stops */
    public static Statement countAll(ListState state, int cap) {
        ListShape list = ListShape.of(state);
        if (list.isSearch()) {
            RangeSql ranges = new RangeSql(state.feed(), state.order(), list, 1);
            Range all = new Range(new Output(relation -> "1", keys(state)), Optional.empty(), Direction.FORWARD, cap);
            return statement(
                    countSearched(ranges, all, scan(state)).orElseThrow(),
                    list.parameterCount(),
                    list.statementKind(state.feed(), state.order()),
                    state.feed());
        }
        return statement(
                "SELECT count(*)::int, false FROM (" + allRows(state) + " LIMIT " + cap + ") counted",
                list.parameterCount(),
                Statement.Kind.FREE,
                state.feed());
    }

    /** Returns an EXPLAIN of a statement that reads all rows. The plan contains the estimated number of rows. */
    public static Statement estimate(ListState state) {
        return estimate(state, Statement.Kind.FREE);
    }

    /** @param kind of the statement that would read the rows */
    static Statement estimate(ListState state, Statement.Kind kind) {
        return statement(EXPLAIN + allRows(state), ListShape.of(state).parameterCount(), kind, state.feed());
    }

    private static String allRows(ListState state) {
        RangeSql ranges = new RangeSql(state.feed(), state.order(), ListShape.of(state), 1);
        return "SELECT 1 FROM " + Sql.relation(state.feed().relation()) + " WHERE " + ranges.estimatedCondition();
    }
}
