package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.feed.TextSources;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the SQL that returns the moment of a page, and that marks the rows that were written since an earlier moment.
 *
 * <p>A moment contains a horizon: the lowest id of the running transactions, or the next id if none is running. This
 * id is the {@code pg_snapshot_xmin} of the statement's own snapshot. All transactions with lower ids have ended, so
 * the page shows what they committed. If a later page has a row that the earlier page did not show, the {@code xmin}
 * of that row is therefore equal to or greater than the horizon. This also holds for rows that were written in a
 * savepoint, by a prepared transaction, or by a transaction that was still running when the earlier page was read. The
 * {@code xmin} has 32 bits, and freezing the row does not change it. The age of the {@code xmin}, counted back from
 * the next transaction id modulo 2^32, is never greater than the true age of the row, and equals that age if the row
 * is younger than 2^31 transactions. A row therefore never seems older than it is.
 *
 * <p>Transaction ids of different servers, or of a server before and after it was restored, cannot be compared. The
 * moment therefore identifies the run of the server by its start time: a server that was restored, or that replaces
 * another server, has another start time. Within one run, a later snapshot shows everything that an earlier one
 * showed. This also holds on a standby, and when that standby is promoted. If the moment belongs to another run, all
 * rows count as written.
 *
 * <p>Rows can change without being written if their relation changes: if it is attached to a parent, swapped by
 * renaming, or gets a column with a default. PostgreSQL then writes a row about the relation, its schema, or one of
 * its parents to {@code pg_class}, {@code pg_attribute}, {@code pg_inherits}, or {@code pg_namespace}. All rows of the
 * relation then count as written. So do all rows of a feed if a label of an enum, or an attribute of a composite type,
 * that its values contain was added, renamed, or dropped: {@link TextSources} lists these types, and is resolved again
 * when one of them changes. All of this applies to the tables of embeds, too.
 */
final class SinceSql {

    /**
     * Columns are unlikely to have this name or one of the next two; the statement would be ambiguous if a feed's
     * relation had such a column.
     */
    static final String WRITTEN = "\"tidemark written\"";

    private static final String AGE = "\"tidemark age\"";
    private static final String RELATIONS = "\"tidemark relations\"";

    /**
     * An expression that identifies the run of the server, and the database. Its value always has the same length. A
     * server that recovers from the crash of one of its processes keeps its start time, and can reuse transaction ids
     * that left nothing on disk. The expression therefore includes the time of the last statistics reset, because such
     * a recovery resets the statistics.
     *
     * <p>Every page of a feed with delta computes this expression, so it uses the cheapest functions: it encodes the
     * bytes of the times, and takes the database's OID from a file path. The times as text and the OID from
     * {@code pg_database} would take 20 µs more.
     */
    private static final String RUN = "concat(encode(timestamptz_send(pg_postmaster_start_time()), 'hex'), '/',"
            + " encode(timestamptz_send(pg_stat_get_bgwriter_stat_reset_time()), 'hex'), '/',"
            + " lpad(split_part(pg_relation_filepath(1259), '/', -2), 10, '0'))";

    /** The moment as text: the run, a slash, and the horizon. */
    static final String MOMENT = "concat(" + RUN + ", '/', pg_snapshot_xmin(pg_current_snapshot()))";

    private final String relationOid;

    /** The relation of the feed, and then the tables of its embeds. */
    private final List<String> relationOids;

    private final TextSources textSources;
    private final String runParameter;
    private final String horizonParameter;

    /** @param firstParameter the number of the first of two parameters: the moment's run and its horizon */
    SinceSql(Feed feed, int firstParameter) {
        this.relationOid = oid(Sql.relation(feed.relation()));
        this.relationOids = Stream.concat(
                        Stream.of(relationOid), feed.embeds().stream().map(SinceSql::oid))
                .distinct()
                .toList();
        this.textSources = feed.policy().delta().orElseThrow().textSources();
        this.runParameter = '$' + Integer.toString(firstParameter) + "::text";
        this.horizonParameter = '$' + Integer.toString(firstParameter + 1) + "::text";
    }

