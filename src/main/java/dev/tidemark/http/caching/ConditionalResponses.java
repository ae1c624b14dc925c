package dev.tidemark.http.caching;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Adds entity tags to responses, and responds with {@code 304} if {@code If-None-Match} contains the tag or is
 * {@code *}.
 */
public class ConditionalResponses {

    /** The priority of a filter that runs before the response is compressed, or dropped because memory is short. */
    private static final int BEFORE_COMPRESSION = Priorities.ENTITY_CODER + 2;

    /**
     * Returns a response with a body, and sets its {@code ETag}. The header is set on the response of Vert.x, because
     * copying it from the JAX-RS response would take additional time.
     */
    public static RestResponse<byte[]> taggedResponse(HttpServerRequest request, TaggedBody body) {
        request.response().putHeader(HttpHeaders.ETAG, body.tag());
        return RestResponse.ok(body.bytes());
    }

    @ServerResponseFilter(priority = BEFORE_COMPRESSION)
    void respondNotModifiedIfTagMatches(
            ContainerRequestContext request, ContainerResponseContext response, HttpServerRequest vertxRequest) {
        MultiMap headers = vertxRequest.response().headers();
        if (vertxRequest.headers().contains(HttpHeaders.IF_NONE_MATCH) && headers.contains(HttpHeaders.ETAG)) {
            @SuppressWarnings("deprecation") // The replacement is an SPI for implementations of JAX-RS.
            EntityTag tag = EntityTag.valueOf(headers.get(HttpHeaders.ETAG));
            // The framework compares tags strongly, but If-None-Match requires a weak comparison (RFC 9110, 13.1.2).
            if (isNotModified(request.getRequest(), tag)
                    || isNotModified(request.getRequest(), new EntityTag(tag.getValue()))) {
                response.setStatusInfo(Response.Status.NOT_MODIFIED);
                // Also removes the media type.
                response.setEntity(null, response.getEntityAnnotations(), null);
            }
        }
    }

    private static boolean isNotModified(Request request, EntityTag tag) {
        Response.ResponseBuilder failed = request.evaluatePreconditions(tag);
        return failed != null && failed.build().getStatus() == Response.Status.NOT_MODIFIED.getStatusCode();
    }
}
