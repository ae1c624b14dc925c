package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.Schemas.with;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import java.util.List;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** The schemas of a feed's pages and item. */
record PageSchemas(FeedDescription feedDescription) {

    /** @return a reference to the schema of a page */
    Schema page() {
        return feedDescription.shared().schema(feedDescription.name() + "Page", this::pageSchema);
    }

    /** @return a reference to the schema of an item */
    Schema item() {
        return feedDescription.shared().schema(feedDescription.name() + "Item", this::itemSchema);
    }

    /** @return a reference to the schema of a page under the universal protocol */
    Schema universalPage() {
        return feedDescription
                .shared()
                .schema(feedDescription.name() + GeneratedNames.UNIVERSAL + "Page", this::universalPageSchema);
    }

    private Schema itemSchema() {
        Schema item = Schemas.object()
                .description("An item of the feed `" + feed().name()
                        + "`. If the request has `fields`, the item has only those members.");
        feed().columns()
                .forEach(column -> item.addProperty(
                        column.name(), feedDescription.columnSchemas().of(column)));
        feed().embeds()
                .forEach(embed -> item.addProperty(
                        embed.name(), feedDescription.columnSchemas().of(embed)));
        return item;
    }

    private Schema pageSchema() {
        Schema page = Schemas.object().description("A page of the feed `" + feed().name() + "`.");
        with(
                page,
                "items",
                Schemas.list(item()).maxItems(largestPage()).description("The items, in the order of the list."));
        with(page, "next_cursor", Schemas.token("The cursor of the next page, or `null` if `has_more` is false."));
        with(page, "has_more", Schemas.bool().description("Whether there are items after the last one."));
        with(page, "prev_cursor", Schemas.token("The cursor of the previous page, or `null` if `has_prev` is false."));
        with(page, "has_prev", Schemas.bool().description("Whether there are items before the first one."));
        with(page, "cursors", feedDescription.shared().schema("Bookmarks"));
        with(page, "limit", Schemas.integer().description("The limit that was applied."));
        page.addProperty("oversized", feedDescription.shared().schema("OversizedItems"));
        if (feed().policy().count().maxPrecision() != Precision.NONE) {
            page.addProperty("count", feedDescription.shared().schema("ItemCount"));
        }
        return hasDelta() ? withDelta(page) : page;
    }

    private Schema withDelta(Schema page) {
        page.addProperty(
                "keys",
                Schemas.list(key())
                        .maxItems(largestPage())
                        .description(
                                "The keys of all items of the page, in the order of the list. A page has them if the"
                                        + " request has `since`, and then `items` has only the items written since."));
        return with(
                page,
                "moment",
                Schemas.text(
                        "A token for the time at which the page was read, to be sent as `since` in later requests."));
    }

    private Schema key() {
        List<Column> key = feed().relation().key();
        return key.size() == 1
                ? feedDescription.columnSchemas().of(key.get(0))
                : Schemas.list(createSchema().description("The value of a column of the key."))
                        .minItems(key.size())
                        .maxItems(key.size());
    }

    private boolean hasDelta() {
        return feed().policy().delta().isPresent();
    }

    private int largestPage() {
        return feed().policy()
                .delta()
                .map(Feed.Delta::max)
                .orElse(feed().policy().limits().max());
    }

    private Schema universalPageSchema() {
        Schema page = Schemas.object()
                .description("A page of the feed `" + feed().name() + "` under the universal protocol.");
        with(
                page,
                "code",
                Schemas.integer().enumeration(List.of(0)).description("Always 0. Problems have other codes."));
        Schema result = Schemas.object().description("The rows, and where to continue.");
        with(
                result,
                "rows",
                Schemas.list(item())
                        .maxItems(feed().policy().limits().max())
                        .description("The rows, in the order of the list."));
        result.addProperty("oversized", feedDescription.shared().schema("OversizedItems"));
        boolean isCounted = feed().policy().count().maxPrecision() == Precision.EXACT;
        with(
                result,
                "paging",
                feedDescription.shared().schema(isCounted ? "UniversalPagingWithCount" : "UniversalPaging"));
        return with(page, "result", result);
    }

    private Feed feed() {
        return feedDescription.feed();
    }
}
