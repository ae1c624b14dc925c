package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** A response that cannot be completed after its first bytes were sent. */
public final class IncompleteResponse {

    private IncompleteResponse() {}

    /**
     * Ends the response to a request so that its client sees that the body is incomplete: over HTTP/1.1 without the last
     * chunk. Over HTTP/1.0, where the end of a body is that of the connection, the connection is reset instead.
     */
    public static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_1_1) {
            request.connection().close();
        } else {
            StalledResponse.reset(request);
        }
    }
}
