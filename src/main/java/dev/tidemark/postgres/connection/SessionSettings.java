package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.Wire;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Makes the settings of new sessions, and checks that they are in force. They are not part of the startup message,
 * because a pooler rejects or drops what it does not know there.
 */
final class SessionSettings {

    /** What a startup message contains: poolers pass these on, or ignore them. */
    private static final Set<String> STARTUP = Set.of("application_name", "client_encoding", "options");

    /** The first version that knows {@code transaction_timeout}. */
    private static final int TRANSACTION_TIMEOUT_VERSION = 17;

    /**
     * Begins a transaction before the settings are made. A role can have settings with which the transaction itself
     * would wait or time out. A transaction keeps the settings on one server connection, even of a pooler that shares
     * these connections.
     */
    static final String BEGIN =
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY NOT DEFERRABLE; SET LOCAL statement_timeout = 0; ";

    /**
     * A transaction is one statement, for which the statement timeout holds. It ends the statement, not the session.
     */
    private static final String NO_TRANSACTION_TIMEOUT = "SET transaction_timeout = 0; ";

    private final PgConnectOptions startup;
    private final String makeAndCheck;
    private final Duration timeout;

    /**
     * @param requested the options of the sessions, whose properties are the settings
     * @param configured those of the user, whose settings are made, too. They are not checked, because PostgreSQL
     *     states a value such as {@code 64MB} in another unit
     * @param timeout how long a server may be silent
     */
    SessionSettings(PgConnectOptions requested, PgConnectOptions configured, Duration timeout) {
        Map<String, String> settings = filter(requested, name -> !STARTUP.contains(name));
        this.startup = new PgConnectOptions(requested).setProperties(filter(requested, STARTUP::contains));
        this.makeAndCheck = settings.entrySet().stream()
                        .map(setting -> "pg_catalog.set_config(" + literals(setting) + ", false)")
                        .collect(Collectors.joining(", ", ", ", "; "))
                + settings.entrySet().stream()
                        .filter(setting -> !setting.getValue()
                                .equals(configured.getProperties().get(setting.getKey())))
                        .map(setting -> "(" + literals(setting) + ")")
                        .collect(Collectors.joining(
                                ", ",
                                "SELECT pg_catalog.pg_backend_pid(), pg_catalog.string_agg(name, ', ' ORDER BY name)"
                                        + " FROM pg_catalog.pg_settings JOIN (VALUES ",
                                ") requested (name, value) USING (name)"
                                        + " WHERE pg_catalog.lower(setting) <> pg_catalog.lower(value); COMMIT"));
        this.timeout = timeout;
    }

    private static Map<String, String> filter(PgConnectOptions options, Predicate<String> names) {
        return options.getProperties().entrySet().stream()
                .filter(property -> names.test(property.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static String literals(Map.Entry<String, String> setting) {
        return literal(setting.getKey()) + ", " + literal(setting.getValue());
    }

    /** The role can have turned {@code standard_conforming_strings} off. */
    private static String literal(String value) {
        return "E'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    /** The options with which a session is opened that is then {@linkplain #prepare prepared}. */
    PgConnectOptions startupOptions() {
        return startup;
    }

    /**
     * Prepares a new session. If that fails, cuts its connection.
     *
     * @return fails with {@link DroppedSettingsException} if settings are not in force
     */
    Future<Void> prepare(SqlConnection connection) {
        boolean hasTransactionTimeout = connection.databaseMetadata().majorVersion() >= TRANSACTION_TIMEOUT_VERSION;
        String session = UUID.randomUUID().toString();
        Wire wire = Wire.of(connection);
        // Before the first page, the session can explain statements, for which PostgreSQL plans functions.
        wire.setPlannedNanos(System.nanoTime());
        return connection
                .query(BEGIN
                        + (hasTransactionTimeout ? NO_TRANSACTION_TIMEOUT : "")
                        + "SELECT pg_catalog.set_config('" + SessionGuard.SETTING + "', '" + session + "', false)"
                        + makeAndCheck)
                .execute()
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .compose(answers -> {
                    Row check = check(answers);
                    if (check.getString(1) != null) {
                        return Future.<Void>failedFuture(new DroppedSettingsException(check.getString(1)));
                    }
                    if (PoolerMode.isPooled(connection, check.getInteger(0))) {
                        wire.setSession(session);
                    }
                    return Future.succeededFuture();
                })
                .onFailure(failure -> wire.cut());
    }

    private static Row check(RowSet<Row> answers) {
        RowSet<Row> answer = answers;
        while (answer.columnsNames() == null || !answer.columnsNames().contains("string_agg")) {
            answer = answer.next();
        }
        return answer.iterator().next();
    }
}
