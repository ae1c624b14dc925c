package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.caching.Conditional;
import dev.tidemark.http.caching.Vary;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Creates the responses with a feed's pages. The values of headers that do not depend on the request are computed once.
 *
 * @param varyWithoutLimit {@code Vary} of a page for which the client sent no {@code limit}
 * @param varyUniversal {@code Vary} of a page of the universal protocol, whose media type does not depend on the request
 */
public record PageHeaders(String cacheControl, String vary, String varyWithoutLimit, String varyUniversal) {

    private static final String ACCEPT = "Accept, ";

    private static final CharSequence LINK = HttpHeaders.createOptimized("Link");
    private static final CharSequence SERVER_TIMING = HttpHeaders.createOptimized("Server-Timing");

    static PageHeaders of(Feed feed, Vary vary) {
        Feed.Limits limits = feed.policy().limits();
        return new PageHeaders(
                feed.policy().cacheControl(),
                ACCEPT + vary.of(feed),
                ACCEPT + (limits.web() == limits.byDefault() ? vary.of(feed) : vary.withoutLimit(feed)),
                vary.of(feed));
    }

    /** Returns the response with a page. Only a page with facts has links. */
    RestResponse<byte[]> answer(HttpServerRequest request, WrittenPage page) {
        boolean hasLinks = page.facts().isPresent();
        if (hasLinks) {
            Links links = new Links(request.path(), request.query());
            request.response().putHeader(LINK, links.header(page.facts().get()));
        }
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.VARY, hasLinks ? vary(request) : varyUniversal)
                .putHeader(SERVER_TIMING, page.serverTiming());
        return Conditional.answer(request, page.body(), page.tag());
    }

    private String vary(HttpServerRequest request) {
        return hasLimit(request.query()) ? vary : varyWithoutLimit;
    }

    /**
     * Returns whether the query has a {@code limit}. A percent-encoded name is not recognized, so caches may store one
     * extra copy.
     */
    private static boolean hasLimit(String query) {
        return query != null && (query.startsWith("limit=") || query.contains("&limit="));
    }
}
