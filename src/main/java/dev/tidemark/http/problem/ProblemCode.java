package dev.tidemark.http.problem;

import java.util.Locale;

/** Everything that can go wrong, closed: a client that knows these codes knows all of them. */
public enum ProblemCode {
    INVALID_LIMIT(400, 1001, "The limit is not a number of items"),
    INVALID_CURSOR(400, 1002, "The cursor is not one of ours"),
    CURSOR_MISMATCH(400, 1003, "The cursor belongs to another list"),
    CURSOR_EXPIRED(410, 1004, "The cursor is too old"),
    CONFLICTING_PARAMETERS(400, 1005, "Parameters contradict one another"),
    UNKNOWN_PARAMETER(400, 1006, "There is no such parameter"),
    UNKNOWN_ORDER(400, 1007, "The feed has no such order"),
    INVALID_FILTER(400, 1008, "The filter's value cannot be read"),
    INVALID_FIELDS(400, 1009, "The fields are not columns of the feed"),
    NOT_SUPPORTED(400, 1010, "This is not supported"),
    MISSING_PARAMETER(400, 1011, "A parameter is missing"),
    INVALID_ANCHOR(400, 1012, "The jump's value cannot be read"),
    MALFORMED_REQUEST(400, 1013, "The request cannot be read"),
    UNAUTHORIZED(401, 2001, "A valid token is needed"),
    FORBIDDEN(403, 2002, "The caller may not read this"),
    UNKNOWN_FEED(404, 3001, "There is no such feed"),
    ANCHOR_NOT_FOUND(404, 3002, "There is no such item in this list"),
    NOT_FOUND(404, 3003, "There is nothing here"),
    METHOD_NOT_ALLOWED(405, 3004, "The method is not allowed here"),
    NOT_ACCEPTABLE(406, 3005, "The answer does not come in that form"),
    URI_TOO_LONG(414, 3006, "The URL is too long"),
    CONTENT_TOO_LARGE(413, 3007, "The request's content is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, 3008, "The request's content is of an unknown type"),
    HEADERS_TOO_LARGE(431, 3009, "The request's headers are too large"),
    OVERLOADED(503, 4001, "More is asked for at once than can be served"),
    UNAVAILABLE(503, 4002, "The database cannot serve this now"),
    TIMEOUT(504, 4003, "The database took too long"),
    INTERNAL(500, 5001, "Something went wrong here");

    private final int status;
    private final int number;
    private final String title;

    ProblemCode(int status, int number, String title) {
        this.status = status;
        this.number = number;
        this.title = title;
    }

    /** The code on the wire, e.g. {@code invalid_limit}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The HTTP status it comes with. */
    public int status() {
        return status;
    }

    /** The fixed number by which the universal protocol knows it. */
    public int number() {
        return number;
    }

    /** One line that is the same for every problem of this code. */
    public String title() {
        return title;
    }

    /** A URI that names the kind of problem; there is nothing to fetch behind it. */
    public String type() {
        return "urn:tidemark:problem:" + wireName();
    }

    /** Whether a client should come back a little later with the same request. */
    public boolean isTransient() {
        return status == 503;
    }
}
