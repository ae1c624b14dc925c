package dev.tidemark.http.problem;

import dev.tidemark.feed.Feeds;
import dev.tidemark.framework.Requests;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/**
 * Replaces a request's path with one that is safe to log. Unknown segments may contain names, addresses or tokens, so a
 * path that does not identify a served resource becomes its route template or {@code *}.
 */
final class LoggedPath {

    private static final String UNKNOWN = "*";
    private static final Set<String> FIRST_SEGMENTS = Set.of("api", "v3");

    private static final Set<String> LIST_ENDPOINTS = Set.of("fresh", "live");

    private LoggedPath() {}

    static String of(HttpServerRequest request, Feeds feeds) {
        String path = request.path();
        return path != null && isServed(path.split("/", 5), feeds) ? path : template(request);
    }

    /** @param segments the segments of a path such as {@code /api/letters/fresh}; the first is empty */
    private static boolean isServed(String[] segments, Feeds feeds) {
        return segments.length > 1
                && FIRST_SEGMENTS.contains(segments[1])
                && (segments.length < 3 || feeds.find(segments[2]).isPresent())
                && (segments.length < 4 || segments[3].isEmpty() || LIST_ENDPOINTS.contains(segments[3]))
                && segments.length < 5;
    }

    /** Returns the path template of the matched resource method, or {@code *} if none was matched. */
    private static String template(HttpServerRequest request) {
        String template = Requests.contextOf(request).getLocal(MetricLabels.TEMPLATE_KEY);
        return template == null ? UNKNOWN : template;
    }
}
