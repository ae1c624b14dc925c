package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Limits the memory for responses that a client requests but does not read. {@code ExportStream.check} and
 * {@code FreshStream.writeHeartbeat} end streams that a client does not read.
 */
final class UnreadResponses {

    private UnreadResponses() {}

    /**
     * Passes on a request once the client has read enough of the earlier responses. Unread responses stay in memory,
     * and nothing else limits their number over HTTP/1. Over HTTP/2, every request is passed on at once, because the
     * number of open streams is limited.
     */
    static void passWhenDrained(RoutingContext context) {
        HttpServerResponse response = context.response();
        if (context.request().version() != HttpVersion.HTTP_2 && response.writeQueueFull()) {
            response.drainHandler(drained -> {
                response.drainHandler(null);
                context.next();
            });
        } else {
            context.next();
        }
    }
}
