package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import io.vertx.sqlclient.Row;

/**
 * The position of a host in the write-ahead log when the host was queried.
 *
 * @param isPrimary whether the host accepts writes
 * @param timeline the timeline of a primary, or the one that a standby is known to follow
 * @param appliedLsn every transaction that committed before this position is visible to statements that begin later
 * @param shownLsn every transaction that was visible to an earlier statement was committed before this position
 * @param xmin the oldest transaction that is running on a standby; on a primary, every transaction before it has
 *     either ended, or had not yet logged its commit when the host was queried; 0 if unknown
 * @param xmax transactions with this id or a later one are not visible; 0 if unknown
 */
public record LogPosition(boolean isPrimary, Timeline timeline, long appliedLsn, long shownLsn, long xmin, long xmax) {

    /**
     * A timeline of a database cluster.
     *
     * @param system a 16-bit hash of PostgreSQL's system identifier; 0 if it was not queried
     * @param id PostgreSQL's number of the timeline; 0 if it is not known
     */
    public record Timeline(int system, int id) {
        static final Timeline UNKNOWN = new Timeline(0, 0);
    }

    /** The page size of the write-ahead log on nearly all servers. */
    private static final int PAGE_BYTES = 8192;

    private static final int LONGEST_PAGE_HEADER_BYTES = 40;

    private static final String TIMELINE_OF_PRIMARY =
            "('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::int4";

    private static final String RECEIVED_TIMELINE = "(SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver)";

    private static final String TIMELINE_OF_STANDBY = """
            greatest((SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),
              (SELECT min_recovery_end_timeline FROM pg_catalog.pg_control_recovery()),
              %s)""".formatted(RECEIVED_TIMELINE);

    private static final String XMIN = "pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::int8";

    private static final String XMAX = "pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::int8";

    /**
     * Selects the columns of a {@link LogPosition}. On a primary, {@code appliedLsn} and {@code shownLsn} are the
     * position of the next record. A standby makes a commit visible just before it publishes the position of the
     * commit's record. What it has shown can therefore include one record after the applied position, unless it has
     * received no further record. The query reads the applied position first, and then the received position.
     */
    private static final String POSITION = """
            SELECT recovering, applied, recovering
                AND (pg_catalog.pg_last_wal_receive_lsn() - '0/0'::pg_catalog.pg_lsn) IS DISTINCT FROM applied,
              CASE WHEN NOT recovering THEN %s ELSE %s END%s
            FROM (SELECT recovering, (CASE WHEN recovering THEN pg_catalog.pg_last_wal_replay_lsn()
                ELSE pg_catalog.pg_current_wal_insert_lsn() END - '0/0'::pg_catalog.pg_lsn)::int8 AS applied
              FROM (SELECT pg_catalog.pg_is_in_recovery() AS recovering OFFSET 0) role OFFSET 0) host""";

    /**
     * Reads only the position, and the timeline that a standby receives, or 0 if it receives nothing; executed before
     * and after each read. After a promotion, a standby can show changes of the new timeline before the next poll. The
     * database cluster, and the timeline of a standby that receives nothing, are known from polls.
     */
    public static final String SQL = read(XMIN);

    /**
     * Like {@link #SQL}, but executed before a read that {@link #SQL} does not show to include the floor, on the
     * primary. The parameters are the {@code xmin} and {@code xmax} of the floor. A transaction that runs on the
     * primary is ignored if the floor's standby did not show it, because it is the floor's {@code xmin}, or because
     * its session waits for its client, a lock, or data: after the commit is logged, and until it is visible, a
     * session waits only for the log, for standbys, and for internal locks. The session's state is read after the
     * snapshot, and before the rows.
     */
    public static final String EXACT_SQL = read("""
            coalesce((SELECT x::text::int8 FROM pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()) x
                WHERE x <> $1::int8::text::xid8 AND x < $2::int8::text::xid8 AND NOT EXISTS (
                  SELECT FROM pg_catalog.pg_stat_activity WHERE backend_xid = x::xid
                    AND (state LIKE 'idle in transaction%' OR wait_event_type IN ('Client', 'Lock')
                      OR wait_event LIKE 'DataFile%' OR wait_event LIKE 'BufFile%'))
                ORDER BY x LIMIT 1), XMAX)""".replace("XMAX", XMAX));

