package dev.tidemark.http.live;

import dev.tidemark.http.page.FeedRequests;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Serves event streams that keep a part of a list, the window, true. The class has the same path as
 * {@code FeedResource}, because the framework would otherwise respond to a POST with 404 instead of 405.
 */
@Path("/api")
public class LiveResource {

    private final FeedRequests requests;
    private final LiveParser parser;
    private final LiveWindows windows;

    LiveResource(FeedRequests requests, LiveParser parser, LiveWindows windows) {
        this.requests = requests;
        this.parser = parser;
        this.windows = windows;
    }

    /**
     * Responds with an event stream. A HEAD request opens no stream, because nothing would end the stream. The
     * signature does not name {@code EventStream}, because Quarkus would register its whole hierarchy for reflection.
     */
    @GET
    @Path("/{feed}/live")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> stream(String feed, @Context RoutingContext context) {
        return requests.answer(feed, context, (served, caller) -> {
            LiveRequest live = parser.parse(served, caller, context.request());
            return context.request().method() == HttpMethod.HEAD
                    ? Uni.createFrom().item(served.headOfStream())
                    : windows.open(live, context)
                            .map(stream ->
                                    served.streamResponse().entity(stream).build());
        });
    }
}
