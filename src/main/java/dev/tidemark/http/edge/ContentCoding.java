package dev.tidemark.http.edge;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.container.ContainerResponseContext;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Sends an answer's bytes in the coding that the client asks for. An answer to HEAD tells coding and length of the answer
 * to GET; the framework drops the body and its length with it, and its own compression passes HEAD by.
 */
class ContentCoding {

    @ServerResponseFilter
    void encode(ContainerResponseContext response, HttpServerRequest request) {
        if (!(response.getEntity() instanceof byte[] body)) {
            return;
        }
        if (AcceptEncoding.isGzip(request.headers().getAll("Accept-Encoding"))) {
            body = Gzip.of(body);
            response.setEntity(body);
            response.getHeaders().putSingle("Content-Encoding", "gzip");
        }
        if (request.method() == HttpMethod.HEAD) {
            response.getHeaders().putSingle("Content-Length", body.length);
        }
    }
}
