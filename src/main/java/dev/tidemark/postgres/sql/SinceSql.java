package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.naming.SqlNames;

/**
 * Builds the SQL of moments: the moment of a page, and which of its rows were written since another one.
 *
 * <p>A moment contains the lowest id of the running transactions, or the next id if none is running: {@code pg_snapshot_xmin} of the statement's own
 * snapshot. Every transaction with a lower id has ended, so the page shows what it wrote. So a row of a later page that the earlier one
 * did not show has an {@code xmin} at or above it: also if it was written by a transaction that ran at the moment and committed
 * late, in a savepoint, or by one that was prepared. The row's {@code xmin} has 32 bits and stays as it was when the row is frozen.
 * Its age, counted back from the next transaction id modulo 2^32, is never more than the true age, and is the true age of any row
 * that is younger than 2^31 transactions. So no row seems older than it is.
 *
 * <p>Transaction ids can be compared only within one history. The moment therefore names the run of the server: a server that was
 * restored, promoted in place of another, or replaced has started at another time. Within one run, a later snapshot shows all that
 * an earlier one has shown, on a standby too, and when the standby is promoted. A moment of another run means all rows.
 *
 * <p>Rows can change without being written, when their relation does: it is attached or swapped by a new name, or gets a column with
 * a default. Then the relation's own row in {@code pg_class}, {@code pg_attribute}, {@code pg_inherits} or {@code pg_namespace} was
 * written, or that of one of its parents, and all rows of the relation count as written. The same holds for all rows of a feed with
 * enums when a label of any enum was written.
 */
final class SinceSql {

    /** Unlikely names, because a column of the same name in a feed's relation would make the statement ambiguous. */
    static final String WRITTEN = "\"tidemark written\"";

    private static final String AGE = "\"tidemark age\"";
    private static final String RELATIONS = "\"tidemark relations\"";

    /**
     * The start of the server's run and the database, always equally long. A server that recovers from the crash of one of its
     * processes goes on, and may use ids a second time that left nothing on disk; but it discards its statistics.
     *
     * <p>Every page computes this, so it is made of what costs least: the bytes of the times, and the path of a file that contains
     * the database's oid. Their text, and the oid read from {@code pg_database}, cost 20 µs more.
     */
    private static final String RUN = "concat(encode(timestamptz_send(pg_postmaster_start_time()), 'hex'), '/',"
            + " encode(timestamptz_send(pg_stat_get_bgwriter_stat_reset_time()), 'hex'), '/',"
            + " lpad(split_part(pg_relation_filepath(1259), '/', -2), 10, '0'))";

    /** The moment as text: the run, and the horizon after the last slash. */
    static final String MOMENT = "concat(" + RUN + ", '/', pg_snapshot_xmin(pg_current_snapshot()))";

    private final String root;
    private final boolean hasEnums;
    private final String run;
    private final String horizon;

    /** @param firstParameter the number of the first of two parameters: the moment's run and its horizon */
    SinceSql(Feed feed, int firstParameter) {
        this.root = "to_regclass(" + SqlNames.literal(Sql.relation(feed.relation())) + ")";
        this.hasEnums = feed.columns().stream().anyMatch(SinceSql::mayContainEnums);
        this.run = '$' + Integer.toString(firstParameter) + "::text";
        this.horizon = '$' + Integer.toString(firstParameter + 1) + "::text";
    }

    /**
     * The start of the statement: the age of the moment in transactions, which is greater than any row's if all rows are to be sent,
     * and the relations that have been written since, of all that hold the feed's rows.
     */
    String with() {
        String writtenRelation =
                written("c") + " OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND "
                        + written("a") + ')';
        return "WITH RECURSIVE " + AGE + "(age) AS MATERIALIZED (SELECT CASE WHEN " + run + " = " + RUN
                + " AND " + horizon + "::xid8 <= pg_snapshot_xmin(now)"
                + " AND pg_snapshot_xmax(now)::text::bigint - " + horizon + "::bigint < 2147483648"
                // Ages are counted from an id that is read once per transaction, which must not be older than the
                // snapshot.
                + " AND age(pg_snapshot_xmax(now)::xid) >= 0"
                + " THEN age(" + horizon + "::xid8::xid)::bigint ELSE 4294967295 END FROM pg_current_snapshot() now), "
                + RELATIONS + "(oid, written) AS (SELECT c.oid, " + written("n") + " OR " + writtenRelation
                + writtenEnum()
                + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = " + root
                + " UNION ALL SELECT c.oid, r.written OR " + written("i") + " OR " + writtenRelation
                + " FROM " + RELATIONS + " r JOIN pg_inherits i ON i.inhparent = r.oid"
                + " JOIN pg_class c ON c.oid = i.inhrelid) ";
    }

    /**
     * Whether a row of the feed's relation, or the relation that holds it, was written since the moment. A relation that is not found,
     * because it is being swapped or renamed, counts as written.
     */
    String isWritten(String relation) {
        return written(Sql.quoted(relation)) + " OR " + Sql.quoted(relation)
                + ".tableoid <> ALL (ARRAY(SELECT oid FROM " + RELATIONS + " WHERE NOT written))";
    }

    private String writtenEnum() {
        return hasEnums ? " OR EXISTS (SELECT FROM pg_enum e WHERE " + written("e") + ')' : "";
    }

    /** In arrays and in composite types too. */
    private static boolean mayContainEnums(Column column) {
        return !(column.type() instanceof Scalar) || column.type() == Scalar.OTHER;
    }

    private static String written(String row) {
        return "(age(" + row + ".xmin)::bigint & 4294967295) <= (SELECT age FROM " + AGE + ')';
    }
}
