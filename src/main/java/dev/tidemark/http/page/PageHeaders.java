package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.caching.Vary;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Sets the headers of a feed's pages. Values that do not depend on the request are computed once.
 *
 * @param vary {@code Vary} of a page that was requested with {@code limit}, and of responses other than pages
 * @param varyWithoutLimit {@code Vary} of a page that was requested without {@code limit}
 * @param varyUniversal {@code Vary} of a page of the universal protocol, whose media type does not depend on the
 *     request
 */
public record PageHeaders(String cacheControl, String vary, String varyWithoutLimit, String varyUniversal) {

    private static final String ACCEPT_AND = "Accept, ";

    private static final CharSequence LINK = HttpHeaders.createOptimized("Link");
    private static final CharSequence SERVER_TIMING = HttpHeaders.createOptimized("Server-Timing");

    static PageHeaders of(Feed feed, Vary vary) {
        Feed.Limits limits = feed.policy().limits();
        return new PageHeaders(
                feed.policy().cacheControl(),
                ACCEPT_AND + vary.of(feed),
                ACCEPT_AND
                        + (limits.webDefault() == limits.byDefault() ? vary.of(feed) : vary.ofPageWithoutLimit(feed)),
                vary.of(feed));
    }

    void set(HttpServerRequest request, WrittenPage page) {
        if (page.format() == PageFormat.API) {
            Links links = new Links(request.path(), request.query());
            request.response().putHeader(LINK, links.header(page.members()));
        }
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.VARY, vary(request, page.format()))
                .putHeader(SERVER_TIMING, page.serverTiming());
    }

    private String vary(HttpServerRequest request, PageFormat format) {
        return switch (format) {
            case API -> hasLimit(request.query()) ? vary : varyWithoutLimit;
            case UNIVERSAL -> varyUniversal;
        };
    }

    /**
     * Returns whether the query has a {@code limit}. If the name of the parameter is percent-encoded, it is not
     * recognized, and caches can store extra copies of the page.
     */
    private static boolean hasLimit(String query) {
        return query != null && (query.startsWith("limit=") || query.contains("&limit="));
    }
}
