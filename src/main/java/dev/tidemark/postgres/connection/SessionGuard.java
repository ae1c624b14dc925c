package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.sql.CountSql;
import dev.tidemark.postgres.wire.Wire;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Lets a statement fail unless it runs in its own session. A pooler can be switched to another mode at any time; from
 * then on, a statement can run in a session without the settings, or find another session's statement under its name.
 * Only sessions behind a pooler have a guard.
 *
 * @param session a text that no other session has
 */
record SessionGuard(String session) {

    /** The setting that contains the text of the session. */
    static final String SETTING = "tidemark.session";

    /** A setting that does not exist. The attempt to read it fails with a message that contains its name. */
    private static final String LOST = "tidemark.session_lost";

    /** @return {@code null} if no pooler stands between */
    static @Nullable SessionGuard of(Wire wire) {
        String session = wire.session();
        return session == null ? null : new SessionGuard(session);
    }

    /**
     * PostgreSQL checks the condition once for each execution, before it reads a row. EXPLAIN does not check it: in
     * another session, it shows the plan for other settings.
     */
    String guard(String sql, Tuple values) {
        if (sql.startsWith(CountSql.EXPLAIN)) {
            return CountSql.EXPLAIN + guard(sql.substring(CountSql.EXPLAIN.length()), values);
        }
        return "SELECT * FROM (" + sql + ") guarded WHERE CASE WHEN pg_catalog.current_setting('" + SETTING
                + "', true) = $" + (values.size() + 1) + "::pg_catalog.text THEN true"
                + " ELSE pg_catalog.current_setting('" + LOST + "') IS NULL END";
    }

    Tuple guard(Tuple values) {
        Tuple guarded = Tuple.tuple();
        for (int i = 0; i < values.size(); i++) {
            guarded.addValue(values.getValue(i));
        }
        return guarded.addString(session);
    }

    /** Whether the statement has run in another session, or has found no statement, or another one, under its name. */
    boolean isLost(@Nullable Throwable failure) {
        return failure instanceof PgException error
                && (error.getErrorMessage().contains(LOST) || Failures.isStatementLost(error));
    }
}
