package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.page.FeedRequests;
import dev.tidemark.http.page.ServedFeed;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Serves the number of items that paging with a cursor would return, up to {@value FreshCount#MAX}, either once or in
 * an event stream, which also reports changes in the number. The class has the same path as {@code FeedResource},
 * because the framework would otherwise respond to a POST with 404 instead of 405.
 */
@Path("/api")
public class FreshResource {

    private final FeedRequests requests;
    private final FreshParser parser;
    private final FeedCounter counter;
    private final FreshCounts counts;
    private final EventStreams.Kind streams;

    FreshResource(
            FeedRequests requests, FreshParser parser, FeedCounter counter, FreshCounts counts, FreshStreams streams) {
        this.requests = requests;
        this.parser = parser;
        this.counter = counter;
        this.counts = counts;
        this.streams = streams.kind();
    }

    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(hidden = true)
    public Uni<RestResponse<byte[]>> count(String feed, @Context RoutingContext context) {
        return requests.answer(
                feed, context, (served, caller) -> respond(served, parser.parse(served, caller, context.request())));
    }

    private Uni<RestResponse<byte[]>> respond(ServedFeed served, FreshPosition position) {
        ServerTiming timing = ServerTiming.start();
        return count(position).map(count -> served.<byte[]>uncacheableResponse()
                .header("Server-Timing", timing.toHeader())
                .entity(count.json())
                .build());
    }

    /**
     * Responds with an event stream. A HEAD request opens no stream, because nothing would end the stream. The
     * signature does not name {@code EventStream}, because Quarkus would register its whole hierarchy for reflection.
     */
    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(hidden = true)
    public Uni<RestResponse<Object>> stream(String feed, @Context RoutingContext context) {
        return requests.answer(feed, context, (served, caller) -> {
            FreshPosition position = parser.parse(served, caller, context.request());
            return context.request().method() == HttpMethod.HEAD
                    ? count(position).map(count -> served.headOfStream())
                    : open(position, context)
                            .map(stream ->
                                    served.streamResponse().entity(stream).build());
        });
    }

    private Uni<EventStream> open(FreshPosition position, RoutingContext context) {
        LatestCount latest = new LatestCount();
        return streams.open(position.state().feed(), position.caller(), context, latest, stream -> {
            latest.sendTo(stream);
            return counts.watch(position.state(), position.from(), latest);
        });
    }

    private Uni<FreshCount> count(FreshPosition position) {
        return counter.countRemaining(position.state(), position.from(), FreshCount.COUNT_LIMIT)
                .map(FreshCount::of);
    }
}
