package dev.tidemark.http.problem;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * The closed catalogue of errors: no response has a code that is not listed here. Each code has one title; the detail
 * of a response is set where the {@link Problem} is created.
 */
public enum ProblemCode {
    INVALID_LIMIT(400, 1001, "The limit is invalid"),
    INVALID_CURSOR(400, 1002, "The cursor is invalid"),
    CURSOR_MISMATCH(400, 1003, "The cursor belongs to another list"),
    CURSOR_EXPIRED(410, 1004, "The cursor is too old"),
    CONFLICTING_PARAMETERS(400, 1005, "The parameters conflict"),
    UNKNOWN_PARAMETER(400, 1006, "The parameter does not exist"),
    UNKNOWN_ORDER(400, 1007, "The order does not exist"),
    INVALID_FILTER(400, 1008, "The filter value is invalid"),
    INVALID_FIELDS(400, 1009, "The fields are invalid"),
    NOT_SUPPORTED(400, 1010, "The request is not supported"),
    MISSING_PARAMETER(400, 1011, "A required parameter is missing"),
    /** A jump parameter, such as {@code from} or {@code around_id}, has an invalid value. */
    INVALID_ANCHOR(400, 1012, "The jump value is invalid"),
    MALFORMED_REQUEST(400, 1013, "The request is malformed"),
    INVALID_MOMENT(400, 1014, "The moment is invalid"),
    UNAUTHORIZED(401, 2001, "A valid token is required"),
    FORBIDDEN(403, 2002, "Access is denied"),
    UNKNOWN_FEED(404, 3001, "The feed does not exist"),
    /** The list does not contain the item that {@code from_id} or {@code around_id} identifies. */
    ANCHOR_NOT_FOUND(404, 3002, "The item is not in this list"),
    NOT_FOUND(404, 3003, "The path does not exist"),
    METHOD_NOT_ALLOWED(405, 3004, "The method is not allowed"),
    NOT_ACCEPTABLE(406, 3005, "None of the accepted media types is available"),
    URI_TOO_LONG(414, 3006, "The URL is too long"),
    CONTENT_TOO_LARGE(413, 3007, "The request content is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, 3008, "The media type of the content is not supported"),
    HEADERS_TOO_LARGE(431, 3009, "The request headers are too large"),
    OVERLOADED(503, 4001, "The server is overloaded"),
    UNAVAILABLE(503, 4002, "The database is unavailable"),
    TIMEOUT(504, 4003, "The database took too long"),
    FEED_UNAVAILABLE(503, 4004, "The feed is unavailable"),
    INTERNAL(500, 5001, "An internal error occurred");

    private final int status;
    private final int number;
    private final String title;

    ProblemCode(int status, int number, String title) {
        this.status = status;
        this.number = number;
        this.title = title;
    }

    /** The code as it appears in responses, such as {@code invalid_limit}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The HTTP status of responses with this code. */
    public int status() {
        return status;
    }

    /** The fixed number of this code in the universal protocol. */
    public int number() {
        return number;
    }

    /** A short summary that is the same for all problems of this code. */
    public String title() {
        return title;
    }

    /** A URI that identifies the code; it cannot be dereferenced. */
    public String type() {
        return "urn:tidemark:problem:" + wireName();
    }

    /**
     * The seconds after which the same request may succeed; empty if it will not. The table of a feed that is
     * unavailable is checked every five seconds.
     */
    public OptionalInt retryAfterSeconds() {
        return status == 503 ? OptionalInt.of(this == FEED_UNAVAILABLE ? 5 : 1) : OptionalInt.empty();
    }
}
