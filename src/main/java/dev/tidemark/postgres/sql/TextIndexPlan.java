package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SqlQuoting;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;

/**
 * How PostgreSQL plans to find all rows of a search.
 *
 * @param usesTextIndex whether an index finds rows by a part of their text
 * @param rows the expected number of rows
 * @param cost what PostgreSQL expects the plan to cost, where a page of 8 kB costs 1
 */
public record TextIndexPlan(boolean usesTextIndex, long rows, double cost) {

    /** A name or a text in an expression, which can contain the operator. */
    private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'");

    /** The operator ILIKE as an expression shows it. No index but one on text has it as its condition. */
    private static final String ILIKE = " ~~* ";

    /** Makes the planner use an index on text if there is one, even if the table is empty. */
    public static final String PREFER_TEXT_INDEX =
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;";

    /**
     * Returns the EXPLAIN of a search in one column. If the index is partial, only the feed's {@code visible}
     * condition can imply its predicate; but this condition can also have an index of its own, with which a small
     * table is read.
     */
    public static String explain(Feed feed, Column column) {
        String search = "SELECT 1 FROM " + Sql.relation(feed.relation()) + " WHERE "
                + Sql.operand(feed.relation().name(), column) + "::text ILIKE '%tidemark%'";
        return CountSql.EXPLAIN
                + search
                + feed.relation()
                        .visible()
                        .map(visible -> " AND " + Sql.inParentheses(visible) + " UNION ALL " + search)
                        .orElse("");
    }

    /**
     * Returns the query for whether an index of trigrams finds all that ILIKE matches in a column. The index knows
     * letters and their cases as the database does, whatever the collation of the column is. ICU turns a letter into
     * lower case depending on its neighbours; {@code builtin} has cases of letters that the C library does not take
     * for letters. ILIKE in the collation C knows the cases of ASCII only, of which a Turkish database turns one into
     * another letter. The query reads no row, and does not compute the expression of a derived column.
     */
    public static String findsAllCases(Feed feed, Column column) {
        String row = SqlQuoting.quoteIdentifier(Sql.SUBQUERY + "row");
        return "SELECT CASE WHEN name = '\"default\"' THEN d.datlocprovider = 'c'"
                + " WHEN name IN ('\"C\"', '\"POSIX\"') THEN pg_catalog.lower('I' COLLATE \"default\") = 'i'"
                + " AND (d.datlocprovider = 'c'"
                + " OR d.datlocprovider = 'b' AND pg_catalog.to_jsonb(d) ->> 'datlocale' IN ('C', 'C.UTF-8'))"
                + " ELSE false END FROM (SELECT pg_catalog.pg_collation_for(CASE WHEN " + row
                + ".number = 1 THEN NULL::text ELSE "
                + Sql.operand(feed.relation().name(), column)
                + "::text END) FROM (VALUES (1)) " + row + "(number) LEFT JOIN " + Sql.relation(feed.relation())
                + " ON false) collated(name)"
                + " JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()";
    }

    /** The statement that returns the plan for all rows of a search. */
    public static Statement statement(ListState state) {
        return CountSql.estimate(state, Statement.Kind.TEXT_INDEXED);
    }

    /** @param explained the result of EXPLAIN */
    public static TextIndexPlan of(Object explained) {
        JsonObject plan = ((JsonArray) explained).getJsonObject(0).getJsonObject("Plan");
        return new TextIndexPlan(usesTextIndex(plan), plan.getLong("Plan Rows"), plan.getDouble("Total Cost"));
    }

    private static boolean usesTextIndex(JsonObject node) {
        return QUOTED.matcher(node.getString("Index Cond", "")).replaceAll("").contains(ILIKE)
                || node.getJsonArray("Plans", new JsonArray()).stream()
                        .anyMatch(child -> usesTextIndex((JsonObject) child));
    }
}
