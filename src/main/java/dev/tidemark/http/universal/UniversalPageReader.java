package dev.tidemark.http.universal;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.ListCounter;
import dev.tidemark.http.page.PageCount;
import dev.tidemark.http.page.PageEnvelope;
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
    private final UniversalStrategy cursors;
    private final UniversalStrategy offsets;

    UniversalPageReader(
            FeedReader reader, FeedCounter counter, CursorSealer sealer, KeyedHash hash, SingleFlight flights) {
        this.counter = new ListCounter(counter);
        this.hash = hash;
        this.flights = flights;
        this.cursors = new CursorStrategy(reader, sealer);
        this.offsets = new OffsetStrategy(reader);
    }

    /**
     * Reads and writes a page. Unless single flight is off, equal queries that arrive while the page is being read
     * share the next read.
     */
    Uni<WrittenPage> read(ServedFeed served, UniversalQuery query) {
        return flights.read(query, () -> readAlone(served, query));
    }

    private Uni<WrittenPage> readAlone(ServedFeed served, UniversalQuery query) {
        ServerTiming timing = ServerTiming.start();
        PageWriter writer = new PageWriter(PageEnvelope.UNIVERSAL, served.items(), query.direction(), query.limit());
        UniversalStrategy strategy = strategy(query);
        Uni<UniversalPage> page = strategy.read(query, query.wantsRows() ? writer : row -> {});
        Optional<Precision> precision = countPrecision(served.feed());
        Optional<Floor> floor = precision.flatMap(counted -> strategy.floor(query));
        return counter.count(query.state(), precision, floor, page).map(read -> {
            String serverTiming = timing.stop();
            boolean isBackwardOffered = served.feed().policy().universal().backward();
            UniversalPage offered =
                    isBackwardOffered ? read.page() : read.page().forwardOnly();
            byte[] body = writer.finish(json -> offered.write(json, read.count()));
            return new WrittenPage(
                    body,
                    tag(writer, body, offered, read.count()),
                    query.state().order(),
                    query.direction(),
                    Optional.empty(),
                    serverTiming);
        });
    }

    /**
     * Returns the entity tag of a page. It does not cover the floor of the tokens, which differs after each write to
     * the database.
     */
    private WeakTag tag(PageWriter writer, byte[] body, UniversalPage page, Optional<PageCount> count) {
        return page.withoutFloor()
                .map(tagged -> WeakTag.of(
                        body, writer.itemsLength(), JsonBytes.bytesOf(json -> tagged.write(json, count)), hash))
                .orElseGet(() -> WeakTag.of(body, hash));
    }

    private UniversalStrategy strategy(UniversalQuery query) {
        return switch (query.strategy()) {
            case CURSOR -> cursors;
            case OFFSET -> offsets;
        };
    }

    /**
     * Returns the precision of the count. Clients interpret the count as the exact total, so an estimate is never sent.
     */
    private static Optional<Precision> countPrecision(Feed feed) {
        return Optional.of(feed.policy().count().maxPrecision()).filter(Precision.EXACT::equals);
    }
}
