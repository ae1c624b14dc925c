package dev.tidemark.http.problem;

import dev.tidemark.feed.Feeds;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import java.util.Set;

/**
 * A request's path as far as it names something of this server's. What else is in it is the client's own, and may be
 * anything: a name, an address, a token.
 */
final class LoggedPath {

    private static final String UNKNOWN = "*";
    private static final Set<String> PROTOCOLS = Set.of("api", "v3");

    private LoggedPath() {}

    static String of(HttpServerRequest request, Feeds feeds) {
        String path = request.path();
        return path != null && isServed(path.split("/", 5), feeds) ? path : template(request);
    }

    /** @param parts of a path such as {@code /api/letters/fresh}, the first of them empty */
    private static boolean isServed(String[] parts, Feeds feeds) {
        return parts.length > 1
                && PROTOCOLS.contains(parts[1])
                && (parts.length < 3 || feeds.find(parts[2]).isPresent())
                && (parts.length < 4 || parts[3].isEmpty() || parts[3].equals("fresh"))
                && parts.length < 5;
    }

    /** The path of the resource's method as its annotations have it, where one was found. */
    private static String template(HttpServerRequest request) {
        Context context = ((HttpServerRequestInternal) request).context();
        String template = context.getLocal(MetricLabels.TEMPLATE);
        return template == null ? UNKNOWN : template;
    }
}
