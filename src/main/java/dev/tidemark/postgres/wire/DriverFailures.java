package dev.tidemark.postgres.wire;

import io.vertx.core.VertxException;
import io.vertx.core.impl.NoStackTraceThrowable;

/** Failures that the driver identifies by their text only. */
public final class DriverFailures {

    private DriverFailures() {}

    /** The connection was closed before the statement was sent. */
    public static boolean isNotSent(Throwable failure) {
        return isOfDriver(failure)
                && failure.getMessage() != null
                && (failure.getMessage().startsWith("Connection is not active")
                        || failure.getMessage().startsWith("Pending requests failed"));
    }

    /** No connection of the pool became available in time. */
    public static boolean isAcquireTimeout(Throwable failure) {
        return isOfDriver(failure) && "Timeout".equals(failure.getMessage());
    }

    /** The TLS handshake failed: the connection is closed before the driver says why. */
    public static boolean isHandshake(Throwable failure) {
        return failure instanceof VertxException && "SSL handshake failed".equals(failure.getMessage());
    }

    /** The driver refused a statement itself, such as for values that do not fit its parameters, and did not send it. */
    public static boolean isOfDriver(Throwable failure) {
        return failure instanceof NoStackTraceThrowable;
    }
}
