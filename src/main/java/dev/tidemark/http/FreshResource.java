package dev.tidemark.http;

import dev.tidemark.feed.FeedCounter;
import dev.tidemark.http.FreshQueries.FreshQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * How many items paging on with a cursor would give: once, or again whenever it changes. The class has the path of
 * {@link FeedResource}, or the framework takes a POST for one to an unknown path.
 */
@Path("/api")
public class FreshResource {

    private final FreshQueries queries;
    private final FeedCounter counter;
    private final FreshStreams streams;
    private final Vary vary;

    FreshResource(FreshQueries queries, FeedCounter counter, FreshStreams streams, Vary vary) {
        this.queries = queries;
        this.counter = counter;
        this.streams = streams;
        this.vary = vary;
    }

    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<RestResponse<byte[]>> count(String feed, @Context HttpServerRequest request) {
        FreshQuery query = queries.read(feed, request);
        ServerTiming timing = ServerTiming.start();
        return count(query).map(count -> this.<byte[]>ok()
                .header("Server-Timing", timing.stop())
                .entity(count.json())
                .build());
    }

    /** An answer to HEAD opens no stream: it would have nobody to end it. */
    @GET
    @Path("/{feed}/fresh")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public Uni<RestResponse<FreshStream>> stream(String feed, @Context HttpServerRequest request) {
        FreshQuery query = queries.read(feed, request);
        // Proxies that gather an answer before they pass it on leave this one alone.
        ResponseBuilder<FreshStream> answer = this.<FreshStream>ok().header("X-Accel-Buffering", "no");
        if (request.method() == HttpMethod.HEAD) {
            return count(query).map(count -> answer.type(MediaType.SERVER_SENT_EVENTS + ";charset=UTF-8")
                    .build());
        }
        return streams.open(query.state(), query.from())
                .map(stream -> answer.entity(stream).build());
    }

    private Uni<FreshCount> count(FreshQuery query) {
        return counter.beyond(query.state(), query.from(), FreshCount.COUNTED).map(FreshCount::of);
    }

    /** A number is true of one moment; nobody should keep it. */
    private <T> ResponseBuilder<T> ok() {
        return ResponseBuilder.<T>create(RestResponse.Status.OK)
                .header("Cache-Control", "no-store")
                .header("Vary", "Accept, " + vary.always());
    }
}
