package dev.tidemark.http.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * What a browser is told of every answer: to take it for nothing but what its type says, and, where it is shown as a
 * page, to let it load and run nothing. Pages that need more say so themselves.
 */
final class BrowserRules {

    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY_NAME = HttpHeaders.createOptimized("Content-Security-Policy");
    private static final CharSequence POLICY =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");

    /** The framework's own pages, in dev mode, run scripts. */
    private static final String OF_THE_FRAMEWORK = "/q/";

    private BrowserRules() {}

    static void addTo(RoutingContext context) {
        context.response().putHeader(NOSNIFF_NAME, NOSNIFF);
        if (!context.request().uri().startsWith(OF_THE_FRAMEWORK)) {
            context.response().putHeader(POLICY_NAME, POLICY);
        }
    }
}
