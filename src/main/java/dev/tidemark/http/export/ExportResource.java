package dev.tidemark.http.export;

import dev.tidemark.http.access.Admission;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.edge.ContentCoding;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves a list, or the requested part of it, as lines of JSON. The class has the same path as {@code FeedResource},
 * because the framework would otherwise respond to a POST with 404 instead of 405.
 */
@Path("/api")
public class ExportResource {

    public static final String MEDIA_TYPE = "application/x-ndjson";

    private final ServedFeeds feeds;
    private final Admission admission;
    private final ExportParser parser;
    private final Exports exports;
    private final Vary vary;

    ExportResource(ServedFeeds feeds, Admission admission, ExportParser parser, Exports exports, Vary vary) {
        this.feeds = feeds;
        this.admission = admission;
        this.parser = parser;
        this.exports = exports;
        this.vary = vary;
    }

    /**
     * Responds with an export. A client that also accepts JSON gets a page, unless it prefers {@link #MEDIA_TYPE}. The
     * signature does not name {@link ExportStream}: Quarkus would register its whole hierarchy for reflection, down to
     * classes of Netty with which a native build ends.
     */
    @GET
    @Path("/{feed}")
    @Produces(MEDIA_TYPE + ";qs=0.5")
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> export(String feed, @Context RoutingContext context) {
        ServedFeed served = feeds.find(feed);
        return admission
                .admit(served.feed(), context)
                .map(caller -> parser.parse(served, caller, context.request()))
                .chain(query -> exports.open(served, query, context))
                .map(stream -> respond(served, stream, context));
    }

    private RestResponse<Object> respond(ServedFeed served, ExportStream stream, RoutingContext context) {
        ResponseBuilder<Object> response = ResponseBuilder.create(RestResponse.Status.OK)
                .header("Content-Type", MEDIA_TYPE)
                // A cached copy could not be distinguished from the current list.
                .header("Cache-Control", "no-store")
                .header("Vary", "Accept, " + vary.of(served.feed()))
                // Keeps proxies from buffering the stream.
                .header("X-Accel-Buffering", "no");
        if (ContentCoding.isGzipWanted(context)) {
            response.header("Content-Encoding", ContentCoding.GZIP);
        }
        if (context.request().method() == HttpMethod.HEAD) {
            stream.end();
            return response.build();
        }
        return response.entity(stream).build();
    }
}
