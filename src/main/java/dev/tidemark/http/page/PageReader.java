package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.ListCounter.Counted;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads the page that a query requests, and writes it as JSON with its cursors. */
@Singleton
class PageReader {

    private static final String MOMENT = ",\"moment\":\"";

    /** The number of bytes after the token of the moment: a quote and the end of the page. */
    private static final int AFTER_MOMENT = 1 + PageEnvelope.CURSORS.closing().length;

    private final PageRequests requests;
    private final FeedReader reader;
    private final ListCounter counter;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;
    private final SingleFlight flights;

    PageReader(
            PageRequests requests,
            FeedReader reader,
            FeedCounter counter,
            CursorSealer cursors,
            MomentSealer moments,
            KeyedHash hash,
            SingleFlight flights) {
        this.requests = requests;
        this.reader = reader;
        this.counter = new ListCounter(counter);
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
        this.flights = flights;
    }

    /**
     * Reads and writes a page. Unless single flight is off, equal queries that arrive while the page is being read
     * share the next read.
     */
    Uni<WrittenPage> read(ServedFeed served, PageQuery query) {
        return flights.read(query, () -> {
            ServerTiming timing = ServerTiming.start();
            return requests.toRequest(query).chain(request -> read(served, query, request, timing));
        });
    }

    private Uni<WrittenPage> read(ServedFeed served, PageQuery query, PageRequest request, ServerTiming timing) {
        ItemWriter items = query.fields().map(served.items()::withColumns).orElse(served.items());
        PageWriter writer = new PageWriter(
                PageEnvelope.CURSORS,
                items,
                query.since().isPresent() ? served.keys() : Optional.empty(),
                request.direction(),
                request.limit());
        Uni<Page> page = reader.read(query.state(), request, writer);
        return counter.count(query.state(), query.count(), request.floor(), page)
                .map(read -> {
                    String serverTiming = timing.stop();
                    PageFacts facts =
                            PageFacts.seal(read.page(), query.state(), request.limit(), read.count(), cursors);
                    Optional<String> moment = read.page().moment().map(moments::seal);
                    byte[] body = writer.finish(json -> {
                        facts.write(json);
                        moment.ifPresent(token -> json.raw(MOMENT).raw(token).raw('"'));
                    });
                    return new WrittenPage(
                            body,
                            tag(writer, body, read, query.state(), request.limit(), moment),
                            query.state().order(),
                            request.direction(),
                            Optional.of(facts),
                            serverTiming);
                });
    }

    /**
     * Returns the entity tag of a page. It does not cover the moment, which can differ at every read; the moment is
     * therefore the last member. It also does not cover the floor of the cursors, which differs after each write to the
     * database.
     */
    private WeakTag tag(
            PageWriter writer, byte[] body, Counted<Page> read, ListState state, int limit, Optional<String> moment) {
        if (read.page().floor().isPresent()) {
            Page page = read.page().withFloor(Optional.empty());
            PageFacts facts = PageFacts.seal(page, state, limit, read.count(), cursors);
            return WeakTag.of(body, writer.itemsLength(), JsonBytes.bytesOf(facts::write), hash);
        }
        int untagged = moment.map(token -> MOMENT.length() + token.length() + AFTER_MOMENT)
                .orElse(0);
        return WeakTag.of(body, body.length - untagged, hash);
    }
}
