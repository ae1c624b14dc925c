package dev.tidemark.http.browser;

import dev.tidemark.feed.read.FeedExplainer;
import dev.tidemark.feed.read.FeedExplainer.StatementPlan;
import dev.tidemark.http.json.Json;
import dev.tidemark.http.page.FeedRequests;
import dev.tidemark.http.page.PageParser;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.problem.Problem;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves the SQL and the plans of page requests. {@code GET /browse/plan/{feed}} takes the same query as
 * {@code GET /api/{feed}}.
 */
@Path("/browse/plan")
@Produces(MediaType.APPLICATION_JSON)
public class PlanResource {

    private final BrowserConfig config;
    private final FeedRequests requests;
    private final PageParser parser;
    private final QueryOpener opener;
    private final FeedExplainer explainer;

    PlanResource(
            BrowserConfig config,
            FeedRequests requests,
            PageParser parser,
            QueryOpener opener,
            FeedExplainer explainer) {
        this.config = config;
        this.requests = requests;
        this.parser = parser;
        this.opener = opener;
        this.explainer = explainer;
    }

    /**
     * Responds with the statements that read the page, and their plans. Access is checked as for the page itself, and
     * the statements include the caller's scope.
     */
    @GET
    @Path("/{feed}")
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> plan(String feed, @Context RoutingContext context) {
        if (!config.feedBrowser()) {
            throw Problem.NO_SUCH_PATH;
        }
        return requests.answer(
                        feed, context, (served, caller) -> explain(parser.parse(served, caller, context.request())))
                .map(PlanResource::response);
    }

    private Uni<List<StatementPlan>> explain(ParsedQuery query) {
        return opener.open(query).chain(request -> explainer.explain(query.state(), request));
    }

    private static RestResponse<byte[]> response(List<StatementPlan> statements) {
        List<JsonObject> plans = statements.stream()
                .map(statement -> new JsonObject()
                        .put("name", statement.name())
                        .put("indexed", statement.indexed())
                        .put("sql", statement.sql())
                        .put("plan", String.join("\n", statement.plan())))
                .toList();
        byte[] body = Json.bytes(new JsonObject().put("statements", new JsonArray(plans)));
        return ResponseBuilder.ok(body).header("Cache-Control", "no-store").build();
    }
}