    /**
     * Reads the position, the identifier of the database cluster, the timeline, and the flush LSN of a primary, which
     * is the latest position that a standby can receive. The timeline of a standby is the latest among those in its
     * control file and the one that it receives. Only a role with the privileges of {@code pg_read_all_stats} can see
     * which timeline a standby receives.
     */
    static final String POLL_SQL = POSITION.formatted(TIMELINE_OF_PRIMARY, TIMELINE_OF_STANDBY, """
            , (SELECT system_identifier FROM pg_catalog.pg_control_system()),
              CASE WHEN NOT recovering
                THEN (pg_catalog.pg_current_wal_flush_lsn() - '0/0'::pg_catalog.pg_lsn)::int8 ELSE applied END""");

    private static String read(String xmin) {
        return POSITION.formatted(
                TIMELINE_OF_PRIMARY, "coalesce(" + RECEIVED_TIMELINE + ", 0)", ", " + xmin + ", " + XMAX);
    }

    /** @param row a row of {@link #SQL} or {@link #EXACT_SQL} */
    public static LogPosition of(Row row) {
        return of(row, 0, row.getLong(4), row.getLong(5));
    }

    /** @param row a row of {@link #POLL_SQL} */
    static LogPosition ofPoll(Row row) {
        return of(row, Long.hashCode(row.getLong(4)) & 0xffff, 0, 0);
    }

    private static LogPosition of(Row row, int system, long xmin, long xmax) {
        boolean isPrimary = !row.getBoolean(0);
        long appliedLsn = isPrimary ? row.getLong(1) : afterHeader(row.getLong(1));
        return new LogPosition(
                isPrimary,
                new Timeline(system, row.getInteger(3)),
                appliedLsn,
                row.getBoolean(2) ? appliedLsn + 1 : appliedLsn,
                xmin,
                xmax);
    }

    /** Returns the flush LSN of a primary, or the replay LSN of a standby, from a row of {@link #POLL_SQL}. */
    static long flushOrReplayLsn(Row row) {
        return row.getLong(5);
    }

    /**
     * If a standby's position is at the start of a page, returns the position after the longest possible page header,
     * because a primary reports the position of the next record, which is after the header. No record ends between
     * these two positions.
     */
    private static long afterHeader(long lsn) {
        return lsn % PAGE_BYTES == 0 ? lsn + LONGEST_PAGE_HEADER_BYTES : lsn;
    }

    /**
     * Returns this position with the database cluster from a poll and, for a standby, the later one of both timelines,
     * because reads do not query the cluster, and a standby that receives nothing reports no timeline to them.
     */
    LogPosition withTimeline(Timeline polledTimeline) {
        int id = isPrimary ? timeline.id() : Math.max(timeline.id(), polledTimeline.id());
        return new LogPosition(isPrimary, new Timeline(polledTimeline.system(), id), appliedLsn, shownLsn, xmin, xmax);
    }

    /**
     * Whether a read that begins later shows at least what the floor requires. A later timeline contains what was
     * replicated from earlier ones. No host can show changes that were lost when a standby was promoted, so a primary
     * counts as having reached every floor of an earlier timeline. It shows its own commits later than its log has
     * them, for example while it waits for a synchronous standby. So it has reached a floor of its own timeline if all
     * transactions that a standby can have shown are visible. The floor of another database cluster has no meaning,
     * and counts as reached.
     */
    public boolean hasReached(Floor floor) {
        if (floor.system() != timeline.system() || isPrimary && timeline.id() > floor.timeline()) {
            return true;
        }
        return timeline.id() >= floor.timeline() && (isPrimary ? xmin >= floor.xmax() : appliedLsn >= floor.lsn());
    }

    /** A floor that includes everything that was read before this position was queried. */
    public Floor floor() {
        return isPrimary
                ? new Floor(timeline.system(), timeline.id(), shownLsn)
                : new Floor(timeline.system(), timeline.id(), shownLsn, xmin, xmax);
    }
}