    private static String oid(Embed embed) {
        return oid(Sql.relation(embed.schema(), embed.table()));
    }

    private static String oid(String relation) {
        return "to_regclass(" + SqlQuoting.quoteLiteral(relation) + ")";
    }

    /**
     * Returns the part of the WITH RECURSIVE clause that computes the age of the moment in transactions, or an age
     * greater than that of any row if all rows must be sent. For each relation that holds rows of the feed, it
     * computes whether a row of {@code pg_catalog} about the relation was written since the moment.
     */
    String withClause() {
        String relationWrittenCondition = rowWrittenCondition("c")
                + " OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND "
                + rowWrittenCondition("a") + ')';
        return AGE + "(age) AS MATERIALIZED (SELECT CASE WHEN " + runParameter + " = " + RUN
                + " AND " + horizonParameter + "::xid8 <= pg_snapshot_xmin(now)"
                + " AND pg_snapshot_xmax(now)::text::bigint - " + horizonParameter + "::bigint < 2147483648"
                // The function age() counts from the next transaction id, which PostgreSQL reads only once in each
                // transaction. If this id is older than the snapshot, the age would be too small, so all rows are
                // sent.
                + " AND age(pg_snapshot_xmax(now)::xid) >= 0"
                + " THEN age(" + horizonParameter
                + "::xid8::xid)::bigint ELSE 4294967295 END FROM pg_current_snapshot() now), "
                + RELATIONS + "(oid, written) AS (SELECT c.oid, " + rowWrittenCondition("n") + " OR "
                + relationWrittenCondition
                + orSourceWritten("pg_enum", "enumtypid", textSources.enums())
                + orSourceWritten("pg_attribute", "attrelid", textSources.rowTypes())
                + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid "
                + (relationOids.size() == 1 ? "= " + relationOid : "IN (" + String.join(", ", relationOids) + ')')
                + " UNION ALL SELECT c.oid, r.written OR " + rowWrittenCondition("i") + " OR "
                + relationWrittenCondition
                + " FROM " + RELATIONS + " r JOIN pg_inherits i ON i.inhparent = r.oid"
                + " JOIN pg_class c ON c.oid = i.inhrelid)";
    }

    /**
     * Returns a condition that is true if a row of the feed, or a row of {@code pg_catalog} about the relation that
     * holds it, was written since the moment. A relation that is not found, because it is being swapped or renamed,
     * counts as written, and so does every row if the text of its values depends on more than those rows.
     */
    String writtenCondition(String relation) {
        return textSources.unbounded()
                ? "true"
                : rowWrittenCondition(SqlQuoting.quoteIdentifier(relation)) + " OR "
                        + SqlQuoting.quoteIdentifier(relation) + ".tableoid <> ALL (" + unwrittenRelations() + ')';
    }

    /**
     * Returns the array of the relations that were not written since the moment. A partition can be listed twice:
     * below its parent, and as the table of an embed. It then counts as written if either entry does.
     */
    private String unwrittenRelations() {
        return "ARRAY(SELECT oid FROM " + RELATIONS
                + (relationOids.size() == 1 ? " WHERE NOT written" : " GROUP BY oid HAVING NOT bool_or(written)") + ')';
    }

    /** @param oids of the types or relations whose rows in the catalogue are tested */
    private static String orSourceWritten(String catalogue, String column, List<Long> oids) {
        return oids.isEmpty()
                ? ""
                : " OR EXISTS (SELECT FROM " + catalogue + " s WHERE s." + column + " IN ("
                        + oids.stream().map(Object::toString).collect(Collectors.joining(", ")) + ") AND "
                        + rowWrittenCondition("s") + ')';
    }

    private static String rowWrittenCondition(String alias) {
        return "(age(" + alias + ".xmin)::bigint & 4294967295) <= (SELECT age FROM " + AGE + ')';
    }
}
