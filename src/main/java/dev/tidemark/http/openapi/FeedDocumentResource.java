package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.QueryString;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves the OpenAPI document of a single feed. Quarkus serves the document of all feeds, under {@code /q/openapi};
 * the format of both is requested in the same way.
 */
@Path("/q/openapi")
public class FeedDocumentResource {

    private static final String FORMAT = "format";
    private static final String YAML = "application/yaml";

    private final CurrentDocument document;
    private final DescribedFeeds feeds;

    FeedDocumentResource(CurrentDocument document, DescribedFeeds feeds) {
        this.document = document;
        this.feeds = feeds;
    }

    @GET
    @Path("/{feed}")
    @Blocking
    @Operation(hidden = true)
    public RestResponse<byte[]> document(String feed, @Context RoutingContext context) {
        boolean isJson = isJson(context.request());
        Feed described = feeds.find(feed)
                .orElseThrow(() ->
                        Problem.of(ProblemCode.UNKNOWN_FEED, "the OpenAPI document describes no feed with this name"));
        return ResponseBuilder.ok(document.document(described, isJson))
                .header(
                        HttpHeaders.CONTENT_TYPE.toString(),
                        (isJson ? MediaType.APPLICATION_JSON : YAML) + ";charset=UTF-8")
                .header(HttpHeaders.VARY.toString(), "Accept")
                .build();
    }

    private static boolean isJson(HttpServerRequest request) {
        Map<String, List<String>> parameters =
                QueryString.decode(request.query()).parameters();
        parameters.keySet().stream()
                .filter(name -> !name.equals(FORMAT))
                .findFirst()
                .ifPresent(name -> {
                    throw Problem.ofParameter(
                            name, ProblemCode.UNKNOWN_PARAMETER, "the OpenAPI document takes only `format`");
                });
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains(MediaType.APPLICATION_JSON)
                || parameters.getOrDefault(FORMAT, List.of()).stream().anyMatch("json"::equalsIgnoreCase);
    }
}
