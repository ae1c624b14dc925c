package dev.tidemark.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a request cannot be sent, if it fails or times out and is not {@linkplain Retry retried} again, if the
 * waiting thread is interrupted, or if the response or one of its items cannot be read. If the server responds with a
 * problem, the exception is a {@link ProblemException}.
 */
public class FeedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    FeedException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the same failure with the stack trace of the thread that waited for it. */
    FeedException withCurrentStackTrace() {
        return new FeedException(getMessage(), this);
    }
}
