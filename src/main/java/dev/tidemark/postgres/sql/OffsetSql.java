package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.OffsetRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the statements that read pages of one order of one feed by offset. For the filter {@code status=open},
 * forward:
 *
 * <pre>
 *   SELECT "tidemark page"."id", …, "tidemark page"."tidemark row number" FROM (
 *     SELECT row_number() OVER () AS "tidemark row number", listed.* FROM (
 *       SELECT "id", … WHERE "status" = $1 ORDER BY "created_at" DESC, "id" DESC LIMIT $2) listed) "tidemark page"
 *   WHERE "tidemark row number" = 1 OR "tidemark row number" > $3
 *   ORDER BY "tidemark row number" LIMIT $4
 * </pre>
 *
 * <p>PostgreSQL computes the list once, even if the relation is a view that ranks its rows, and numbers the rows only
 * up to the one that follows the page. Each row is returned with its number. A forward statement also returns the
 * first row of the list, so that an empty page beyond the end of the list shows that earlier rows exist. A backward
 * statement also numbers the rows up to the one that follows its page, and returns the last {@code $3} of them in
 * reverse order. If the offset is beyond the end of the
 * list, a backward page therefore consists of the last rows of the list. The backward statement ends as follows:
 *
 * <pre>
 *   … LIMIT $2) listed) "tidemark page" ORDER BY "tidemark row number" DESC LIMIT $3
 * </pre>
 *
 * <p>{@link EmbedSql} looks up the embedded rows of the result, which is then a subquery.
 */
public final class OffsetSql {

    /**
     * Columns are unlikely to have this name; the statement would be ambiguous if a feed's relation had such a column.
     */
    private static final String NUMBER = "\"tidemark row number\"";

    private static final String PAGE = SqlQuoting.quoteIdentifier(EmbedSql.PAGE);

    private final Feed feed;
    private final Order order;
    private final EmbedSql embeds;

    /** The columns that the list returns: those of the feed, and those by which its embedded rows are looked up. */
    private final List<Column> listedColumns;

    OffsetSql(Feed feed, Order order) {
        this.feed = feed;
        this.order = order;
        this.embeds = new EmbedSql(feed);
        this.listedColumns = Stream.concat(
                        feed.columns().stream(),
                        feed.embeds().stream()
                                .flatMap(embed -> embed.on().stream())
                                .map(Embed.Match::own))
                .distinct()
                .toList();
    }

    String statement(ListShape list, Direction direction) {
        String relation = feed.relation().name();
        int firstParameter = list.parameterCount() + 1;
        String listed = "SELECT " + columns(listedColumns, column -> Sql.named(relation, column))
                + " FROM " + Sql.relation(feed.relation()) + " WHERE "
                + new RangeSql(feed, order, list, 1).condition() + Sql.orderBy(relation, order.keys())
                + (feed.relation().hasKey() ? "" : ", " + rowAsText(relation))
                + " LIMIT "
                + bigint(firstParameter);
        String numbered =
                " FROM (SELECT row_number() OVER () AS " + NUMBER + ", listed.* FROM (" + listed + ") listed) " + PAGE;
        String page =
                switch (direction) {
                    case FORWARD ->
                        numbered + " WHERE " + PAGE + '.' + NUMBER + " = 1 OR " + PAGE + '.' + NUMBER + " > "
                                + bigint(firstParameter + 1) + " ORDER BY " + PAGE + '.' + NUMBER + " LIMIT "
                                + bigint(firstParameter + 2);
                    case BACKWARD ->
                        numbered + " ORDER BY " + PAGE + '.' + NUMBER + " DESC LIMIT " + bigint(firstParameter + 1);
                };
        String values = columns(
                feed.columns(),
                column -> ColumnTypes.output(column, PAGE + '.' + SqlQuoting.quoteIdentifier(column.name())));
        return feed.embeds().isEmpty()
                ? "SELECT " + values + ", " + PAGE + '.' + NUMBER + page
                : "SELECT " + values + ", " + String.join(", ", embeds.values(value -> value, Set.of())) + ", " + PAGE
                        + '.' + NUMBER + embeds.from("SELECT " + PAGE + ".*" + page, Optional.empty());
    }

    static int parameterCount(ListShape list, Direction direction) {
        return list.parameterCount() + (direction == Direction.FORWARD ? 3 : 2);
    }

    /**
     * Appends the parameters that follow the conditions' values. The limits allow for one additional row before the
     * page, and one after it.
     */
    public static void bind(OffsetRequest request, List<String> parameters) {
        int rows = request.limit() + 2;
        switch (request.direction()) {
            case FORWARD -> {
                add(parameters, request.precedingCount() + request.limit() + 1);
                add(parameters, request.precedingCount());
            }
            case BACKWARD -> add(parameters, request.precedingCount() + 1);
        }
        add(parameters, rows);
    }

    /**
     * The sort key that follows the order's keys if the relation has no key: the text of all columns of the feed. Rows
     * that tie even in this key are identical as text. This also holds if the type of a column has no sort order, or
     * treats different texts as equal, such as 1.0 and 1.00.
     */
    private String rowAsText(String relation) {
        return "ROW(" + columns(feed.columns(), column -> Sql.column(relation, column)) + ")::text COLLATE \"C\"";
    }

    private static void add(List<String> parameters, int number) {
        parameters.add(Integer.toString(number));
    }

    private static String bigint(int parameter) {
        return '$' + Integer.toString(parameter) + "::text::bigint";
    }

    private static String columns(List<Column> columns, Function<Column, String> expression) {
        return columns.stream().map(expression).collect(Collectors.joining(", "));
    }
}
