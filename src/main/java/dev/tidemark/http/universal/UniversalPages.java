package dev.tidemark.http.universal;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.FeedReader;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.page.Counting;
import dev.tidemark.http.page.PageFlights;
import dev.tidemark.http.page.PageForm;
import dev.tidemark.http.page.PageWriter;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.WrittenPage;
import dev.tidemark.http.query.UniversalQuery;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads what a query asks for and writes it as a page of the universal protocol, by the strategy that the query is of. */
@Singleton
class UniversalPages {

    private final FeedCounter counter;
    private final KeyedHash hash;
    private final PageFlights flights;
    private final UniversalStrategy cursors;
    private final UniversalStrategy offsets;

    UniversalPages(FeedReader reader, FeedCounter counter, CursorSealer sealer, KeyedHash hash, PageFlights flights) {
        this.counter = counter;
        this.hash = hash;
        this.flights = flights;
        this.cursors = new CursorStrategy(reader, sealer);
        this.offsets = new OffsetStrategy(reader);
    }

    Uni<WrittenPage> read(ServedFeed served, UniversalQuery query) {
        return flights.read(query, () -> written(served, query));
    }

    private Uni<WrittenPage> written(ServedFeed served, UniversalQuery query) {
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
