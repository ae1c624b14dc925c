package dev.tidemark.client;

/** The server responded with a problem, after all retries if it is a temporary one. */
public final class ProblemException extends FeedException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    ProblemException(Problem problem, Throwable cause) {
        super(problem.status() + " " + problem.code().wireName() + ": " + problem.detail(), cause);
        this.problem = problem;
    }

    /**
     * What the server responded.
     *
     * @return the problem
     */
    public Problem problem() {
        return problem;
    }

    @Override
    FeedException inThisThread() {
        return new ProblemException(problem, this);
    }
}
