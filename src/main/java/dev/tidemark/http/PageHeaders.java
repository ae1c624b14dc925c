package dev.tidemark.http;

import dev.tidemark.feed.Feed;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * The headers of a feed's pages: all that is settled when the server starts.
 *
 * @param varyWithoutLimit {@code Vary} of a page whose size the client left to the server
 */
record PageHeaders(String cacheControl, String vary, String varyWithoutLimit) {

    static PageHeaders of(Feed feed, Vary vary) {
        Feed.Limits limits = feed.policy().limits();
        return new PageHeaders(
                feed.policy().cacheControl(),
                vary.of(feed),
                limits.web() == limits.byDefault() ? vary.of(feed) : vary.withoutLimit(feed));
    }

    /** The answer with a page of the universal protocol, whose size the client always says. */
    RestResponse<byte[]> answer(HttpServerRequest request, WrittenPage page) {
        return answer(request, page, vary).build();
    }

    private ResponseBuilder<byte[]> answer(HttpServerRequest request, WrittenPage page, String varying) {
        return Conditional.answer(request, page.body(), page.tag())
                .header("Cache-Control", cacheControl)
                .header("Vary", varying)
                .header("Server-Timing", page.serverTiming());
    }

    /** One request for a page, as far as the headers of its answer depend on it. */
    Answer answerTo(HttpServerRequest request, QueryString query) {
        return new Answer(this, request, query.parameters().containsKey("limit"));
    }

    /** The answer with a page to one request, once the page was read. */
    record Answer(PageHeaders headers, HttpServerRequest request, boolean hasLimit) {

        RestResponse<byte[]> of(WrittenPage page) {
            Links links = new Links(request.path(), request.query());
            return headers.answer(request, page, hasLimit ? headers.vary : headers.varyWithoutLimit)
                    .header("Link", links.header(page.facts().orElseThrow()))
                    .build();
        }
    }
}
