package dev.tidemark.http.problem;

import io.vertx.ext.web.RoutingContext;

/** The protocol of a request, which determines the form of its problems. Each protocol has a path of its own. */
enum Protocol {
    /** Problems as {@code application/problem+json} (RFC 9457), for all paths of no other protocol. */
    API,
    /** Problems as {@code {"code":…,"message":…,"result":null}}. */
    UNIVERSAL;

    private static final String UNIVERSAL_PATH = "/v3";

    /** Also covers requests that no route matches, or that are rejected before routing. */
    static Protocol of(RoutingContext context) {
        String path = routedPath(context);
        return path.equals(UNIVERSAL_PATH) || path.startsWith(UNIVERSAL_PATH + '/') ? UNIVERSAL : API;
    }

    /** The path that the router matches, or the path as sent if the router rejects it as malformed. */
    private static String routedPath(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException malformed) {
            return context.request().path();
        }
    }
}
