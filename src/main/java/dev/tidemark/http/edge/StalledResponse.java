package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/** A response whose client does not read. */
public final class StalledResponse {

    private StalledResponse() {}

    /**
     * Aborts the response to a request, so that the client can detect that it is incomplete. Does not wait for the
     * client to read.
     */
    public static void abort(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            // Closing the connection or its channel would wait until all bytes have been written.
            ((ConnectionBase) request.connection()).channelHandlerContext().close();
        }
    }
}
