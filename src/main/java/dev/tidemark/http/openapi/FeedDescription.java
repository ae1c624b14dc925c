package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.export.ExportResource;
import dev.tidemark.http.openapi.example.ExamplePages;
import dev.tidemark.naming.ParameterNames;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.links.Link;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Describes the pages of a feed for the OpenAPI document.
 *
 * @param examples creates examples of the feed's pages; absent if the document has none
 */
record FeedDescription(Feed feed, GeneratedNames names, SharedComponents shared, Optional<ExamplePages> examples) {

    private static final Pagination PAGINATION =
            new Pagination(ParameterNames.CURSOR, List.of("next_cursor"), List.of("items"));

    String path() {
        return "/api/" + feed.name();
    }

    /** The name of the feed in the names of operations and schemas. */
    String name() {
        return names.feedName(feed);
    }

    String operationId() {
        return "list" + name();
    }

    ColumnSchemas columnSchemas() {
        return new ColumnSchemas(feed, names, shared);
    }

    ListParameters listParameters() {
        return new ListParameters(feed, columnSchemas(), shared);
    }

    PageSchemas pageSchemas() {
        return new PageSchemas(this);
    }

    Operation operation() {
        Operation operation = createOperation()
                .operationId(operationId())
                .addTag(feed.name())
                .summary("A page of " + feed.name())
                .description(
                        "To continue, send `next_cursor` as `cursor`, with the same order and filters, until `has_more` is"
                                + " false. No item is repeated or skipped unless its position in the order changes meanwhile.")
                .parameters(new PageParameters(this).parameters())
                .responses(createAPIResponses().addAPIResponse("200", page()));
        PAGINATION.describe(operation);
        new CachingDescription(shared).describePage(operation);
        new ProblemDescription(shared).describeFeed(operation, feed);
        return operation;
    }

    private APIResponse page() {
        String fresh = new FreshDescription(this).operationId();
        return createAPIResponse()
                .description("A page. Its items are in the order of the list.")
                .content(Schemas.json(pageSchemas().page(), examples.map(pages -> pages.page(feed)))
                        .addMediaType(ExportResource.MEDIA_TYPE, export()))
                .addLink("next", link("The next page, if `has_more` is true.", operationId(), "next_cursor"))
                .addLink("previous", link("The previous page, if `has_prev` is true.", operationId(), "prev_cursor"))
                .addLink("fresh", link("The number of items before the first one.", fresh, "cursors", "top"));
    }

    private MediaType export() {
        return createMediaType()
                .example(examples.map(pages -> pages.export(feed)).orElse(null))
                .schema(shared.schema("ExportLines", FeedDescription::exportLines));
    }

    private static Schema exportLines() {
        return Schemas.text("The list from the requested position to its end, or to `until` or `limit`. Each line"
                + " is a JSON object: `list` first, an `item` for each item, a `cursor` after"
                + " at most 1000 items, and `end` last. If the export fails, a `problem` is"
                + " last. Without `end`, the list is incomplete, and the last `cursor`"
                + " continues it. `limit` has no maximum.");
    }

    private Link link(String description, String operationId, String... cursor) {
        return Pagination.link(description, operationId, ParameterNames.CURSOR, List.of(cursor));
    }
}
