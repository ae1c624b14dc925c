package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.RangeSql.Output;
import dev.tidemark.postgres.sql.RangeSql.Range;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the statements that count or estimate the rows of a list, with the same conditions as the list's page
 * statements.
 */
public final class CountSql {

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
     * Whether several places of this shape can be counted by one statement, because an index serves each of their lists.
     * Citus and foreign servers cannot run such a statement.
     */
    public static boolean canCountSeveral(ListState state, PageShape shape) {
        return shape.parameterCount() > 0
                && !state.feed().relation().storage().foreign()
                && shape.list().statementKind(state.feed(), state.order()) == Statement.Kind.INDEXED;
    }

    private static Statement statement(String sql, ListState state, PageShape shape) {
        return statement(sql, shape.list().statementKind(state.feed(), state.order()), state.feed());
    }

    private static Statement statement(String sql, Statement.Kind kind, Feed feed) {
        return new Statement(sql, kind, Statement.listTables(feed), Optional.of(feed.name()));
    }

    private static Optional<String> countRemaining(ListState state, PageShape shape, int cap, Values values) {
        RangeSql ranges =
                new RangeSql(state.feed(), state.order(), shape.list(), shape.firstConditionParameter(), values);
        List<Column> keys = state.order().keys().stream().map(OrderKey::column).toList();
        Range range = new Range(
                new Output(relation -> "1", keys),
                shape.boundGap(),
                shape.direction(),
                cap,
                shape.pin(),
                shape.pinParameter());
        return ranges.scans(range).isEmpty()
                ? Optional.empty()
                : Optional.of(ranges.with().map(with -> "WITH " + with + ' ').orElse("") + "SELECT count(*)::int FROM "
                        + ranges.limitedUnion(range) + " beyond");
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

    /** @param cap the number of rows at which counting stops */
    public static Statement countAll(ListState state, int cap) {
        return statement(
                "SELECT count(*)::int FROM (" + allRows(state) + " LIMIT " + cap + ") counted",
                Statement.Kind.FREE,
                state.feed());
    }

    /** Returns an EXPLAIN of a statement that reads all rows. The plan contains the estimated number of rows. */
    public static Statement estimate(ListState state) {
        return statement("EXPLAIN (FORMAT JSON) " + allRows(state), Statement.Kind.FREE, state.feed());
    }

    private static String allRows(ListState state) {
        RangeSql ranges = new RangeSql(state.feed(), state.order(), ListShape.of(state), 1);
        return "SELECT 1 FROM " + Sql.relation(state.feed().relation()) + " WHERE " + ranges.condition();
    }
}
