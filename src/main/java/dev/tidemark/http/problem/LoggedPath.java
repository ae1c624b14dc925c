package dev.tidemark.http.problem;

import dev.tidemark.feed.Feeds;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import java.util.Set;

/**
 * The part of a request's path that is safe to log. Unknown segments may contain names, addresses or tokens, so a path
 * that does not identify a served resource is replaced by its route template or by {@code *}.
 */
final class LoggedPath {

    private static final String UNKNOWN = "*";
    private static final Set<String> PROTOCOLS = Set.of("api", "v3");

    private LoggedPath() {}

    static String of(HttpServerRequest request, Feeds feeds) {
        String path = request.path();
        return path != null && isServed(path.split("/", 5), feeds) ? path : template(request);
    }

    /** @param parts the segments of a path such as {@code /api/letters/fresh}; the first is empty */
    private static boolean isServed(String[] parts, Feeds feeds) {
        return parts.length > 1
                && PROTOCOLS.contains(parts[1])
                && (parts.length < 3 || feeds.find(parts[2]).isPresent())
                && (parts.length < 4 || parts[3].isEmpty() || parts[3].equals("fresh"))
                && parts.length < 5;
    }

    /** The path template of the matched resource method, if any. */
    private static String template(HttpServerRequest request) {
        Context context = ((HttpServerRequestInternal) request).context();
        String template = context.getLocal(MetricLabels.TEMPLATE);
        return template == null ? UNKNOWN : template;
    }
}
