package dev.tidemark.postgres;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.feed.ReadFailure.Reason;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import org.jboss.logging.Logger;

/** Names what the driver reports. What has no name here is a bug, and stays what it is. */
final class Failures {

    private static final Logger LOG = Logger.getLogger(Failures.class);

    private static final String QUERY_CANCELED = "57014";

    private Failures() {}

    static Throwable named(Throwable failure) {
        if (failure instanceof PgException refused) {
            return named(refused);
        }
        if (failure instanceof ConnectionPoolTooBusyException || isAcquireTimeout(failure)) {
            return new ReadFailure(Reason.OVERLOADED, failure);
        }
        if (failure instanceof IOException || failure instanceof VertxException) {
            LOG.warnf("The database is away: %s", failure.getMessage());
            return new ReadFailure(Reason.UNAVAILABLE, failure);
        }
        return failure;
    }

    /** The pool says only this when no connection came free in time. */
    private static boolean isAcquireTimeout(Throwable failure) {
        return failure instanceof NoStackTraceThrowable && "Timeout".equals(failure.getMessage());
    }

    private static Throwable named(PgException refused) {
        String state = refused.getSqlState() == null ? "" : refused.getSqlState();
        if (state.equals(QUERY_CANCELED)) {
            return new ReadFailure(Reason.TIMEOUT, refused);
        }
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            // Connection, authorization, unknown database; resources; operator's intervention; and names, types and
            // plans that a changed schema has made wrong.
            case "08", "28", "3D", "53", "57", "58", "0A", "42" -> {
                LOG.warnf("The database refuses (SQLSTATE %s): %s", state, refused.getErrorMessage());
                yield new ReadFailure(Reason.UNAVAILABLE, refused);
            }
            default -> refused;
        };
    }
}
