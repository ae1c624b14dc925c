package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Builds the SQL that looks up the embedded rows of the rows of a page. For the embed
 * {@code author: {table: users, on: {id: author_id}, columns: [name]}}:
 *
 * <pre>
 *   SELECT "tidemark page"."id", …, e1."tidemark present", e1."name"
 *   FROM (… the rows of the page, within their LIMIT …) "tidemark page"
 *   LEFT JOIN LATERAL (
 *     SELECT true AS "tidemark present", e."name" FROM "public"."users" e WHERE e."id" = "tidemark page"."author_id" OFFSET 0) e1 ON true
 * </pre>
 *
 * <p>Each lookup is one probe of a unique index, whatever the statistics say. Because of its OFFSET, PostgreSQL cannot
 * turn the lookup into a hash or merge join, which would read the whole table, or lose the order of the rows. A LIMIT
 * would prevent that, too, but would add a node to the plan, which takes a tenth of the time of a lookup.
 */
final class EmbedSql {

    /** The name by which the statement refers to the rows of the page. */
    static final String PAGE = Sql.SUBQUERY + "page";

    private static final String QUOTED_PAGE = SqlQuoting.quoteIdentifier(PAGE);

    /** The name by which the statement refers to {@link SinceSql#WRITTEN} of a row with its embedded rows. */
    static final String ITEM = "item";

    /** The table in a lookup. */
    private static final String TABLE = "e";

    /** Columns are unlikely to have this name; the statement would be ambiguous if the table had such a column. */
    private static final String PRESENT = "\"tidemark present\"";

    private final Feed feed;

    EmbedSql(Feed feed) {
        this.feed = feed;
    }

    /**
     * Returns the FROM clause.
     *
     * @param rows the query that returns the rows of the page
     * @param since the moment that {@link #ITEM} refers to; empty if the statement has none
     */
    String from(String rows, Optional<SinceSql> since) {
        StringBuilder from = new StringBuilder(" FROM (" + rows + ") " + QUOTED_PAGE);
        for (int i = 0; i < feed.embeds().size(); i++) {
            from.append(" LEFT JOIN LATERAL (" + lookup(feed.embeds().get(i), since) + ") " + alias(i) + " ON true");
        }
        since.ifPresent(moment ->
                from.append(" CROSS JOIN LATERAL (SELECT " + written() + " AS " + SinceSql.WRITTEN + ") " + ITEM));
        return from.toString();
    }

    /**
     * Returns the expressions for the values of all embeds.
     *
     * @param output completes an expression
     * @param omitted the names of the embeds whose columns are NULL
     */
    List<String> values(UnaryOperator<String> output, Set<String> omitted) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < feed.embeds().size(); i++) {
            String row = alias(i);
            Embed embed = feed.embeds().get(i);
            values.add(output.apply(row + '.' + PRESENT));
            for (Column column : embed.columns()) {
                values.add(
                        omitted.contains(embed.name())
                                ? ColumnTypes.output(column, "NULL")
                                : output.apply(ColumnTypes.output(column, Sql.column(row, column))));
            }
        }
        return values;
    }

    private static String alias(int index) {
        return TABLE + (index + 1);
    }

    private static String lookup(Embed embed, Optional<SinceSql> since) {
        String columns = embed.columns().stream()
                .map(column -> ", " + Sql.column(TABLE, column))
                .collect(Collectors.joining());
        String conditions = embed.on().stream().map(EmbedSql::equality).collect(Collectors.joining(" AND "));
        return "SELECT true AS " + PRESENT + columns
                + since.map(moment -> ", " + moment.writtenCondition(TABLE) + " AS " + SinceSql.WRITTEN)
                        .orElse("")
                + " FROM " + Sql.relation(embed.schema(), embed.table()) + ' ' + TABLE + " WHERE " + conditions
                + " OFFSET 0";
    }

    private static String equality(Embed.Match match) {
        return Sql.operand(TABLE, match.column()) + " = " + Sql.operand(PAGE, match.own())
                + match.collation().map(collation -> " COLLATE " + collation).orElse("");
    }

    /**
     * Returns a condition that is true if the row of the feed or one of its embedded rows was written since the
     * moment. A row that was deleted leaves no trace. Therefore, an embedded row that does not exist counts as
     * written, unless the item refers to none because of a NULL. If a foreign key guarantees the row, it always
     * exists. A policy can hide or show any row without writing one, so rows of a table with row security always count
     * as written.
     */
    private String written() {
        return Stream.concat(
                        Stream.of(QUOTED_PAGE + '.' + SinceSql.WRITTEN),
                        IntStream.range(0, feed.embeds().size())
                                .mapToObj(i -> written(feed.embeds().get(i), alias(i))))
                .collect(Collectors.joining(" OR "));
    }

    private static String written(Embed embed, String row) {
        String refersToARow = refersToARow(embed);
        return embed.hasRowSecurity()
                ? refersToARow
                : "coalesce(" + row + '.' + SinceSql.WRITTEN + ", " + refersToARow + ')';
    }

    private static String refersToARow(Embed embed) {
        String refersToARow = embed.on().stream()
                .map(Embed.Match::own)
                .filter(Column::nullable)
                .map(own -> Sql.column(PAGE, own) + " IS NOT NULL")
                .collect(Collectors.joining(" AND "));
        return refersToARow.isEmpty() ? "true" : refersToARow;
    }
}
