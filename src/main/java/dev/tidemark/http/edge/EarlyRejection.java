package dev.tidemark.http.edge;

import dev.tidemark.feed.read.ReadLoad;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ProblemResponses;
import dev.tidemark.http.problem.RequestId;
import io.netty.buffer.ByteBuf;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests for pages with {@code overloaded} before they are parsed, while {@link ReadLoad#rejects} them. A
 * rejection that passes all layers costs nearly as much as a page, so that a server with three times as many requests as
 * it can serve would serve hardly any. Rejects only requests whose bytes are unambiguous, and which it can answer exactly as
 * the other layers would: the others are passed on, and rejected later. It does not read the query, so it rejects pages that
 * no index serves together with the others of their feed.
 */
@Singleton
class EarlyRejection {

    private static final int MAX_HEAD_BYTES = 4 * 1024;

    private static final String METHOD = "GET ";
    private static final String API = "/api/";
    private static final String UNIVERSAL = "/v3/";
    private static final String END = "\r\n\r\n";

    private final ReadLoad load;
    private final ProblemResponses responses;
    private final PreparedResponse apiResponse = new PreparedResponse(Problem.OVERLOADED, API);
    private final PreparedResponse universalResponse = new PreparedResponse(Problem.OVERLOADED, UNIVERSAL);

    EarlyRejection(ReadLoad load, ProblemResponses responses) {
        this.load = load;
        this.responses = responses;
    }

    /**
     * Returns the whole response to a request, if it is rejected.
     *
     * @param bytes what was read from a connection over which no other request is being processed
     * @return empty if the bytes must be passed on
     */
    Optional<byte[]> responseTo(ByteBuf bytes) {
        if (bytes.readableBytes() > MAX_HEAD_BYTES || !startsWith(bytes, METHOD) || !load.mayBeOverloaded()) {
            return Optional.empty();
        }
        String head = bytes.toString(StandardCharsets.ISO_8859_1);
        if (head.indexOf(END) != head.length() - END.length()) {
            return Optional.empty();
        }
        String[] lines = head.split("\r\n");
        String path = pagePath(lines[0]);
        if (path == null) {
            return Optional.empty();
        }
        String requestId = null;
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon <= 0) {
                return Optional.empty();
            }
            String value = lines[i].substring(colon + 1).strip();
            switch (lines[i].substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "x-request-id" -> requestId = value;
                case "connection" -> {
                    if (!value.equalsIgnoreCase("keep-alive")) {
                        return Optional.empty();
                    }
                }
                case "accept" -> {
                    if (value.contains("event-stream") || value.contains("ndjson")) {
                        return Optional.empty();
                    }
                }
                // Content, other protocols, and responses for pages of other origins.
                case "content-length", "transfer-encoding", "expect", "upgrade", "origin" -> {
                    return Optional.empty();
                }
                default -> {}
            }
        }
        String feed = path.substring(path.indexOf('/', 1) + 1);
        if (!load.rejects(feed)) {
            return Optional.empty();
        }
        responses.count(ProblemCode.OVERLOADED);
        PreparedResponse response = path.startsWith(API) ? apiResponse : universalResponse;
        return Optional.of(response.bytes(feed, RequestId.of(requestId)));
    }

    /** Returns the path of a request line that asks for a page of a feed; {@code null} if it asks for something else. */
    private static @Nullable String pagePath(String line) {
        int end = line.indexOf(' ', METHOD.length());
        if (end < 0 || !line.substring(end + 1).equals("HTTP/1.1")) {
            return null;
        }
        int query = line.indexOf('?');
        String path = line.substring(METHOD.length(), query < 0 || query > end ? end : query);
        String root = path.startsWith(API) ? API : UNIVERSAL;
        return path.startsWith(root) && isFeedName(path.substring(root.length())) ? path : null;
    }

    private static boolean isFeedName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean startsWith(ByteBuf bytes, String prefix) {
        if (bytes.readableBytes() < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
