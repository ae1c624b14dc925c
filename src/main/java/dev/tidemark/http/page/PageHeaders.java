package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.caching.Conditional;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.query.QueryString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The headers of a feed's pages: all that is settled when the server starts.
 *
 * @param varyWithoutLimit {@code Vary} of a page whose size the client left to the server
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

    /** The answer with a page of the universal protocol, whose size the client always says. */
    public RestResponse<byte[]> answer(HttpServerRequest request, WrittenPage page) {
        return answer(request, page, vary);
    }

    private RestResponse<byte[]> answer(HttpServerRequest request, WrittenPage page, String varying) {
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.VARY, varying)
                .putHeader(SERVER_TIMING, page.serverTiming());
        return Conditional.answer(request, page.body(), page.tag());
    }

    /** One request for a page, as far as the headers of its answer depend on it. */
    Answer answerTo(HttpServerRequest request, QueryString query) {
        return new Answer(this, request, query.parameters().containsKey("limit"));
    }

    /** The answer with a page to one request, once the page was read. */
    record Answer(PageHeaders headers, HttpServerRequest request, boolean hasLimit) {

        RestResponse<byte[]> of(WrittenPage page) {
            Links links = new Links(request.path(), request.query());
            request.response().putHeader(LINK, links.header(page.facts().orElseThrow()));
            return headers.answer(request, page, hasLimit ? headers.vary : headers.varyWithoutLimit);
        }
    }
}
