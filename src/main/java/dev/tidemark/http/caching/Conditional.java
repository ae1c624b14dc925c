package dev.tidemark.http.caching;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** Answers that a client may keep and ask for again. */
public final class Conditional {

    private Conditional() {}

    /**
     * The bytes with their {@code ETag}; or, when the client has these very bytes, {@code 304} without them. To either,
     * the caller adds the same headers: to the response itself, for a response of JAX-RS only carries them there, at some
     * cost.
     */
    public static RestResponse<byte[]> answer(HttpServerRequest request, byte[] body, WeakTag tag) {
        request.response().putHeader(HttpHeaders.ETAG, tag.header());
        return IfNoneMatch.matches(request.headers().getAll(HttpHeaders.IF_NONE_MATCH), tag)
                ? ResponseBuilder.<byte[]>create(RestResponse.Status.NOT_MODIFIED)
                        .build()
                : RestResponse.ok(body);
    }
}
