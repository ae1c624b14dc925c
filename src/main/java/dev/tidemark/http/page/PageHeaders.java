package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.caching.Conditional;
import dev.tidemark.http.caching.Vary;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Answers requests with a feed's pages. All headers that do not depend on the request are made at start.
 *
 * @param varyWithoutLimit {@code Vary} of a page for which the client sent no {@code limit}
 */
public record PageHeaders(String cacheControl, String vary, String varyWithoutLimit) {

    private static final CharSequence LINK = HttpHeaders.createOptimized("Link");
    private static final CharSequence SERVER_TIMING = HttpHeaders.createOptimized("Server-Timing");

    static PageHeaders of(Feed feed, Vary vary) {
        Feed.Limits limits = feed.policy().limits();
        return new PageHeaders(
                feed.policy().cacheControl(),
                vary.of(feed),
                limits.web() == limits.byDefault() ? vary.of(feed) : vary.withoutLimit(feed));
    }

    /** Only a page with facts has links. */
    RestResponse<byte[]> answer(HttpServerRequest request, WrittenPage page) {
        boolean hasLinks = page.facts().isPresent();
        if (hasLinks) {
            Links links = new Links(request.path(), request.query());
            request.response().putHeader(LINK, links.header(page.facts().get()));
        }
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                // Without links it is a page of the universal protocol, where the client always sends a limit.
                .putHeader(HttpHeaders.VARY, hasLinks && !hasLimit(request.query()) ? varyWithoutLimit : vary)
                .putHeader(SERVER_TIMING, page.serverTiming());
        return Conditional.answer(request, page.body(), page.tag());
    }

    /** A name in an unusual spelling is overlooked, which costs a cache one copy. */
    private static boolean hasLimit(String query) {
        return query != null && (query.startsWith("limit=") || query.contains("&limit="));
    }
}
