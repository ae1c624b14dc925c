package dev.tidemark.http.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Headers of every answer for browsers: they take it for nothing but what its type says and, if they show it as a page, load and run
 * nothing. Pages that need more set a policy of their own.
 *
 * <p>Not {@code quarkus.http.header} and {@code quarkus.http.filter}: these are routes before all others, which fail with an internal
 * error on a path that cannot be decoded, and answers to a request that the router rejects would not have the headers.
 */
final class BrowserHeaders {

    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY_NAME = HttpHeaders.createOptimized("Content-Security-Policy");
    private static final CharSequence POLICY =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");

    /** The framework's own pages, in dev mode, run scripts. */
    private static final String FRAMEWORK_PATH = "/q/";

    private BrowserHeaders() {}

    static void addTo(RoutingContext context) {
        context.response().putHeader(NOSNIFF_NAME, NOSNIFF);
        if (!context.request().uri().startsWith(FRAMEWORK_PATH)) {
            context.response().putHeader(POLICY_NAME, POLICY);
        }
    }
}
