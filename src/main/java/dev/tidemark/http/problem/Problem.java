package dev.tidemark.http.problem;

import dev.tidemark.cursor.CursorRejectedException;
import java.util.Objects;
import java.util.Optional;

/**
 * An error with a code of {@link ProblemCode}, thrown to end a request. It has no stack trace, because stack traces
 * are costly and clients can cause any number of problems.
 */
public final class Problem extends RuntimeException {

    /** The problem of a path that does not exist. */
    public static final Problem NO_SUCH_PATH =
            of(ProblemCode.NOT_FOUND, "this path does not exist; GET /api lists the feeds");

    /** The problem of a request that is malformed in an unknown way. */
    public static final Problem MALFORMED = of(ProblemCode.MALFORMED_REQUEST, "the request is malformed");

    /** The problem of a feed whose table has changed or cannot be read. The log has the details. */
    public static final Problem FEED_UNAVAILABLE = of(
            ProblemCode.FEED_UNAVAILABLE,
            "the feed's table no longer matches the feed, or cannot be read; see the server's log or readiness check");

    private final ProblemCode code;
    private final Optional<String> parameter;
    private final Optional<String> challenge;

    private Problem(ProblemCode code, Optional<String> parameter, Optional<String> challenge, String detail) {
        super(detail, null, false, false);
        this.code = code;
        this.parameter = parameter;
        this.challenge = challenge;
    }

    /**
     * @param detail what is wrong with this request, in a sentence for the client's developer; can repeat what the
     *     client sent
     */
    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, Optional.empty(), Optional.empty(), detail);
    }

    /** Creates a problem that is caused by one parameter. */
    public static Problem ofParameter(String parameter, ProblemCode code, String detail) {
        return new Problem(code, Optional.of(parameter), Optional.empty(), detail);
    }

    /** Creates the problem of a request without a token. The challenge has no error code (RFC 6750, 3.1). */
    public static Problem missingToken(String detail) {
        return new Problem(ProblemCode.UNAUTHORIZED, Optional.empty(), Optional.of("Bearer"), detail);
    }

    /** Creates the problem of a request whose token is invalid or has expired. */
    public static Problem invalidToken(String detail) {
        return new Problem(
                ProblemCode.UNAUTHORIZED, Optional.empty(), Optional.of("Bearer error=\"invalid_token\""), detail);
    }

    /** @param parameter the parameter that contained the cursor */
    public static Problem of(CursorRejectedException rejected, String parameter) {
        return switch (rejected.reason()) {
            case INVALID -> ofParameter(parameter, ProblemCode.INVALID_CURSOR, "this server cannot open this cursor");
            case MISMATCH ->
                ofParameter(
                        parameter,
                        ProblemCode.CURSOR_MISMATCH,
                        "the cursor belongs to another feed, order, filter or scope; start again without a cursor");
            case EXPIRED ->
                ofParameter(
                        parameter, ProblemCode.CURSOR_EXPIRED, "the cursor is too old; start again without a cursor");
        };
    }

    public ProblemCode code() {
        return code;
    }

    /** The name of the parameter that caused the problem, if any. */
    public Optional<String> parameter() {
        return parameter;
    }

    /** The value of {@code WWW-Authenticate}, if the problem requires one. */
    Optional<String> challenge() {
        return challenge;
    }

    public String detail() {
        return Objects.requireNonNull(getMessage());
    }
}
