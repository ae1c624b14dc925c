package dev.tidemark.http.counts;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.http.caching.ConditionalResponses;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.http.page.FeedRequests;
import dev.tidemark.http.page.ServedFeed;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Serves the numbers of items of a list by value, either once or in an event stream, which also reports changes in the
 * numbers. The class has the same path as {@code FeedResource}, because the framework would otherwise respond to a
 * POST with 404 instead of 405.
 */
@Path("/api")
public class CountsResource {

    private final FeedRequests requests;
    private final FeedCounter counter;
    private final WatchedCounts counts;
    private final KeyedHash hash;

    CountsResource(FeedRequests requests, FeedCounter counter, WatchedCounts counts, KeyedHash hash) {
        this.requests = requests;
        this.counter = counter;
        this.counts = counts;
        this.hash = hash;
    }

    @GET
    @Path("/{feed}/counts")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> count(String feed, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        return requests.answer(
                feed,
                context,
                (served, caller) -> respond(served, CountsParser.parse(served, caller, request), request));
    }

    private Uni<RestResponse<byte[]>> respond(ServedFeed served, CountsByValue wanted, HttpServerRequest request) {
        ServerTiming timing = ServerTiming.start();
        return counter.countByValue(wanted).map(found -> {
            HttpServerResponse response = request.response();
            response.putHeader(HttpHeaders.CACHE_CONTROL, served.headers().cacheControl())
                    .putHeader(HttpHeaders.VARY, served.headers().vary())
                    .putHeader("Server-Timing", timing.toHeader());
            return ConditionalResponses.taggedResponse(request, TaggedBody.of(CountsJson.body(wanted, found), hash));
        });
    }

    /**
     * Responds with an event stream. A HEAD request opens no stream, because nothing would end the stream. The
     * signature does not name {@code EventStream}, because Quarkus would register its whole hierarchy for reflection.
     */
    @GET
    @Path("/{feed}/counts")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> stream(String feed, @Context RoutingContext context) {
        return requests.answer(feed, context, (served, caller) -> {
            CountsByValue wanted = CountsParser.parse(served, caller, context.request());
            return context.request().method() == HttpMethod.HEAD
                    ? Uni.createFrom().item(served.headOfStream())
                    : counts.open(wanted, caller, context)
                            .map(stream ->
                                    served.streamResponse().entity(stream).build());
        });
    }
}
