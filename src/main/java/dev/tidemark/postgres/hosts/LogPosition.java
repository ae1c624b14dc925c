package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import io.vertx.sqlclient.Row;

/**
 * How far a host had come when it was asked.
 *
 * @param isPrimary whether it accepts writes
 * @param timeline of a primary, its own; of a standby, one whose history it is known to follow
 * @param applied every transaction that committed before this position is visible to statements that begin later
 * @param shown everything that statements before have shown was committed before this position
 */
public record LogPosition(boolean isPrimary, int timeline, long applied, long shown) {

    private static final String PRIMARYS_TIMELINE =
            "('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::int4";

    private static final String STANDBYS_TIMELINE = """
            greatest((SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),
              (SELECT min_recovery_end_timeline FROM pg_catalog.pg_control_recovery()),
              (SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver))""";

    /**
     * On a primary, both positions are that of the next record. A standby makes a commit visible just before it publishes the
     * position of its record, so what it has shown can include the one record that follows, unless it had received nothing more.
     * The two are read in this order.
     */
    private static final String POSITION = """
            SELECT recovering, applied, CASE
                WHEN recovering AND (pg_catalog.pg_last_wal_receive_lsn() - '0/0'::pg_catalog.pg_lsn) IS DISTINCT FROM applied
                THEN applied + 1 ELSE applied END,
              CASE WHEN NOT recovering THEN %s ELSE %s END
            FROM (SELECT recovering, (CASE WHEN recovering THEN pg_catalog.pg_last_wal_replay_lsn()
                ELSE pg_catalog.pg_current_wal_insert_lsn() END - '0/0'::pg_catalog.pg_lsn)::int8 AS applied
              FROM (SELECT pg_catalog.pg_is_in_recovery() AS recovering OFFSET 0) role OFFSET 0) host""";

    /** The position alone: asked before and after each page. The timeline of a standby is 0. */
    public static final String SQL = POSITION.formatted(PRIMARYS_TIMELINE, "0");

    /**
     * The position with the timeline of a standby: that of its last restartpoint, or of the stream that it receives if the role
     * may see it, which takes the privileges of {@code pg_read_all_stats}.
     */
    static final String WITH_TIMELINE = POSITION.formatted(PRIMARYS_TIMELINE, STANDBYS_TIMELINE);

    public static LogPosition of(Row row) {
        return new LogPosition(!row.getBoolean(0), row.getInteger(3), row.getLong(1), row.getLong(2));
    }

    LogPosition onTimeline(int known) {
        return new LogPosition(isPrimary, known, applied, shown);
    }

    /**
     * Whether a read that begins later shows at least the floor. A later timeline contains what was replicated of the earlier
     * ones; what was lost when a standby was promoted, no host can show again.
     */
    public boolean hasReached(Floor floor) {
        return timeline >= floor.timeline() && (isPrimary || applied >= floor.position());
    }

    /** The floor of what was read before. */
    public Floor floor() {
        return new Floor(timeline, shown);
    }
}
