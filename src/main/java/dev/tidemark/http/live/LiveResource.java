package dev.tidemark.http.live;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.page.ChangedTables;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves event streams that keep a part of a list, the window, true. The class has the same path as
 * {@code FeedResource}, because the framework would otherwise respond to a POST with 404 instead of 405.
 */
@Path("/api")
public class LiveResource {

    private final ServedFeeds feeds;
    private final Admission admission;
    private final LiveParser parser;
    private final ChangedTables changedTables;
    private final LiveWindows windows;

    LiveResource(
            ServedFeeds feeds,
            Admission admission,
            LiveParser parser,
            ChangedTables changedTables,
            LiveWindows windows) {
        this.feeds = feeds;
        this.admission = admission;
        this.parser = parser;
        this.changedTables = changedTables;
        this.windows = windows;
    }

    /**
     * Responds with an event stream. A HEAD request opens no stream, because nothing would end the stream. The signature
     * does not name {@code EventStream}, because Quarkus would register its whole hierarchy for reflection.
     */
    @GET
    @Path("/{feed}/live")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> stream(String feed, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        ServedFeed served = feeds.find(feed);
        ResponseBuilder<Object> response = served.streamResponse();
        Uni<LiveRequest> live = admission
                .admit(served.feed(), context)
                .chain(caller -> changedTables.answer(
                        served, current -> Uni.createFrom().item(() -> parser.parse(current, caller, request))));
        return request.method() == HttpMethod.HEAD
                ? live.map(opened -> response.type(MediaType.SERVER_SENT_EVENTS + ";charset=UTF-8")
                        .build())
                : live.chain(opened -> windows.open(opened, context))
                        .map(stream -> response.entity(stream).build());
    }
}
