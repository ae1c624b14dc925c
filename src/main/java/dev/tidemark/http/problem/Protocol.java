package dev.tidemark.http.problem;

import io.vertx.ext.web.RoutingContext;

/** The protocol of a request, which determines the form of its problems. The path determines the protocol. */
enum Protocol {
    /**
     * The protocol of all paths except {@code /v3} and those under it. Problems are {@code application/problem+json}
     * (RFC 9457).
     */
    API,
    /**
     * The protocol of {@code /v3} and the paths under it. Problems are {@code {"code":…,"message":…,"result":null}}.
     */
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

    /** The normalized path, or the path as sent if it cannot be normalized, in which case the router rejects it. */
    private static String routedPath(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException malformed) {
            return context.request().path();
        }
    }
}
