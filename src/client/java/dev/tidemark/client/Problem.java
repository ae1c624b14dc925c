package dev.tidemark.client;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a response other than the expected one.
 *
 * @param status the HTTP status
 * @param code the error code
 * @param detail a sentence about this request, for developers
 * @param parameter the parameter that caused the problem, if any
 * @param requestId the id of the request in the server's log, if the response has one
 * @param retryAfter how long the client should wait before a retry, if the response says so
 */
public record Problem(
        int status,
        ProblemCode code,
        String detail,
        Optional<String> parameter,
        Optional<String> requestId,
        Optional<Duration> retryAfter) {

    /** The statuses of overload, of an unavailable or slow database, and of failures of proxies. */
    private static final Set<Integer> TEMPORARY_STATUSES = Set.of(429, 502, 503, 504);

    /**
     * Whether the same request can succeed later. The client reports such a failure only when its {@link Retry} allows
     * no further attempt.
     *
     * @return whether the failure is temporary
     */
    public boolean isTemporary() {
        return TEMPORARY_STATUSES.contains(status);
    }

    /**
     * Whether the cursor is invalid for the list, so that the list must be read again from the start.
     *
     * @return whether the list must be read again
     */
    public boolean mustStartAgain() {
        return switch (code) {
            case INVALID_CURSOR, CURSOR_MISMATCH, CURSOR_EXPIRED -> true;
            default -> false;
        };
    }

    static Problem of(HttpResponse<?> response, String body) {
        return of(
                response.statusCode(),
                members(body),
                response.headers().firstValue("X-Request-Id"),
                response.headers().firstValue("Retry-After").flatMap(value -> parseRetryAfter(value, Instant.now())));
    }

    /** Parses the problem with which an event stream ends. */
    static Problem ofEvent(String data) {
        Map<String, String> members = members(data);
        return of(Integer.parseInt(members.getOrDefault("status", "0")), members, Optional.empty(), Optional.empty());
    }

    private static Problem of(
            int status, Map<String, String> members, Optional<String> requestId, Optional<Duration> retryAfter) {
        return new Problem(
                status,
                textMember(members, "code").map(ProblemCode::of).orElse(ProblemCode.OTHER),
                textMember(members, "detail")
                        .orElse("the server responded with status " + status + " and gave no details"),
                textMember(members, "parameter"),
                requestId,
                retryAfter);
    }

    /**
     * Returns the members of the problem. There are none if the body is not a JSON object: a proxy can send an empty
     * body or an HTML page.
     */
    private static Map<String, String> members(String body) {
        try {
            return JsonText.members(body);
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }

    private static Optional<String> textMember(Map<String, String> members, String name) {
        return Optional.ofNullable(members.get(name))
                .filter(value -> value.startsWith("\""))
                .map(JsonText::string);
    }

    /** Parses {@code Retry-After}, which is a number of seconds or a date. */
    static Optional<Duration> parseRetryAfter(String retryAfter, Instant now) {
        try {
            Duration duration = retryAfter.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(retryAfter))
                    : Duration.between(now, RFC_1123_DATE_TIME.parse(retryAfter, Instant::from));
            return Optional.of(duration.isNegative() ? Duration.ZERO : duration);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
