package dev.tidemark.http;

import dev.tidemark.feed.Feed;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;

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
                vary.always(),
                limits.web() == limits.byDefault() ? vary.always() : vary.withoutLimit());
    }

    /** One request for a page, as far as the headers of its answer depend on it. */
    Answer answerTo(HttpServerRequest request, QueryString query) {
        return new Answer(this, request, query.parameters().containsKey("limit"));
    }

    /** The answer with a page to one request, once the page was read. */
    record Answer(PageHeaders headers, HttpServerRequest request, boolean hasLimit) {

        /** @param serverTiming is no part of what the page's tag stands for */
        RestResponse<byte[]> of(byte[] page, PageFacts facts, String serverTiming) {
            return Conditional.answer(request, page)
                    .header("Cache-Control", headers.cacheControl)
                    .header("Vary", hasLimit ? headers.vary : headers.varyWithoutLimit)
                    .header("Link", new Links(request.path(), request.query()).header(facts))
                    .header("Server-Timing", serverTiming)
                    .build();
        }
    }
}
