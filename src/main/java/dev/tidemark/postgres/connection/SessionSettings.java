package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.Wire;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Prepares new sessions for use: makes the one setting that not all servers know, and checks that those of the startup
 * message are in force, because a pooler can drop them.
 */
final class SessionSettings {

    /** The first version that knows {@code transaction_timeout}. In a startup message, earlier ones would reject it. */
    private static final int TRANSACTION_TIMEOUT_VERSION = 17;

    /** A transaction is one statement, for which the statement timeout holds. It ends the statement, not the session. */
    private static final String NO_TRANSACTION_TIMEOUT = "SET transaction_timeout = 0; ";

    private final String dropped;
    private final Duration timeout;

    /**
     * @param requested the options with which the sessions are opened
     * @param timeout how long a server may be silent
     */
    SessionSettings(PgConnectOptions requested, Duration timeout) {
        this.dropped = requested.getProperties().entrySet().stream()
                .map(setting -> "(" + literal(setting.getKey()) + ", " + literal(setting.getValue()) + ")")
                .collect(Collectors.joining(
                        ", ",
                        "SELECT string_agg(name, ', ' ORDER BY name) FROM pg_catalog.pg_settings JOIN (VALUES ",
                        // A pooler or monitoring may name the application otherwise.
                        ") requested (name, value) USING (name)"
                                + " WHERE lower(setting) <> lower(value) AND name <> 'application_name'"));
        this.timeout = timeout;
    }

    private static String literal(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /**
     * Prepares a new session. If that fails, cuts its connection.
     *
     * @return fails with {@link DroppedSettingsException} if settings are not in force
     */
    Future<Void> prepare(SqlConnection connection) {
        Wire wire = Wire.of(connection);
        wire.endOnFatalError();
        boolean hasTransactionTimeout = connection.databaseMetadata().majorVersion() >= TRANSACTION_TIMEOUT_VERSION;
        return connection
                .query((hasTransactionTimeout ? NO_TRANSACTION_TIMEOUT : "") + dropped)
                .execute()
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .compose(answer -> {
                    RowSet<Row> last = hasTransactionTimeout ? answer.next() : answer;
                    String names = last.iterator().next().getString(0);
                    return names == null
                            ? Future.<Void>succeededFuture()
                            : Future.failedFuture(new DroppedSettingsException(names));
                })
                .onFailure(failure -> wire.cut());
    }
}
