package dev.tidemark.http.fresh;

import dev.tidemark.feed.FeedCounter;
import dev.tidemark.http.access.Admission;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.fresh.FreshQueries.FreshQuery;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * How many items paging on with a cursor would give: once, or again whenever it changes. The class has the path of
 * {@code FeedResource}, or the framework takes a POST for one to an unknown path.
 */
@Path("/api")
public class FreshResource {

    private final ServedFeeds feeds;
    private final Admission admission;
    private final FreshQueries queries;
    private final FeedCounter counter;
    private final FreshStreams streams;
    private final Vary vary;

    FreshResource(
            ServedFeeds feeds,
            Admission admission,
            FreshQueries queries,
            FeedCounter counter,
            FreshStreams streams,
            Vary vary) {
        this.feeds = feeds;
        this.admission = admission;
        this.queries = queries;
        this.counter = counter;
        this.streams = streams;
        this.vary = vary;
    }

    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<RestResponse<byte[]>> count(String feed, @Context RoutingContext request) {
        ServedFeed served = feeds.find(feed);
        return admission.admit(
                served.feed(), request, caller -> count(queries.read(served, caller, request.request())));
    }

    private Uni<RestResponse<byte[]>> count(FreshQuery query) {
        ServerTiming timing = ServerTiming.start();
        return number(query).map(count -> this.<byte[]>ok(query)
                .header("Server-Timing", timing.stop())
                .entity(count.json())
                .build());
    }

    /** An answer to HEAD opens no stream: it would have nobody to end it. */
    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(hidden = true)
    public Uni<RestResponse<FreshStream>> stream(String feed, @Context RoutingContext request) {
        ServedFeed served = feeds.find(feed);
        return admission.admit(
                served.feed(),
                request,
                caller -> stream(queries.read(served, caller, request.request()), request.request()));
    }

    private Uni<RestResponse<FreshStream>> stream(FreshQuery query, HttpServerRequest request) {
        // Proxies that gather an answer before they pass it on leave this one alone.
        ResponseBuilder<FreshStream> answer = this.<FreshStream>ok(query).header("X-Accel-Buffering", "no");
        if (request.method() == HttpMethod.HEAD) {
            return number(query).map(count -> answer.type(MediaType.SERVER_SENT_EVENTS + ";charset=UTF-8")
                    .build());
        }
        return streams.open(query).map(stream -> answer.entity(stream).build());
    }

    private Uni<FreshCount> number(FreshQuery query) {
        return counter.beyond(query.state(), query.from(), FreshCount.COUNTED).map(FreshCount::of);
    }

    /** A number is true of one moment; nobody should keep it. */
    private <T> ResponseBuilder<T> ok(FreshQuery query) {
        return ResponseBuilder.<T>create(RestResponse.Status.OK)
                .header("Cache-Control", "no-store")
                .header("Vary", "Accept, " + vary.of(query.state().feed()));
    }
}
