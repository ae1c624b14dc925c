package dev.tidemark.http.universal;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.http.page.ListCounter;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.page.PageFrame;
import dev.tidemark.http.page.PageWriter;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.SingleFlight;
import dev.tidemark.http.page.WrittenPage;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads the page that a query of the universal protocol requests, by the query's strategy, and writes it as JSON. */
@Singleton
class UniversalPageReader {

    private final ListCounter counter;
    private final KeyedHash hash;
    private final SingleFlight flights;
    private final int maxPageBytes;
    private final UniversalStrategy cursorStrategy;
    private final UniversalStrategy offsetStrategy;

    UniversalPageReader(
            FeedReader reader,
            FeedCounter counter,
            CursorSealer sealer,
            KeyedHash hash,
            SingleFlight flights,
            PageConfig config) {
        this.counter = new ListCounter(counter);
        this.hash = hash;
        this.flights = flights;
        this.maxPageBytes = Math.toIntExact(config.maxPageBytes().asLongValue());
        this.cursorStrategy = new CursorStrategy(reader, sealer);
        this.offsetStrategy = new OffsetStrategy(reader);
    }

    /** Reads and writes a page, or shares a read of the page as {@link SingleFlight} describes. */
    Uni<WrittenPage> read(ServedFeed served, UniversalQuery query) {
        return flights.read(query, () -> readUnshared(served, query));
    }

    private Uni<WrittenPage> readUnshared(ServedFeed served, UniversalQuery query) {
        ServerTiming timing = ServerTiming.start();
        PageWriter writer = new PageWriter(
                PageFrame.UNIVERSAL,
                new PageItems(served.itemWriter(), maxPageBytes),
                query.direction(),
                query.limit());
        UniversalStrategy strategy = strategy(query);
        Uni<UniversalPaging> paging = strategy.read(query, query.wantsRows() ? writer : row -> {});
        Optional<Precision> precision = countPrecision(served.feed());
        Optional<Floor> floor = precision.flatMap(exact -> strategy.floor(query));
        return counter.withCount(paging, query.state(), precision, floor).map(counted -> {
            String serverTiming = timing.toHeader();
            boolean offersBackward = served.feed().policy().universal().backward();
            UniversalPaging offeredPaging =
                    offersBackward ? counted.page() : counted.page().withoutPrevious();
            byte[] body = writer.finish(json -> offeredPaging.write(json, counted.count()));
            return new WrittenPage(
                    body,
                    writer.tag(
                            body,
                            offeredPaging.withoutFloor().map(plain -> json -> plain.write(json, counted.count())),
                            hash),
                    query.state().order(),
                    query.direction(),
                    Optional.empty(),
                    serverTiming);
        });
    }

    private UniversalStrategy strategy(UniversalQuery query) {
        return switch (query.strategy()) {
            case CURSOR -> cursorStrategy;
            case OFFSET -> offsetStrategy;
        };
    }

    /**
     * Returns {@code EXACT} if the feed offers exact counts; otherwise nothing. Clients interpret the count as the
     * exact total, so an estimate is never sent.
     */
    private static Optional<Precision> countPrecision(Feed feed) {
        return Optional.of(feed.policy().count().maxPrecision()).filter(Precision.EXACT::equals);
    }
}
