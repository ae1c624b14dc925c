package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.Schemas.with;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import java.util.List;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** The schemas of a feed's page and item. */
record PageSchemas(FeedDescription feedDescription) {

    /** @return a reference to the schema of a page */
    Schema page() {
        return feedDescription.shared().schema(feedDescription.name() + "Page", this::pageSchema);
    }

    /** @return a reference to the schema of an item */
    Schema item() {
        return feedDescription.shared().schema(feedDescription.name() + "Item", this::itemSchema);
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
        with(page, "cursors", feedDescription.shared().schema("Bookmarks", PageSchemas::bookmarks));
        with(page, "limit", Schemas.integer().description("The limit that was applied."));
        if (feed().policy().count().maxPrecision() != Precision.NONE) {
            page.addProperty("count", feedDescription.shared().schema("ItemCount", PageSchemas::count));
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

    private static Schema bookmarks() {
        Schema bookmarks = Schemas.object()
                .description("Cursors of both ends of the page, for reading items that are added later.");
        with(
                bookmarks,
                "top",
                Schemas.token("A cursor that reads backward from the first item. `null` only if an empty list was read"
                        + " from its start."));
        return with(
                bookmarks,
                "last",
                Schemas.token("A cursor that reads forward from the last item. `null` only if an empty list was read"
                        + " from its start."));
    }

    private static Schema count() {
        Schema count = Schemas.object()
                .description("The number of items in the whole list. A page has it if the request has `count`.");
        with(count, "value", Schemas.integer().format("int64").description("The number."));
        return with(
                count,
                "relation",
                Schemas.enumeration(List.of("exact", "estimate", "at_least"))
                        .description(
                                "Whether the number is exact or an estimate. `at_least` means that counting stopped at this number, and that the list has more items."));
    }

    private Feed feed() {
        return feedDescription.feed();
    }
}
