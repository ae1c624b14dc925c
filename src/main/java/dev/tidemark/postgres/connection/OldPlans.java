package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.Wire;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;

/**
 * Lets PostgreSQL plan the statements of a session anew, before the next statement, if it has done so too long ago.
 * PostgreSQL puts the policies of row security into a plan, also into those of the functions that a statement calls. It
 * plans again if a policy changes, but not if a role does, to which policies apply: if it gains or loses {@code
 * BYPASSRLS}, or a membership. Otherwise, an open session would keep the policies of before.
 */
final class OldPlans {

    /**
     * Returns no row. A session remembers the memberships of one role. If some change while it looks them up, it can
     * keep those of before, so another role's are asked for.
     */
    private static final String DISCARD =
            "SELECT 1 WHERE pg_catalog.pg_has_role('pg_read_all_stats', 'pg_monitor', 'USAGE') IS NULL; DISCARD PLANS";

    private final long maxAgeNanos;

    OldPlans(Duration maxAge) {
        this.maxAgeNanos = maxAge.toNanos();
    }

    /**
     * Discards the plans of the session if they are old. The driver sends the next statement after this.
     *
     * @param wire the connection's
     */
    void discardFrom(SqlConnection connection, Wire wire) {
        long now = System.nanoTime();
        Long planned = wire.plannedNanos();
        if (planned == null) {
            wire.setPlannedNanos(now);
        } else if (now - planned > maxAgeNanos) {
            wire.setPlannedNanos(now);
            connection.query(DISCARD).execute().onFailure(failure -> wire.cut());
        }
    }
}
