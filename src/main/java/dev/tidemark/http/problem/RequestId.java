package dev.tidemark.http.problem;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The id of a failed request, in its response and in the log: the id that the client sent if it is well-formed,
 * otherwise a random one.
 */
final class RequestId {

    static final String HEADER = "X-Request-Id";

    /** Excludes characters that could end a log line or a header, and limits the length. */
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {}

    static String of(HttpServerRequest request) {
        String sent = request.getHeader(HEADER);
        return sent != null && WELL_FORMED.matcher(sent).matches() ? sent : generate();
    }

    /**
     * Returns 63 random bits as 13 characters. The length is constant, so that the id does not change the size of the
     * response.
     */
    private static String generate() {
        return Long.toUnsignedString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE, 32);
    }
}
