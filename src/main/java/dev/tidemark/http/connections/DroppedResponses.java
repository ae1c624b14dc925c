package dev.tidemark.http.connections;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response.Status;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Drops a response before its bytes are copied for the client, if the connection is closed, or if memory is short.
 * Many responses can have been requested while it was not.
 */
public class DroppedResponses {

    /**
     * The priority of a filter that runs before the response is compressed, and when it cannot become a 304 any more.
     */
    private static final int BEFORE_COMPRESSION = Priorities.ENTITY_CODER + 1;

    private final UnreadResponses unreadResponses;

    DroppedResponses(UnreadResponses unreadResponses) {
        this.unreadResponses = unreadResponses;
    }

    @ServerResponseFilter(priority = BEFORE_COMPRESSION)
    void drop(ContainerResponseContext response, RoutingContext context) {
        if (!(response.getEntity() instanceof byte[])) {
            return;
        }
        if (context.response().closed()) {
            response.setEntity(null);
        } else if (response.getStatus() == Status.OK.getStatusCode()) {
            unreadResponses.findShortage().ifPresent(shortage -> {
                // They are set already, and describe the response that is dropped.
                context.response()
                        .headers()
                        .remove(HttpHeaders.CACHE_CONTROL)
                        .remove(HttpHeaders.ETAG)
                        .remove("Link")
                        .remove("Server-Timing");
                throw shortage;
            });
        }
    }
}
