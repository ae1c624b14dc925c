package dev.tidemark.http.edge;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerResponseContext;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Drops a response before its bytes are copied for the client: if the connection is closed, or if the budget of the
 * process was used up while this response was made.
 */
public class DroppedResponses {

    /** The priority of a filter that runs before those that read the response or change it. */
    private static final int BEFORE_OTHER_FILTERS = Priorities.ENTITY_CODER + 100;

    @ServerResponseFilter(priority = BEFORE_OTHER_FILTERS)
    void dropIfUnreadable(ContainerResponseContext response, RoutingContext context) {
        if (!(response.getEntity() instanceof byte[] bytes)) {
            return;
        }
        if (context.response().closed()) {
            response.setEntity(null);
        } else if (UnreadResponses.refuse(context, bytes.length)) {
            response.setEntity(null);
        }
    }
}
