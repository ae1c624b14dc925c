package dev.tidemark.http.openapi.example;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.http.export.ExportLines;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.http.live.LiveEvents;
import dev.tidemark.http.live.WindowRows;
import dev.tidemark.http.page.FeedListing;
import dev.tidemark.http.page.PageCount;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.PageMembers;
import dev.tidemark.http.page.PageWriter;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import io.quarkus.arc.Unremovable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Creates example responses. They show the first page of a list, read with {@code limit=1}: the page has one made-up
 * row, and the list has more items. This server seals the cursors. Unless the feed has a scope, they work until they
 * expire or the keys change.
 */
@Singleton
@Unremovable
public class ExamplePages {

    /** A moment that belongs to no database, so a refresh since this moment returns all items. */
    private static final Moment MOMENT = new Moment("example", 0);

    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;

    ExamplePages(CursorSealer cursors, MomentSealer moments, KeyedHash hash) {
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
    }

    /** A page of {@code GET /api/{feed}}. The feed must have a key. */
    public Map<String, Object> page(Feed feed) {
        ListState state = state(feed);
        PageMembers members = PageFormat.API.seal(page(state.order()), state, 1, Optional.empty(), cursors);
        return examplePage(feed, PageFormat.API, members, moment(feed));
    }

    /** Returns an export of only the made-up row. The feed must have a key. */
    public String export(Feed feed) {
        ListState state = state(feed);
        ExportLines lines = new ExportLines(new PageItems(ItemWriter.of(feed), Optional.empty(), Integer.MAX_VALUE));
        lines.accept(ExampleRow.of(feed));
        lines.insertListLine(state, moment(feed));
        lines.writeEnd(
                1, page(state.order()).nextContinuation().map(continuation -> cursors.seal(state, continuation)));
        return new String(lines.toBytes(), StandardCharsets.UTF_8);
    }

    /** The first event of a live window with {@code limit=1}. The feed must have delta. */
    public String liveEvent(Feed feed) {
        ListState state = state(feed);
        WindowRows rows = new WindowRows(
                new PageItems(ItemWriter.of(feed), Optional.empty(), Integer.MAX_VALUE),
                KeyWriter.of(feed),
                Optional.empty());
        rows.accept(ExampleRow.of(feed));
        PageMembers members = PageFormat.API.seal(page(state.order()), state, 1, Optional.empty(), cursors);
        return new String(LiveEvents.page(rows, false, members, moments.seal(feed, MOMENT)), StandardCharsets.UTF_8);
    }

    /** The list of feeds for a caller who may read only these. */
    public static Map<String, Object> feedList(List<Feed> readable) {
        return parse(FeedListing.json(readable));
    }

    /** A page of the universal protocol. */
    public Map<String, Object> universalPage(Feed feed) {
        Optional<PageCount> count = feed.policy().count().maxPrecision() == Precision.EXACT
                ? Optional.of(PageCount.ofExact(2))
                : Optional.empty();
        PageMembers members =
                switch (feed.policy().universal().strategy()) {
                    case CURSOR ->
                        PageFormat.UNIVERSAL.seal(page(feed.orders().byDefault()), state(feed), 1, count, cursors);
                    case OFFSET -> PageFormat.UNIVERSAL.ofOffsets(new OffsetPage(0, 1, false, true), feed, 1, count);
                };
        return examplePage(feed, PageFormat.UNIVERSAL, members, Optional.empty());
    }

    private Optional<String> moment(Feed feed) {
        return feed.policy().delta().map(delta -> moments.seal(feed, MOMENT));
    }

    /**
     * Parses a response. Converts the JSON to maps, lists, and plain values, which the OpenAPI document can contain.
     */
    private static Map<String, Object> parse(byte[] response) {
        return new JsonObject(Buffer.buffer(response)).getMap();
    }

    private Map<String, Object> examplePage(
            Feed feed, PageFormat format, PageMembers members, Optional<String> moment) {
        PageWriter writer = new PageWriter(
                format, new PageItems(ItemWriter.of(feed), Optional.empty(), Integer.MAX_VALUE), Direction.FORWARD, 1);
        writer.accept(ExampleRow.of(feed));
        return parse(writer.finish(members, moment, hash).bytes());
    }

    /** Returns the list without filters. If the feed has a scope, the claims of the caller are made up too. */
    private static ListState state(Feed feed) {
        List<Condition> scope =
                feed.access().scope().stream().map(ExamplePages::condition).toList();
        return new ListState(feed, feed.orders().byDefault(), scope);
    }

    private static Condition condition(Access.Scope part) {
        return part instanceof Access.Membership membership
                ? new Condition.InMembership(
                        membership,
                        membership.where().stream()
                                .map(claim -> exampleOf(claim.column()))
                                .toList())
                : new Condition.InScope(part.column(), exampleOf(part.column()));
    }

    private static String exampleOf(Column column) {
        return Objects.requireNonNull(ExampleValues.of(column));
    }

    private static Page page(Order order) {
        String[] values =
                order.keys().stream().map(key -> ExampleValues.of(key.column())).toArray(String[]::new);
        Position item = Position.of(values);
        return new Page(
                1,
                Optional.of(Gap.before(item)),
                Optional.of(Gap.after(item)),
                false,
                true,
                order.needsPin() ? Optional.of(new Pin(Optional.ofNullable(values[0]))) : Optional.empty());
    }
}
