package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.pgclient.PgException;

/** Distinguishes a statement that was rejected from a database that is unavailable. */
final class Rejections {

    private Rejections() {}

    /**
     * Whether PostgreSQL rejected the statement itself; false if the database is unavailable or the failure is
     * temporary.
     */
    static boolean isByDatabase(Throwable failure) {
        return failure instanceof PgException error && !Failures.isUnavailable(error) && !Failures.isTransient(error);
    }

    /** Whether the driver rejected the statement, because a condition contains a parameter, which has no value. */
    static boolean isByDriver(Throwable failure) {
        return DriverFailures.isRejectedByDriver(failure)
                && !Failures.isConnectionLost(failure)
                && !DriverFailures.isAcquireTimeout(failure);
    }
}
