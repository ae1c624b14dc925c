package dev.tidemark.local;

/** The embedded PostgreSQL cannot be had; the message is one sentence that tells the user why and what to do. */
final class LocalPostgresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LocalPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
