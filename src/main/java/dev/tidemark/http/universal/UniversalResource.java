package dev.tidemark.http.universal;

import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.FeedRequests;
import dev.tidemark.http.page.PageReader;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.ServedFeed;
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
 * Serves the feeds under the universal protocol. The server chooses the paging strategy, so released apps do not
 * depend on it.
 */
@Path("/v3")
@Produces(MediaType.APPLICATION_JSON)
public class UniversalResource {

    private final FeedRequests requests;
    private final UniversalParser parser;
    private final PageReader pages;

    UniversalResource(FeedRequests requests, UniversalParser parser, PageReader pages) {
        this.requests = requests;
        this.parser = parser;
        this.pages = pages;
    }

    @GET
    @Path("/{feed}")
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        return requests.answer(feed, context, (served, caller) -> respond(served, caller, request));
    }

    private Uni<RestResponse<byte[]>> respond(ServedFeed served, Caller caller, HttpServerRequest request) {
        ParsedQuery query = parser.parse(served, caller, request);
        return pages.read(served, query).map(page -> served.respond(request, page));
    }
}
