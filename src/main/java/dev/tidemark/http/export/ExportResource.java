package dev.tidemark.http.export;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.bodies.ContentCoding;
import dev.tidemark.http.export.ExportWalk.ExportQuery;
import dev.tidemark.http.page.FeedRequests;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.http.query.Start;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.Validator;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves a list, or the requested part of it, as lines of JSON or CSV. The class has the same path as
 * {@code FeedResource}, because the framework would otherwise respond to a POST with 404 instead of 405.
 */
@Path("/api")
public class ExportResource {

    static final String NDJSON = "application/x-ndjson";
    static final String CSV = "text/csv";

    private static final Endpoint ENDPOINT = Endpoint.withCursors(List.of(
                    ParameterNames.CURSOR,
                    ParameterNames.FROM,
                    ParameterNames.FROM_ID,
                    ParameterNames.UNTIL,
                    ParameterNames.LIMIT,
                    ParameterNames.FIELDS))
            .without(ParameterNames.AROUND, "an export reads forward only; use from")
            .without(ParameterNames.AROUND_ID, "an export reads forward only; use from_id")
            .without(
                    ParameterNames.COUNT,
                    "an export has no count; as application/x-ndjson, its last line contains the number of its items")
            .without(ParameterNames.SINCE, "an export cannot refresh items; request a page with since");

    private final FeedRequests requests;
    private final Validator validator;
    private final Exports exports;

    ExportResource(FeedRequests requests, Validator validator, Exports exports) {
        this.requests = requests;
        this.validator = validator;
        this.exports = exports;
    }

    /**
     * Responds with an export. A client that also accepts JSON gets a page, unless it prefers {@link #NDJSON}. The
     * signature does not name {@link ExportStream}: Quarkus would register its whole hierarchy for reflection, down to
     * classes of Netty with which a native build ends.
     */
    @GET
    @Path("/{feed}")
    @Produces(NDJSON + ";qs=0.5")
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> exportNdjson(String feed, @Context RoutingContext context) {
        return export(feed, ExportFormat.NDJSON, context);
    }

    /** Like {@link #exportNdjson}, for clients that prefer {@link #CSV}. */
    @GET
    @Path("/{feed}")
    @Produces(CSV + ";qs=0.4")
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> exportCsv(String feed, @Context RoutingContext context) {
        return export(feed, ExportFormat.CSV, context);
    }

    private Uni<RestResponse<Object>> export(String feed, ExportFormat format, RoutingContext context) {
        return requests.answer(feed, context, (served, caller) -> export(served, format, caller, context));
    }

    private Uni<RestResponse<Object>> export(
            ServedFeed served, ExportFormat format, Caller caller, RoutingContext context) {
        ExportQuery query = parse(served, caller, context.request());
        boolean isGzipWanted = ContentCoding.isGzipWanted(context);
        return exports.open(served, format, query, isGzipWanted, context).map(stream -> {
            ResponseBuilder<Object> response = served.streamResponse().header("Content-Type", format.contentType());
            if (isGzipWanted) {
                response.header("Content-Encoding", ContentCoding.GZIP);
            }
            return context.request().method() == HttpMethod.HEAD
                    ? response.build()
                    : response.entity(stream).build();
        });
    }

    /**
     * @throws Problem if the feed has no cursors or a parameter is invalid
     * @throws jakarta.validation.ConstraintViolationException if the limit is below 1
     */
    private ExportQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        Feed feed = served.feed();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        long limit = query.value(ParameterNames.LIMIT)
                .map(text -> Limit.parse(text, Long.MAX_VALUE))
                .orElse(Long.MAX_VALUE);
        ParsedQuery first = new ParsedQuery(
                PageFormat.API,
                state,
                Start.find(query, feed, state.order()),
                CursorParameter.find(ParameterNames.UNTIL, query),
                (int) Math.min(limit, feed.policy().limits().max()),
                query.value(ParameterNames.FIELDS).map(list -> FieldNames.parse(feed, list)),
                Optional.empty(),
                Optional.empty());
        return ConstraintProblems.validate(validator, new ExportQuery(first, limit, caller));
    }
}
