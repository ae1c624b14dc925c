package dev.tidemark.http.caching;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Answers with an entity tag, and {@code 304} where {@code If-None-Match} says that the client has the same bytes. */
public class Conditional {

    /** Before the answer is compressed. */
    private static final int BEFORE_COMPRESSION = Priorities.ENTITY_CODER + 1;

    /**
     * The bytes with their {@code ETag}. It goes to the response of Vert.x, as the caller's own headers do: a response of
     * JAX-RS only carries them there, at some cost.
     */
    public static RestResponse<byte[]> answer(HttpServerRequest request, byte[] body, WeakTag tag) {
        request.response().putHeader(HttpHeaders.ETAG, tag.header());
        return RestResponse.ok(body);
    }

    @ServerResponseFilter(priority = BEFORE_COMPRESSION)
    void dropUnchanged(ContainerRequestContext request, ContainerResponseContext response, HttpServerRequest http) {
        HttpServerResponse headers = http.response();
        if (http.headers().contains(HttpHeaders.IF_NONE_MATCH)
                && headers.headers().contains(HttpHeaders.ETAG)) {
            EntityTag tag = EntityTag.valueOf(headers.headers().get(HttpHeaders.ETAG));
            // The framework compares strongly; If-None-Match is compared weakly (RFC 9110, 13.1.2).
            if (isNotModified(request.getRequest(), tag)
                    || isNotModified(request.getRequest(), new EntityTag(tag.getValue()))) {
                response.setStatusInfo(Response.Status.NOT_MODIFIED);
                // Without a type, too.
                response.setEntity(null, response.getEntityAnnotations(), null);
            }
        }
    }

    private static boolean isNotModified(Request request, EntityTag tag) {
        Response.ResponseBuilder unmet = request.evaluatePreconditions(tag);
        return unmet != null && unmet.build().getStatus() == Response.Status.NOT_MODIFIED.getStatusCode();
    }
}
