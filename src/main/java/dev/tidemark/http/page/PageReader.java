package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads the page that a query requests, and writes it as JSON with its cursors. */
@Singleton
class PageReader {

    private final PageRequestResolver requests;
    private final FeedReader reader;
    private final ListCounter counter;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;
    private final SingleFlight flights;
    private final int maxPageBytes;

    PageReader(
            PageRequestResolver requests,
            FeedReader reader,
            FeedCounter counter,
            CursorSealer cursors,
            MomentSealer moments,
            KeyedHash hash,
            SingleFlight flights,
            PageConfig config) {
        this.requests = requests;
        this.reader = reader;
        this.counter = new ListCounter(counter);
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
        this.flights = flights;
        this.maxPageBytes = Math.toIntExact(config.maxPageBytes().asLongValue());
    }

    /** Reads and writes a page, or shares a read of the page as {@link SingleFlight} describes. */
    Uni<WrittenPage> read(ServedFeed served, PageQuery query) {
        return flights.read(query, () -> {
            ServerTiming timing = ServerTiming.start();
            return requests.resolve(query).chain(request -> read(served, query, request, timing));
        });
    }

    private Uni<WrittenPage> read(ServedFeed served, PageQuery query, PageRequest request, ServerTiming timing) {
        ItemWriter itemWriter =
                query.fields().map(served.itemWriter()::withColumns).orElse(served.itemWriter());
        PageWriter writer = new PageWriter(
                PageFrame.API,
                new PageItems(itemWriter, maxPageBytes),
                query.since().isPresent() ? served.keyWriter() : Optional.empty(),
                request.direction(),
                request.limit());
        Uni<Page> page = reader.read(query.state(), request, writer);
        return counter.withCount(page, query.state(), query.count(), request.floor())
                .map(counted -> {
                    String serverTiming = timing.toHeader();
                    Optional<PageCount> count = counted.count().map(known -> known.correctedBy(counted.page()));
                    PageMembers members =
                            PageMembers.seal(counted.page(), query.state(), request.limit(), count, cursors);
                    byte[] body = writer.finish(
                            members::write, counted.page().moment().map(moments::seal));
                    return new WrittenPage(
                            body,
                            writer.tag(body, members.withoutFloor().map(plain -> plain::write), hash),
                            query.state().order(),
                            request.direction(),
                            Optional.of(members),
                            serverTiming);
                });
    }
}
