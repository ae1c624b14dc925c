package dev.tidemark.http.problem;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** What a failed request is called in its answer and in the log: as its sender calls it, or by a name made for it. */
final class RequestId {

    static final String HEADER = "X-Request-Id";

    /** Nothing that could end a line of the log or of a header, or fill it. */
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {}

    static String of(HttpServerRequest request) {
        String sent = request.getHeader(HEADER);
        return sent != null && WELL_FORMED.matcher(sent).matches() ? sent : generate();
    }

    /** 63 random bits, always in 13 characters, so that the length of an answer does not depend on it. */
    private static String generate() {
        return Long.toUnsignedString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE, 32);
    }
}
