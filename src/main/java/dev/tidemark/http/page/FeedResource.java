package dev.tidemark.http.page;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.access.BearerToken;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Serves the list of feeds and the pages of each feed. {@code ExportResource} serves the path of a feed to clients
 * that prefer an export. {@code ConditionalResponses} turns a response into {@code 304} if the client already has its
 * content, {@code DroppedResponses} drops one for which there is no memory, and {@code ContentCoding} compresses the
 * others. Headers are set on the response of Vert.x, and the framework writes the bytes. All resources below
 * {@code /api} have the same class-level path, because the framework would otherwise respond to a POST with 404
 * instead of 405.
 */
@Path("/api")
@Produces(MediaType.APPLICATION_JSON)
public class FeedResource {

    private final FeedListing listing;
    private final FeedRequests requests;
    private final Admission admission;
    private final PageParser parser;
    private final PageReader pages;

    FeedResource(FeedListing listing, FeedRequests requests, Admission admission, PageParser parser, PageReader pages) {
        this.listing = listing;
        this.requests = requests;
        this.admission = admission;
        this.parser = parser;
        this.pages = pages;
    }

    @GET
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> feeds(@Context RoutingContext context) {
        HttpServerRequest request = context.request();
        return listing.areAllFeedsPublic()
                ? Uni.createFrom().item(() -> listFeeds(request, Optional.empty()))
                : admission.token(context).map(token -> listFeeds(request, token));
    }

    private RestResponse<byte[]> listFeeds(HttpServerRequest request, Optional<BearerToken> token) {
        QueryString.decode(request.query()).parameters().keySet().stream()
                .findFirst()
                .ifPresent(name -> {
                    throw Problem.ofParameter(
                            name, ProblemCode.UNKNOWN_PARAMETER, "the list of feeds takes no parameters");
                });
        return listing.respond(request, token);
    }

    @GET
    @Path("/{feed}")
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        return requests.answer(feed, context, (served, caller) -> readPage(served, caller, request));
    }

    private Uni<RestResponse<byte[]>> readPage(ServedFeed served, Caller caller, HttpServerRequest request) {
        ParsedQuery query = parser.parse(served, caller, request);
        return pages.read(served, query).map(page -> served.respond(request, page));
    }
}
