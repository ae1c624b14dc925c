package dev.tidemark.client;

import java.util.Locale;

/** The server's catalogue of errors. */
public enum ProblemCode {
    /** The limit is not a whole number, or is below 1. */
    INVALID_LIMIT(1001),
    /** The cursor was altered or made up, or the server no longer has its key: read the list again from the start. */
    INVALID_CURSOR(1002),
    /** The cursor belongs to another list: read this list from the start. */
    CURSOR_MISMATCH(1003),
    /** The cursor is older than the configured lifetime of cursors: read the list again from the start. */
    CURSOR_EXPIRED(1004),
    /** Two parameters are mutually exclusive, or a parameter that takes one value is repeated. */
    CONFLICTING_PARAMETERS(1005),
    /** The parameter does not exist. */
    UNKNOWN_PARAMETER(1006),
    /** The feed has no such order. */
    UNKNOWN_ORDER(1007),
    /** The value of a filter is invalid, or the filter has too many values. */
    INVALID_FILTER(1008),
    /** The feed has no such column, or a column is listed twice. */
    INVALID_FIELDS(1009),
    /** The request is understood, but the feed or the endpoint does not offer it. */
    NOT_SUPPORTED(1010),
    /** A required parameter is missing. */
    MISSING_PARAMETER(1011),
    /** The value to jump to is invalid. */
    INVALID_ANCHOR(1012),
    /** The request is malformed, for example its percent-encoding. */
    MALFORMED_REQUEST(1013),
    /** The moment was altered or made up, or the server no longer has its key: read the list again without it. */
    INVALID_MOMENT(1014),
    /** The request has no valid token. */
    UNAUTHORIZED(2001),
    /** The token is valid, but does not allow the caller to read the feed. */
    FORBIDDEN(2002),
    /** There is no such feed. */
    UNKNOWN_FEED(3001),
    /** The list has no item with this key. */
    ANCHOR_NOT_FOUND(3002),
    /** Nothing is served under this path. */
    NOT_FOUND(3003),
    /** The method is not allowed. */
    METHOD_NOT_ALLOWED(3004),
    /** None of the accepted media types is available. */
    NOT_ACCEPTABLE(3005),
    /** The URL is too long. */
    URI_TOO_LONG(3006),
    /** The content of the request is too large. */
    CONTENT_TOO_LARGE(3007),
    /** The {@code Content-Type} of the request is malformed or repeated. */
    UNSUPPORTED_MEDIA_TYPE(3008),
    /** The headers of the request are too large. */
    HEADERS_TOO_LARGE(3009),
    /** Too many requests are waiting for the database, or too many event streams or exports are open. */
    OVERLOADED(4001),
    /** The database or the keys for verifying tokens are unavailable. */
    UNAVAILABLE(4002),
    /** The database took longer than the server's statement timeout. */
    TIMEOUT(4003),
    /** The feed no longer matches its table, or the server may no longer read the table. */
    FEED_UNAVAILABLE(4004),
    /** The server failed unexpectedly. */
    INTERNAL(5001),
    /** The response has no code of this catalogue: it came from a proxy, or from a newer server. */
    OTHER(0);

    private final int number;

    ProblemCode(int number) {
        this.number = number;
    }

    /**
     * The number of this code, which never changes.
     *
     * @return 0 for {@link #OTHER}
     */
    public int number() {
        return number;
    }

    /**
     * The code as it appears in responses, such as {@code invalid_limit}.
     *
     * @return the name in lower case
     */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ProblemCode of(String wireName) {
        for (ProblemCode code : values()) {
            if (code.wireName().equals(wireName)) {
                return code;
            }
        }
        return OTHER;
    }
}
