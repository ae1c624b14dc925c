package dev.tidemark.http;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** An answer to HEAD tells how long the answer to GET is; the framework drops the body and the length with it. */
class HeadLength {

    @ServerResponseFilter
    void tell(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getMethod().equals(HttpMethod.HEAD) && response.getEntity() instanceof byte[] body) {
            response.getHeaders().putSingle(HttpHeaders.CONTENT_LENGTH, body.length);
        }
    }
}
