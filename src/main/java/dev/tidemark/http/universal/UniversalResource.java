package dev.tidemark.http.universal;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ChangedTables;
import dev.tidemark.http.page.PageReader;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Serves the feeds under the universal protocol. The server chooses the paging strategy, so released apps do not depend
 * on it.
 */
@Path("/v3")
@Produces(MediaType.APPLICATION_JSON)
public class UniversalResource {

    private final ServedFeeds feeds;
    private final Admission admission;
    private final UniversalParser parser;
    private final PageReader pages;
    private final ChangedTables changedTables;

    UniversalResource(
            ServedFeeds feeds,
            Admission admission,
            UniversalParser parser,
            PageReader pages,
            ChangedTables changedTables) {
        this.feeds = feeds;
        this.admission = admission;
        this.parser = parser;
        this.pages = pages;
        this.changedTables = changedTables;
    }

    @GET
    @Path("/{feed}")
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        ServedFeed served = feeds.find(feed);
        return admission
                .admit(served.feed(), context)
                .chain(caller -> changedTables.answer(served, current -> respond(current, caller, request)));
    }

    private Uni<RestResponse<byte[]>> respond(ServedFeed served, Caller caller, HttpServerRequest request) {
        ParsedQuery query = parser.parse(served, caller, request);
        return pages.read(served, query).map(page -> served.respond(request, page));
    }
}
