package dev.tidemark.http.page;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.access.BearerToken;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.Bounds;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FeedQuery;
import dev.tidemark.http.query.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.Validator;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestResponse;

/** The feeds and their pages. One class for both, or the framework takes a POST to a feed for an unknown path. */
@Path("/api")
@Produces(MediaType.APPLICATION_JSON)
public class FeedResource {

    private final FeedCatalogue catalogue;
    private final ServedFeeds feeds;
    private final Admission admission;
    private final FeedPages pages;
    private final Validator bounds;

    FeedResource(FeedCatalogue catalogue, ServedFeeds feeds, Admission admission, FeedPages pages, Validator bounds) {
        this.catalogue = catalogue;
        this.feeds = feeds;
        this.admission = admission;
        this.pages = pages;
        this.bounds = bounds;
    }

    @GET
    @Operation(operationId = "feeds", summary = "The feeds, and what each of them can be asked")
    @APIResponse(
            responseCode = "200",
            description = "All feeds that the caller may read, by name",
            content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    public Uni<RestResponse<byte[]>> feeds(@Context RoutingContext request) {
        return catalogue.isEverybodys()
                ? Uni.createFrom().item(() -> feeds(request.request(), Optional.empty()))
                : admission.token(request).map(token -> feeds(request.request(), token));
    }

    private RestResponse<byte[]> feeds(HttpServerRequest request, Optional<BearerToken> token) {
        QueryString.decode(request.query()).parameters().keySet().stream()
                .findFirst()
                .ifPresent(name -> {
                    throw Problem.with(name, ProblemCode.UNKNOWN_PARAMETER, "the list of feeds has no parameters");
                });
        return catalogue.answer(request, token);
    }

    @GET
    @Path("/{feed}")
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext request) {
        ServedFeed served = feeds.find(feed);
        return admission.admit(served.feed(), request, caller -> page(served, caller, request.request()));
    }

    private Uni<RestResponse<byte[]>> page(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        QueryString asked = QueryString.decode(request.query());
        FeedQuery query =
                Bounds.checked(bounds, served.parameters().read(asked, caller).page(isWeb(request)));
        PageHeaders.Answer answer = served.headers().answerTo(request, asked);
        return pages.read(served, query).map(page -> {
            served.pages().served(query.state().order(), page);
            return answer.of(page);
        });
    }

    /** Only a client that says so is no phone: most phones' browsers and all apps send no such hint. */
    private static boolean isWeb(HttpServerRequest request) {
        return "?0".equals(request.getHeader("Sec-CH-UA-Mobile"));
    }
}
