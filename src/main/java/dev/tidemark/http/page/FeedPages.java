package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.FeedReader;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.query.FeedQuery;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads what a query asks for and writes it as a page with cursors. */
@Singleton
class FeedPages {

    private final FeedReader reader;
    private final FeedCounter counter;
    private final CursorSealer cursors;
    private final PageOpening opening;
    private final KeyedHash hash;
    private final PageFlights flights;

    FeedPages(FeedReader reader, FeedCounter counter, CursorSealer cursors, KeyedHash hash, PageFlights flights) {
        this.reader = reader;
        this.counter = counter;
        this.cursors = cursors;
        this.opening = new PageOpening(cursors, reader);
        this.hash = hash;
        this.flights = flights;
    }

    Uni<WrittenPage> read(ServedFeed served, FeedQuery query) {
        return flights.read(query, () -> written(served, query));
    }

    private Uni<WrittenPage> written(ServedFeed served, FeedQuery query) {
        ServerTiming timing = ServerTiming.start();
        if (query.jump().isEmpty()) {
            return written(served, query, opening.open(query), timing);
        }
        return opening.open(query, query.jump().get()).chain(request -> written(served, query, request, timing));
    }

    private Uni<WrittenPage> written(ServedFeed served, FeedQuery query, PageRequest request, ServerTiming timing) {
        ListState state = query.state();
        ItemWriter items = query.fields().map(served.items()::only).orElse(served.items());
        PageWriter writer = new PageWriter(PageForm.CURSORS, items, request.direction(), request.limit());
        Uni<Page> read = reader.read(state, request, writer);
        return new Counting(counter, state, query.count()).beside(read, (page, count) -> {
            String took = timing.stop();
            PageFacts facts = PageFacts.of(page, state, request.limit(), count, cursors);
            byte[] body = writer.finish(facts::write);
            return new WrittenPage(body, WeakTag.of(body, hash), request.direction(), Optional.of(facts), took);
        });
    }
}
