package dev.tidemark.http.universal;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.http.query.UniversalQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;

/** The feeds under one protocol whose paging the server chooses, so that a released app never has to change. */
@Path("/v3")
@Produces(MediaType.APPLICATION_JSON)
public class UniversalResource {

    private final ServedFeeds feeds;
    private final Admission admission;
    private final UniversalQueries queries;
    private final UniversalPages pages;

    UniversalResource(ServedFeeds feeds, Admission admission, UniversalQueries queries, UniversalPages pages) {
        this.feeds = feeds;
        this.admission = admission;
        this.queries = queries;
        this.pages = pages;
    }

    @GET
    @Path("/{feed}")
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext request) {
        ServedFeed served = feeds.find(feed);
        return admission.admit(served.feed(), request, caller -> page(served, caller, request.request()));
    }

    private Uni<RestResponse<byte[]>> page(ServedFeed served, Caller caller, HttpServerRequest request) {
        UniversalQuery query = queries.read(served, caller, request);
        return pages.read(served, query).map(page -> {
            served.pages().served(query.state().order(), page);
            return served.headers().answer(request, page);
        });
    }
}
