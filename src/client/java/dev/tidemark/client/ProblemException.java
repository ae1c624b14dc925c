package dev.tidemark.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the response is a problem, or has an unexpected status or a content type other than JSON. A temporary
 * problem is thrown only if {@link Retry} allows no further attempt.
 */
public final class ProblemException extends FeedException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    ProblemException(Problem problem, @Nullable Throwable cause) {
        super(problem.status() + " " + problem.code().wireName() + ": " + problem.detail(), cause);
        this.problem = problem;
    }

    /**
     * Returns the description of the response.
     *
     * @return the problem
     */
    public Problem problem() {
        return problem;
    }

    @Override
    FeedException withCurrentStackTrace() {
        return new ProblemException(problem, this);
    }
}
