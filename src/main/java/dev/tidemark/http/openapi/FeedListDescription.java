package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.Schemas.with;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.http.openapi.example.ExamplePages;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Describes the list of feeds for the OpenAPI document. */
record FeedListDescription(SharedComponents shared) {

    static final String PATH = "/api";
    static final String TAG = "feeds";

    /**
     * @param exampleFeeds the feeds in the example
     * @param needsToken whether a described feed needs a token
     */
    Operation operation(List<Feed> exampleFeeds, boolean needsToken) {
        Operation operation = createOperation()
                .operationId("listFeeds")
                .addTag(TAG)
                .summary("The list of feeds")
                .description("All feeds that the caller may read, sorted by name, with their orders, filters, columns"
                        + " and limits.")
                .responses(createAPIResponses()
                        .addAPIResponse(
                                "200",
                                createAPIResponse()
                                        .description("The list of feeds.")
                                        .content(Schemas.json(
                                                shared.schema("Catalogue", this::feedList),
                                                Optional.of(ExamplePages.feedList(exampleFeeds))))));
        new CachingDescription(shared).describeFeedList(operation);
        new ProblemDescription(shared).describeFeedList(operation, needsToken);
        return operation;
    }

    private Schema feedList() {
        return with(
                Schemas.object().description("All feeds that the caller may read."),
                "feeds",
                Schemas.list(shared.schema("Feed", this::feed)).description("The feeds, sorted by name."));
    }

    private Schema feed() {
        Schema feed = Schemas.object().description("A feed.");
        with(feed, "name", Schemas.text("The name, as in the path of the feed."));
        with(feed, "orders", Schemas.list(shared.schema("FeedOrder", FeedListDescription::order)));
        with(feed, "filters", Schemas.list(shared.schema("FeedFilter", FeedListDescription::filter)));
        with(feed, "columns", Schemas.list(shared.schema("FeedColumn", FeedListDescription::column)));
        with(feed, "limit", shared.schema("FeedLimit", FeedListDescription::limit));
        with(feed, "universal", shared.schema("FeedUniversal", FeedListDescription::universal));
        with(
                feed,
                "count",
                Schemas.enumeration(List.of("none", "estimate", "exact"))
                        .description("The most precise count that a request can ask for."));
        feed.addProperty(
                "embeds",
                Schemas.list(shared.schema("FeedEmbed", this::embed))
                        .description("Present if items have rows of other tables as members."));
        return feed.addProperty(
                "delta",
                Schemas.bool().description("Present and true if pages have a `moment` and requests can have `since`."));
    }

    private static Schema order() {
        Schema order = Schemas.object().description("An order of a feed.");
        with(order, "name", Schemas.text("The value of the parameter `order`."));
        with(order, "by", Schemas.text("The columns that the order sorts by, as in `ORDER BY`."));
        with(order, "default", Schemas.bool().description("Whether this order is the default."));
        return with(
                order,
                "live",
                Schemas.bool().description("Whether each edit of an item moves it to another position in the order."));
    }

    private static Schema filter() {
        Schema filter = Schemas.object().description("A column that requests can filter by.");
        with(filter, "column", Schemas.text("The name of the column."));
        with(filter, "type", Schemas.text("The type of the column in PostgreSQL."));
        return with(
                filter,
                "operators",
                Schemas.list(Schemas.enumeration(Arrays.stream(Filter.Operator.values())
                                .map(Filter.Operator::wireName)
                                .toList()))
                        .description("The parameter for `eq` is named like the column. The name of any other operator's"
                                + " parameter is the column, a dot, and the operator."));
    }

    private static Schema column() {
        Schema column = Schemas.object().description("A column, which is a member of each item.");
        with(column, "name", Schemas.text("The name of the member."));
        with(column, "type", Schemas.text("The type of the column in PostgreSQL."));
        return with(column, "nullable", Schemas.bool().description("Whether its value can be `null`."));
    }

    private Schema embed() {
        Schema embed = Schemas.object().description("A row of another table, which is a member of each item.");
        with(embed, "name", Schemas.text("The name of the member."));
        return with(embed, "columns", Schemas.list(shared.schema("FeedColumn", FeedListDescription::column)));
    }

    private static Schema limit() {
        Schema limit = Schemas.object().description("How many items a page can have.");
        with(limit, "default", Schemas.integer().description("The default of `limit`."));
        with(
                limit,
                "web_default",
                Schemas.integer().description("The default of `limit` for clients that send `Sec-CH-UA-Mobile: ?0`."));
        return with(limit, "max", Schemas.integer().description("The maximum of `limit` without `since`."));
    }

    private static Schema universal() {
        Schema universal = Schemas.object().description("How `/v3/{feed}` pages through the feed.");
        with(
                universal,
                "strategy",
                Schemas.enumeration(List.of("cursor", "offset")).description("The paging strategy."));
        with(universal, "backward", Schemas.bool().description("Whether requests can have `before`."));
        return universal.addProperty(
                "only",
                Schemas.bool()
                        .description("Present and true if the feed is served only under the universal protocol."));
    }
}
