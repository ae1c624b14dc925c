package dev.tidemark.http.connections;

import dev.tidemark.framework.Connections;
import io.vertx.core.http.HttpServerRequest;

/** A response that cannot be completed after its first bytes were sent. */
public final class IncompleteResponse {

    /**
     * The error code INTERNAL_ERROR of HTTP/2. A client takes a response that ends with NO_ERROR for a complete one.
     */
    private static final long INTERNAL_ERROR = 2;

    private IncompleteResponse() {}

    /**
     * Ends the response to a request so that its client sees that the body is incomplete: over HTTP/1.1 without the
     * last chunk, and over HTTP/2 with an error. Over HTTP/1.0, where the end of a body is that of the connection, the
     * connection is reset.
     */
    public static void cut(HttpServerRequest request) {
        switch (request.version()) {
            case HTTP_2 -> request.response().reset(INTERNAL_ERROR);
            case HTTP_1_0 -> Connections.reset(request.connection());
            case HTTP_1_1 -> request.connection().close();
        }
    }
}
