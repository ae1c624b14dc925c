package dev.tidemark.http.edge;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerResponseContext;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Drops a response before its bytes are copied for the client, if the connection is closed. */
public class DroppedResponses {

    /** The priority of a filter that runs before those that read the response or change it. */
    private static final int BEFORE_OTHER_FILTERS = Priorities.ENTITY_CODER + 100;

    @ServerResponseFilter(priority = BEFORE_OTHER_FILTERS)
    void dropIfClosed(ContainerResponseContext response, RoutingContext context) {
        if (context.response().closed() && response.getEntity() instanceof byte[]) {
            response.setEntity(null);
        }
    }
}
