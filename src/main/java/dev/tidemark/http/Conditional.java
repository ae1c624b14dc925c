package dev.tidemark.http;

import io.vertx.core.http.HttpServerRequest;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** Answers that a client may keep and ask for again. */
final class Conditional {

    private Conditional() {}

    /**
     * The bytes with their {@code ETag}; or, when the client has these very bytes, {@code 304} without them. To either,
     * the caller adds the same headers.
     */
    static ResponseBuilder<byte[]> answer(HttpServerRequest request, byte[] body, WeakTag tag) {
        ResponseBuilder<byte[]> answer = IfNoneMatch.matches(request.headers().getAll("If-None-Match"), tag)
                ? ResponseBuilder.create(RestResponse.Status.NOT_MODIFIED)
                : ResponseBuilder.ok(body);
        return answer.header("ETag", tag.header());
    }
}
