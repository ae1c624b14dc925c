package dev.tidemark.local;

import org.jspecify.annotations.Nullable;

/** The embedded PostgreSQL is not available. The message contains the reason and what to do. */
final class LocalPostgresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LocalPostgresException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
