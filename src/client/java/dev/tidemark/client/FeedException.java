package dev.tidemark.client;

/**
 * Thrown when a request fails: it cannot be sent, the connection failed and {@link Retry} allows no further attempt,
 * the thread was interrupted, or the response or an item in it cannot be read. If the server responded with a problem,
 * the exception is a {@link ProblemException}.
 */
public class FeedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    FeedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the same failure with the stack trace of the thread that waited for it. */
    FeedException withCurrentStackTrace() {
        return new FeedException(getMessage(), this);
    }
}
