package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.pgclient.PgException;

/** Distinguishes rejected statements from failures of an unavailable database. */
final class Rejections {

    private Rejections() {}

    /**
     * Whether PostgreSQL rejected the statement itself; false if the database is unavailable or the failure is
     * temporary.
     */
    static boolean isRejectedByDatabase(Throwable failure) {
        return failure instanceof PgException error && !Failures.isUnavailable(error) && !Failures.isTransient(error);
    }

    /** Whether the driver rejected the statement, for example because a condition contains a parameter such as $1. */
    static boolean isRejectedByDriver(Throwable failure) {
        return DriverFailures.isRejectedByDriver(failure) && !Failures.isConnectionLost(failure);
    }
}
