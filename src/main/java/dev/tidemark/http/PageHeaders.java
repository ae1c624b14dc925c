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
                vary.always(),
                limits.web() == limits.byDefault() ? vary.always() : vary.withoutLimit());
    }

    /** The answer with a page of the universal protocol, whose size the client always says. */
    ResponseBuilder<byte[]> answer(HttpServerRequest request, byte[] page, String serverTiming) {
        return answer(request, page, serverTiming, vary);
    }

    private ResponseBuilder<byte[]> answer(
            HttpServerRequest request, byte[] page, String serverTiming, String varying) {
        return Conditional.answer(request, page)
                .header("Cache-Control", cacheControl)
                .header("Vary", varying)
                .header("Server-Timing", serverTiming);
    }

    /** One request for a page, as far as the headers of its answer depend on it. */
    Answer answerTo(HttpServerRequest request, QueryString query) {
        return new Answer(this, request, query.parameters().containsKey("limit"));
    }

    /** The answer with a page to one request, once the page was read. */
    record Answer(PageHeaders headers, HttpServerRequest request, boolean hasLimit) {

        /** @param serverTiming is no part of what the page's tag stands for */
        RestResponse<byte[]> of(byte[] page, PageFacts facts, String serverTiming) {
            return headers.answer(request, page, serverTiming, hasLimit ? headers.vary : headers.varyWithoutLimit)
                    .header("Link", new Links(request.path(), request.query()).header(facts))
                    .build();
        }
    }
}
