package dev.tidemark.client;

/**
 * Thrown when the server responds with a problem. A temporary problem is thrown only when {@link Retry} allows no
 * further attempt.
 */
public final class ProblemException extends FeedException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    ProblemException(Problem problem, Throwable cause) {
        super(problem.status() + " " + problem.code().wireName() + ": " + problem.detail(), cause);
        this.problem = problem;
    }

    /**
     * Returns the problem that the server responded with.
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
