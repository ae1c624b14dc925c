package dev.tidemark.http.problem;

import dev.tidemark.cursor.CursorRejectedException;
import java.util.Optional;

/**
 * A request that gets an error of the catalogue. It carries no stack trace, for clients can cause as many as they like.
 */
public final class Problem extends RuntimeException {

    private final ProblemCode code;
    private final Optional<String> parameter;
    private final Optional<String> challenge;

    private Problem(ProblemCode code, Optional<String> parameter, Optional<String> challenge, String detail) {
        super(detail, null, false, false);
        this.code = code;
        this.parameter = parameter;
        this.challenge = challenge;
    }

    /** @param detail what is wrong in this case, in a sentence for the client's developer; it may repeat what they sent */
    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, Optional.empty(), Optional.empty(), detail);
    }

    /** A problem that one parameter is to blame for. */
    public static Problem with(String parameter, ProblemCode code, String detail) {
        return new Problem(code, Optional.of(parameter), Optional.empty(), detail);
    }

    /** @param challenge what {@code WWW-Authenticate} says (RFC 6750, 3) */
    public static Problem unauthorized(String challenge, String detail) {
        return new Problem(ProblemCode.UNAUTHORIZED, Optional.empty(), Optional.of(challenge), detail);
    }

    /** @param parameter the one that the token came in */
    public static Problem of(CursorRejectedException refused, String parameter) {
        return switch (refused.reason()) {
            case INVALID -> with(parameter, ProblemCode.INVALID_CURSOR, "this is no cursor of this server");
            case MISMATCH ->
                with(
                        parameter,
                        ProblemCode.CURSOR_MISMATCH,
                        "the cursor is of another feed, order or filter; start again without it");
            case EXPIRED ->
                with(parameter, ProblemCode.CURSOR_EXPIRED, "the cursor is too old; start again without it");
        };
    }

    public ProblemCode code() {
        return code;
    }

    /** The name of the parameter to blame, if there is one. */
    public Optional<String> parameter() {
        return parameter;
    }

    /** How the client can prove who it is, if that is what is missing. */
    Optional<String> challenge() {
        return challenge;
    }

    public String detail() {
        return getMessage();
    }
}
