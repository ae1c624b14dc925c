package dev.tidemark.http.requests;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Adds headers for browsers to every response. Browsers then do not guess another media type and, if they show the
 * response as a page, do not load or run anything. Pages that load scripts or styles set a policy of their own.
 *
 * <p>{@code quarkus.http.header} and {@code quarkus.http.filter} are not suitable. They add routes before all others,
 * and these routes fail with an internal error if a path cannot be decoded. Also, responses to requests that the
 * router rejects would not have the headers.
 */
final class BrowserHeaders {

    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY_NAME = HttpHeaders.createOptimized("Content-Security-Policy");
    private static final CharSequence POLICY =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");

    /** The start of the paths of the framework's own pages. They run scripts in dev mode, so they get no policy. */
    private static final String FRAMEWORK_PREFIX = "/q/";

    private BrowserHeaders() {}

    static void addTo(RoutingContext context) {
        context.response().putHeader(NOSNIFF_NAME, NOSNIFF);
        if (!context.request().uri().startsWith(FRAMEWORK_PREFIX)) {
            context.response().putHeader(POLICY_NAME, POLICY);
        }
    }
}
