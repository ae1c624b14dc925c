package dev.tidemark.http.problem;

import io.vertx.ext.web.RoutingContext;

/** The protocol of a request, which determines the form of its problems. Each protocol has a path of its own. */
enum Protocol {
    /** All other paths. Problems are {@code application/problem+json} (RFC 9457). */
    API,
    /** Paths under {@code /v3}. Problems are {@code {"code":…,"message":…,"result":null}}. */
    UNIVERSAL;

    private static final String UNIVERSAL_PATH = "/v3";

    /**
     * Determines the protocol from the normalized path, which the router also uses. The path is known even if no route
     * matches or the request is rejected before routing.
     */
    static Protocol of(RoutingContext context) {
        String path = routedPath(context);
        return path.equals(UNIVERSAL_PATH) || path.startsWith(UNIVERSAL_PATH + '/') ? UNIVERSAL : API;
    }

    /** The normalized path, or the path as sent if it cannot be normalized and the router rejects it. */
    private static String routedPath(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException malformed) {
            return context.request().path();
        }
    }
}
