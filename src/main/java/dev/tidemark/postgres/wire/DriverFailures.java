package dev.tidemark.postgres.wire;

import io.vertx.core.VertxException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.core.net.impl.ConnectionBase;

/** Recognizes failures of the driver that have no class of their own. */
public final class DriverFailures {

    private DriverFailures() {}

    /** Whether the connection was closed before the statement was sent. */
    public static boolean isConnectionClosed(Throwable failure) {
        return isRejectedByDriver(failure)
                && failure.getMessage() != null
                && (failure.getMessage().startsWith("Connection is not active")
                        || failure.getMessage().startsWith("Pending requests failed"));
    }

    /** Whether a pool's new connection was closed before a statement could use it. The driver does not say why. */
    public static boolean isClosedBeforeUse(Throwable failure) {
        return failure == ConnectionBase.CLOSED_EXCEPTION;
    }

    /** Whether the TLS handshake failed. The driver does not report the cause. */
    public static boolean isHandshakeFailure(Throwable failure) {
        return failure instanceof VertxException && "SSL handshake failed".equals(failure.getMessage());
    }

    /**
     * Whether the driver itself rejected a statement without sending it, for example because values do not fit its
     * parameters.
     */
    public static boolean isRejectedByDriver(Throwable failure) {
        return failure instanceof NoStackTraceThrowable;
    }
}
