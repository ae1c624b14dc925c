package dev.tidemark.http;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.FeedReader;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** The feeds under one protocol whose paging the server chooses, so that a released app never has to change. */
@Path("/v3")
@Produces(MediaType.APPLICATION_JSON)
public class UniversalResource {

    private final ServedFeeds feeds;
    private final Admission admission;
    private final UniversalQueries queries;
    private final FeedCounter counter;
    private final KeyedHash hash;
    private final PageFlights flights;
    private final UniversalStrategy cursors;
    private final UniversalStrategy offsets;

    UniversalResource(
            ServedFeeds feeds,
            Admission admission,
            UniversalQueries queries,
            KeyedHash hash,
            PageFlights flights,
            FeedReader reader,
            FeedCounter counter,
            CursorSealer sealer) {
        this.feeds = feeds;
        this.admission = admission;
        this.queries = queries;
        this.hash = hash;
        this.flights = flights;
        this.counter = counter;
        this.cursors = new CursorStrategy(reader, sealer);
        this.offsets = new OffsetStrategy(reader);
    }

    @GET
    @Path("/{feed}")
    public Uni<RestResponse<byte[]>> page(String feed, @Context RoutingContext request) {
        ServedFeed served = feeds.find(feed);
        return admission.admit(served.feed(), request, caller -> page(served, caller, request.request()));
    }

    private Uni<RestResponse<byte[]>> page(ServedFeed served, Caller caller, HttpServerRequest request) {
        UniversalQuery query = queries.read(served, caller, request);
        return flights.read(query, () -> read(served, query)).map(page -> {
            served.pages().served(query.state().order(), page);
            return served.headers().answer(request, page);
        });
    }

    private Uni<WrittenPage> read(ServedFeed served, UniversalQuery query) {
        PageWriter writer = new PageWriter(PageForm.UNIVERSAL, served.items(), query.direction(), query.limit());
        ServerTiming timing = ServerTiming.start();
        Uni<UniversalPage> read = strategy(query).read(query, query.isOfRows() ? writer : row -> {});
        return new Counting(counter, query.state(), count(served.feed())).beside(read, (page, count) -> {
            String took = timing.stop();
            UniversalPage offered = served.feed().policy().universal().backward() ? page : page.forwardOnly();
            byte[] body = writer.finish(json -> offered.write(json, count));
            return new WrittenPage(body, WeakTag.of(body, hash), query.direction(), Optional.empty(), took);
        });
    }

    private UniversalStrategy strategy(UniversalQuery query) {
        return switch (query.strategy()) {
            case CURSOR -> cursors;
            case OFFSET -> offsets;
        };
    }

    /** Clients take the count for the total, so that it is there only where it can be one. */
    private static Optional<Precision> count(Feed feed) {
        return Optional.of(feed.policy().count().most()).filter(Precision.EXACT::equals);
    }
}
