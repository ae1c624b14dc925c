package dev.tidemark.http.connections;

import dev.tidemark.framework.Connections;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** A response whose client does not read. */
public final class StalledResponse {

    private StalledResponse() {}

    /**
     * Aborts the response to a request, and frees all memory of the connection, also the kernel's. For responses of
     * which the client misses nothing if it does not receive the rest.
     */
    public static void reset(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            Connections.reset(request.connection());
        }
    }
}
