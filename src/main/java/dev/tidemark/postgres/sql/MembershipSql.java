package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.SqlQuoting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Builds the SQL of one membership. NULLs among its values match nothing.
 *
 * <p>If an index starts with the column of the membership and continues with the order's keys, a page is merged from
 * one limited scan for each value. The statement begins with the values, at most one more than {@link #MAX_MERGED}:
 *
 * <pre>
 *   WITH memberships(value) AS MATERIALIZED (SELECT DISTINCT … LIMIT 201)
 *   SELECT … FROM (
 *     (SELECT listed.* FROM memberships CROSS JOIN LATERAL (
 *        SELECT … WHERE "channel_id" = memberships.value AND … ORDER BY … LIMIT 31) listed
 *      WHERE (SELECT count(*) FROM memberships) &lt;= 200)
 *     UNION ALL
 *     (SELECT … WHERE "channel_id" IN (SELECT …) AND … AND (SELECT count(*) FROM memberships) &gt; 200
 *      ORDER BY … LIMIT 31)) merged ORDER BY … LIMIT 31
 * </pre>
 *
 * <p>PostgreSQL evaluates each of the two conditions on the number of values once, and starts only the scans below the
 * one that is true.
 *
 * @param firstParameter the number of the parameter for the first claim
 * @param source where the statement has the claims
 */
record MembershipSql(Access.Membership membership, int firstParameter, Values source) {

    private static final int MAX_MERGED = Sql.MAX_MERGED_MEMBERSHIPS;

    /**
     * If nearly all rows have the same value, the page of a search looks at hardly more rows than the share of this
     * value.
     */
    private static final int SMALLEST_SHARE = 200;

    /** Columns and tables are unlikely to have these names; the statement would be ambiguous otherwise. */
    private static final String VALUES = "\"tidemark memberships\"";

    private static final String VALUE = VALUES + ".\"tidemark value\"";
    private static final String LISTED = "\"tidemark listed\"";

    /** The number of values, if it is not above the maximum. */
    private static final String COUNT = "(SELECT count(*) FROM " + VALUES + ")";

    /** The table of the membership in a subquery, in which no name of the feed's relation can be meant. */
    private static final String TABLE = "tidemark member";

    /** A condition on the rows of a relation that makes PostgreSQL join it with the membership. */
    String join(String relation) {
        return Sql.operand(relation, membership.column()) + " IN (SELECT " + value() + from() + ')';
    }

    /** The values, as a part of the statement's WITH clause. */
    String values() {
        return VALUES + "(\"tidemark value\") AS MATERIALIZED (SELECT DISTINCT " + value() + from() + " AND "
                + Sql.operand(TABLE, membership.member()) + " IS NOT NULL LIMIT " + (MAX_MERGED + 1) + ')';
    }

    /** A condition that does not depend on a row: whether a value of the feed's column is one of the membership. */
    String has(int parameter) {
        return "EXISTS (SELECT " + from() + " AND " + value() + " = " + source.of(parameter, membership.column()) + ')';
    }

    /**
     * The condition that limits a scan to the rows with the value that {@link #merge} passes to it.
     *
     * @param isSorted whether the scan is also sorted by the column. The planner then uses only an index that starts
     *     with the column, however rare or common it believes the value to be. To an equality, it would not need to
     *     sort by the column, and could choose the order's own index and filter its rows; to a comparison with an
     *     array, it does. The column must be the only one that precedes the order's keys in the index: PostgreSQL 16
     *     and earlier do not use the order of an index with an array for a later column
     */
    String isMergedValue(String relation, boolean isSorted) {
        String column = Sql.operand(relation, membership.column());
        return isSorted ? column + " = ANY (ARRAY[" + VALUE + "])" : column + " = " + VALUE;
    }

    /** @param scans the scans of the rows that have one value */
    static String merge(String scans) {
        return "(SELECT " + LISTED + ".* FROM " + VALUES + " CROSS JOIN LATERAL (" + scans + ") " + LISTED + " WHERE "
                + COUNT + " <= " + MAX_MERGED + ')';
    }

    /** The number of rows for each value, if all values share this many; at least {@link #SMALLEST_SHARE}. */
    static String share(int rows) {
        return "(SELECT greatest(" + SMALLEST_SHARE + ", " + rows + " / greatest(1, count(*))) FROM " + VALUES + ')';
    }

    /** The condition of a scan that is used beyond {@link #MAX_MERGED}. */
    static String isNotMerged() {
        return COUNT + " > " + MAX_MERGED;
    }

    /** The value of a row of the membership's table, in the collation in which it is compared. */
    private String value() {
        return Sql.operand(TABLE, membership.member())
                + membership.collation().map(name -> " COLLATE " + name).orElse("");
    }

    private String from() {
        return " FROM " + rows() + ' ' + SqlQuoting.quoteIdentifier(TABLE) + " WHERE "
                + IntStream.range(0, membership.where().size())
                        .mapToObj(i -> {
                            Column column = membership.where().get(i).column();
                            return Sql.operand(TABLE, column) + " = " + source.of(firstParameter + i, column);
                        })
                        .collect(Collectors.joining(" AND "));
    }

    /**
     * The rows of the table that can be memberships. PostgreSQL merges the subquery into the query around it. The
     * subquery names the columns of the condition with their table: if one of them is dropped, the statement fails,
     * and the condition does not mean a column of the feed's relation that has the same name.
     */
    private String rows() {
        String table = Sql.relation(membership.schema(), membership.table());
        return membership
                .condition()
                .map(condition -> Stream.of(
                                Stream.of(membership.member().name()),
                                membership.where().stream()
                                        .map(claim -> claim.column().name()),
                                condition.columns().stream().sorted())
                        .flatMap(names -> names)
                        .distinct()
                        .map(name -> table + '.' + SqlQuoting.quoteIdentifier(name))
                        .collect(Collectors.joining(
                                ", ",
                                "(SELECT ",
                                " FROM " + table + " WHERE " + Sql.inParentheses(condition.sql()) + ')')))
                .orElse(table);
    }
}
