package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies failures of the driver and of PostgreSQL. */
public final class Failures {

    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /**
     * Temporary failures outside the class of transactions that were rolled back: unavailable locks, and objects that
     * are not ready or in use.
     */
    private static final Set<String> TRANSIENT = Set.of(LOCK_NOT_AVAILABLE, "55000", "55006");

    /** The class of conflicts with a standby's recovery and of deadlocks. */
    private static final String TRANSACTION_ROLLED_BACK = "40";

    /**
     * Connection, authorization, unknown database, resources, operator intervention, system errors, and foreign
     * servers. The first class includes violations of the protocol, because a pooler reports with them that it has no
     * connection.
     */
    private static final Set<String> UNAVAILABLE = Set.of("08", "28", "3D", "53", "57", "58", "HV");

    /**
     * A syntax error, a prepared statement that does not exist, and one that exists already. Outside a function, only
     * Tidemark and the driver can cause them.
     */
    private static final Set<String> OUR_FAULT = Set.of("42601", "26000", "42P05");

    /** A prepared statement does not exist, exists already, or has another number of parameters. */
    private static final Set<String> STATEMENT_LOST = Set.of("26000", "42P05", "08P01");

    /** The foreign server requires a password, but the user mapping has none. */
    private static final String MISSING_FOREIGN_PASSWORD = "2F003";

    /**
     * The connection has failed, or the server has closed or rejected it. Reasons are an administrator who terminates
     * the session, the crash of another backend, a server that is starting up or shutting down, and a session that was
     * idle, or in a transaction, for too long.
     */
    private static final Set<String> CONNECTION_LOST =
            Set.of("57P01", "57P02", "57P03", "57P05", "08006", "25P03", "25P04");

    private Failures() {}

    /** Whether the role may not do what the statement needs, such as reading a column. */
    public static boolean isPrivilegeMissing(PgException error) {
        return sqlState(error).equals(INSUFFICIENT_PRIVILEGE);
    }

    /** Whether the statement failed only because its connection was lost. */
    public static boolean isConnectionLost(Throwable failure) {
        return failure instanceof PgException error
                ? CONNECTION_LOST.contains(sqlState(error))
                : failure instanceof IOException
                        || failure instanceof VertxException
                        || DriverFailures.isConnectionClosed(failure);
    }

    /**
     * Whether a later attempt to connect may succeed, because the address cannot be reached yet, or the server is
     * still starting up. False if the server's certificate is not trusted.
     */
    public static boolean isUnreachable(Throwable failure) {
        return failure instanceof IOException && !isUntrustedCertificate(failure)
                || failure instanceof PgException error && "57P03".equals(error.getSqlState());
    }

    /** Whether the TLS handshake failed because the server's certificate is not trusted. */
    public static boolean isUntrustedCertificate(Throwable failure) {
        return root(failure) instanceof GeneralSecurityException;
    }

    /**
     * Returns a description of the failure, usually its message and that of its root cause. If the server's
     * certificate is not trusted, only the root cause says why.
     */
    public static String reason(Throwable failure) {
        Throwable root = root(failure);
        if (isUntrustedCertificate(failure)) {
            return "its certificate is not accepted: " + root.getMessage()
                    + (root instanceof CertPathBuilderException
                            ? "; sslrootcert in its URL, or PGSSLROOTCERT, can name the file of its authority"
                            : "");
        }
        if (root instanceof UnknownHostException) {
            // The message begins with the name of the host.
            return "there is no host " + String.valueOf(root.getMessage()).replaceFirst(": .*", "");
        }
        String message = String.valueOf(failure.getMessage());
        return message.contains(String.valueOf(root.getMessage())) ? message : message + ": " + root.getMessage();
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }

    /** Whether the session has no prepared statement of this name, has one already, or one with other parameters. */
    static boolean isStatementLost(PgException error) {
        // A pooler reports the end of a connection as FATAL, with one of these codes.
        return error.getWhere() == null
                && !"FATAL".equals(error.getSeverity())
                && STATEMENT_LOST.contains(sqlState(error));
    }

    /** Returns the SQLSTATE; empty if the error has none. */
    public static String sqlState(PgException error) {
        return error.getSqlState() == null ? "" : error.getSqlState();
    }

    /** Whether the statement was canceled, by the statement timeout or by a user. */
    public static boolean isCanceled(PgException error) {
        return sqlState(error).equals(QUERY_CANCELED);
    }

    /** Whether the statement has waited for a lock, usually on a table, for longer than {@code lock_timeout}. */
    static boolean isLockTimeout(@Nullable Throwable failure) {
        return failure instanceof PgException error && sqlState(error).equals(LOCK_NOT_AVAILABLE);
    }

    /**
     * Whether the database failed a statement that was not waiting for a lock. A statement that waits for one fails at
     * {@code lock_timeout}, before the statement timeout.
     */
    static boolean isFailedWithoutLock(Throwable failure) {
        return failure instanceof PgException error && !isConnectionLost(error) && !isLockTimeout(error);
    }

    /** Whether the statement failed for a reason that will pass, so that a later attempt may succeed. */
    public static boolean isTransient(PgException error) {
        return TRANSIENT.contains(sqlState(error)) || sqlClass(error).equals(TRANSACTION_ROLLED_BACK);
    }

    /**
     * Whether the database is unavailable, judged by the class of the SQLSTATE. Also true for a canceled statement,
     * which belongs to the class of operator intervention.
     */
    public static boolean isUnavailable(PgException error) {
        return UNAVAILABLE.contains(sqlClass(error))
                || sqlState(error).equals(MISSING_FOREIGN_PASSWORD)
                || isConnectionLost(error);
    }

    private static String sqlClass(PgException error) {
        String state = sqlState(error);
        return state.length() == 5 ? state.substring(0, 2) : "";
    }

    /**
     * Whether the SQL of the tables' owner is at fault: a condition, view, or function of a feed fails, now or for
     * some row, or no longer fits the tables or the privileges. True for every error that says nothing about the
     * database as a whole, with any code that a function can raise, except those that only Tidemark's own statements
     * can cause. An error within a function has a context.
     */
    static boolean isOwnersFault(PgException error) {
        return !isUnavailable(error)
                && !isTransient(error)
                && !sqlState(error).isEmpty()
                && (!OUR_FAULT.contains(sqlState(error)) || error.getWhere() != null);
    }
}
