package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.http.caching.ServerTiming;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.http.query.Jump;
import dev.tidemark.http.query.Offset;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.BiFunction;

/** Reads the page that a query requests, and its count, and writes it as JSON with its cursors. */
@Singleton
public class PageReader {

    private final QueryOpener opener;
    private final FeedReader reader;
    private final FeedCounter counter;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;
    private final SingleFlight flights;
    private final int maxPageBytes;

    PageReader(
            QueryOpener opener,
            FeedReader reader,
            FeedCounter counter,
            CursorSealer cursors,
            MomentSealer moments,
            KeyedHash hash,
            SingleFlight flights,
            PageConfig config) {
        this.opener = opener;
        this.reader = reader;
        this.counter = counter;
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
        this.flights = flights;
        this.maxPageBytes = Math.toIntExact(config.maxPageBytes().asLongValue());
    }

    /** Reads and writes a page, or shares a read of the page as {@link SingleFlight} describes. */
    public Uni<WrittenPage> read(ServedFeed served, ParsedQuery query) {
        return flights.read(query, () -> {
            ServerTiming timing = ServerTiming.start();
            return query.start().orElse(null) instanceof Offset offset
                    ? readByOffset(served, query, offset, timing)
                    : opener.open(query).chain(request -> readByCursor(served, query, request, timing));
        });
    }

    private Uni<WrittenPage> readByCursor(
            ServedFeed served, ParsedQuery query, PageRequest request, ServerTiming timing) {
        PageWriter writer = writer(served, query, request.direction());
        Uni<Page> read = reader.read(query.state(), served.forFields(request, query.fields()), sink(query, writer));
        return withCount(read, query, request.floor(), (found, count) -> {
            String serverTiming = timing.toHeader();
            Page page = query.wantsItems() ? found : found.withoutItems(request);
            PageMembers members = query.format().seal(page, query.state(), query.limit(), count, cursors);
            return written(
                    query,
                    writer,
                    members,
                    query.format().moment(page).map(moment -> moments.seal(served.feed(), moment)),
                    serverTiming);
        });
    }

    /** The count has no floor, because an offset does not contain the state of the database. */
    private Uni<WrittenPage> readByOffset(ServedFeed served, ParsedQuery query, Offset offset, ServerTiming timing) {
        OffsetRequest request = new OffsetRequest(offset.precedingCount(), offset.direction(), query.rowsToRead());
        PageWriter writer = writer(served, query, request.direction());
        Uni<OffsetPage> read = reader.read(query.state(), request, sink(query, writer));
        return withCount(read, query, Optional.empty(), (found, count) -> {
            String serverTiming = timing.toHeader();
            OffsetPage page = query.wantsItems() ? found : found.withoutItems(request);
            PageMembers members = query.format().ofOffsets(page, served.feed(), query.limit(), count);
            return written(query, writer, members, Optional.empty(), serverTiming);
        });
    }

    /**
     * Reads a page and counts its list at the same time, if the query requests a count.
     *
     * @param floor the oldest database state that an exact count may show; empty for any state
     * @param result combines the page with the number of items in the list, which is empty if no count was requested
     */
    private <P> Uni<WrittenPage> withCount(
            Uni<P> page,
            ParsedQuery query,
            Optional<Floor> floor,
            BiFunction<P, Optional<PageCount>, WrittenPage> result) {
        if (query.count().isEmpty()) {
            return page.map(read -> result.apply(read, Optional.empty()));
        }
        ListState state = query.state();
        Uni<PageCount> count =
                state.feed().countsExactly(query.count().get()) ? countExactly(state, floor) : estimate(state);
        return Uni.combine().all().unis(page, count).with((read, counted) -> result.apply(read, Optional.of(counted)));
    }

    private Uni<PageCount> countExactly(ListState state, Optional<Floor> floor) {
        int cap = state.feed().policy().count().cap();
        return counter.countAll(state, cap + 1, floor).map(found -> PageCount.ofCapped(found, cap));
    }

    private Uni<PageCount> estimate(ListState state) {
        return counter.estimate(state).map(PageCount::ofEstimate);
    }

    private WrittenPage written(
            ParsedQuery query, PageWriter writer, PageMembers members, Optional<String> moment, String serverTiming) {
        TaggedBody body = writer.finish(members, moment, hash);
        return new WrittenPage(body, query.format(), query.state().order(), writer.direction(), members, serverTiming);
    }

    private PageWriter writer(ServedFeed served, ParsedQuery query, Direction direction) {
        PageItems items = served.pageItems(query.fields(), maxPageBytes);
        if (query.start().orElse(null) instanceof Jump.ToItem item && !item.isAround()) {
            items.requireFirst();
        }
        return new PageWriter(
                query.format(),
                items,
                query.since().isPresent() ? served.keyWriter() : Optional.empty(),
                direction,
                query.rowsToRead());
    }

    private static RowSink sink(ParsedQuery query, PageWriter writer) {
        return query.wantsItems() ? writer : row -> {};
    }
}
