package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;

import dev.tidemark.http.fresh.FreshCount;
import dev.tidemark.http.openapi.example.ExamplePages;
import dev.tidemark.naming.ParameterNames;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes the operation that counts the new items of a feed, for the OpenAPI document. */
record FreshDescription(FeedDescription feedDescription) {

    String path() {
        return feedDescription.path() + "/fresh";
    }

    String operationId() {
        return "countFresh" + feedDescription.name();
    }

    Operation operation() {
        String feed = feedDescription.feed().name();
        Operation operation = createOperation()
                .operationId(operationId())
                .addTag(feed)
                .summary("The number of new " + feed)
                .description("The number of items that paging with the cursor would return, up to " + FreshCount.MAX
                        + ". To count new items without reading them, send `cursors.top` of the first page. An"
                        + " event stream also reports each change in the number.")
                .parameters(parameters())
                .responses(createAPIResponses()
                        .addAPIResponse(
                                "200",
                                createAPIResponse()
                                        .description("The number of items.")
                                        .content(content())));
        new ProblemDescription(feedDescription.shared()).describeFeed(operation, feedDescription.feed());
        return operation;
    }

    private Content content() {
        return Schemas.json(
                        feedDescription.shared().schema("FreshCount", FreshDescription::schema),
                        Optional.of(ExamplePages.freshCount()))
                .addMediaType(
                        "text/event-stream",
                        createMediaType()
                                .example(ExamplePages.freshEvent())
                                .schema(feedDescription
                                        .shared()
                                        .schema("FreshEvents", FreshDescription::eventsSchema)));
    }

    private static Schema schema() {
        Schema schema = Schemas.object().description("The number of items that paging with the cursor would return.");
        Schemas.with(
                schema,
                "count",
                Schemas.integer()
                        .minimum(BigDecimal.ZERO)
                        .maximum(BigDecimal.valueOf(FreshCount.MAX))
                        .description("The number of items."));
        return Schemas.with(schema, "capped", Schemas.bool().description("Whether there are more items than `count`."));
    }

    private static Schema eventsSchema() {
        return Schemas.text("Events named `fresh`, whose data is the same JSON: one at the start and one"
                + " for each change. Comments keep the connection open. If the feed is removed,"
                + " the last event is named `problem`.");
    }

    private List<Parameter> parameters() {
        Parameter cursor = feedDescription
                .shared()
                .parameter(
                        "fresh",
                        PageParameters.tokenParameter(
                                        ParameterNames.CURSOR,
                                        "Where to count from: any cursor of a page with the same order and filters.")
                                .required(true));
        return Stream.concat(Stream.of(cursor), feedDescription.listParameters().parameters().stream())
                .toList();
    }
}
