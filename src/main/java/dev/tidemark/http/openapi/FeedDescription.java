package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.ListParameters.list;
import static dev.tidemark.http.openapi.ListParameters.query;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;
import static org.eclipse.microprofile.openapi.OASFactory.createPathItem;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes a feed for the OpenAPI document: its path with all parameters, its page and its item. */
record FeedDescription(Feed feed) {

    String path() {
        return "/api/" + feed.name();
    }

    String itemName() {
        return feed.name() + ".item";
    }

    String pageName() {
        return feed.name() + ".page";
    }

    PathItem pathItem() {
        return createPathItem()
                .GET(createOperation()
                        .operationId("page_of_" + feed.name())
                        .addTag(feed.name())
                        .summary("A page of " + feed.name())
                        .parameters(parameters())
                        .responses(createAPIResponses()
                                .addAPIResponse(
                                        "200",
                                        createAPIResponse()
                                                .description("A page of items, sorted by the order")
                                                .content(createContent()
                                                        .addMediaType(
                                                                "application/json",
                                                                createMediaType()
                                                                        .schema(createSchema()
                                                                                .ref("#/components/schemas/"
                                                                                        + pageName())))))
                                .addAPIResponse("default", createAPIResponse().ref("#/components/responses/Problem"))));
    }

    Schema item() {
        Schema item = createSchema().addType(SchemaType.OBJECT);
        for (Column column : feed.columns()) {
            item.addProperty(column.name(), ColumnSchemas.of(column));
        }
        return item;
    }

    Schema page() {
        Schema cursors = createSchema()
                .addType(SchemaType.OBJECT)
                .addProperty("top", token("a cursor before the first item"))
                .addProperty("last", token("a cursor after the last item"))
                .required(List.of("top", "last"));
        Schema page = createSchema()
                .addType(SchemaType.OBJECT)
                .addProperty(
                        "items",
                        createSchema()
                                .addType(SchemaType.ARRAY)
                                .maxItems(feed.policy().limits().max())
                                .items(createSchema().ref("#/components/schemas/" + itemName())))
                .addProperty("next_cursor", token("the cursor of the next page; null if and only if has_more is false"))
                .addProperty("has_more", createSchema().addType(SchemaType.BOOLEAN))
                .addProperty(
                        "prev_cursor", token("the cursor of the previous page; null if and only if has_prev is false"))
                .addProperty("has_prev", createSchema().addType(SchemaType.BOOLEAN))
                .addProperty("cursors", cursors)
                .addProperty("limit", createSchema().addType(SchemaType.INTEGER))
                .required(List.of("items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit"));
        return feed.policy().count().maxPrecision() == Precision.NONE ? page : page.addProperty("count", count());
    }

    private Schema count() {
        return createSchema()
                .addType(SchemaType.OBJECT)
                .description(
                        "The number of items in the whole list; present only if requested with the count parameter")
                .addProperty("value", createSchema().addType(SchemaType.INTEGER).format("int64"))
                .addProperty(
                        "relation",
                        createSchema()
                                .addType(SchemaType.STRING)
                                .enumeration(List.of("exact", "estimate", "at_least"))
                                .description("at_least: counting stopped at the limit of "
                                        + feed.policy().count().cap()))
                .required(List.of("value", "relation"));
    }

    private static Schema token(String description) {
        return createSchema()
                .addType(SchemaType.STRING)
                .addType(SchemaType.NULL)
                .description(description);
    }

    List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        Feed.Limits limits = feed.policy().limits();
        parameters.add(query(
                        "limit",
                        "The number of items; values above " + limits.max()
                                + " are reduced to it. Without the parameter, clients that"
                                + " send Sec-CH-UA-Mobile: ?0 get " + limits.web())
                .schema(createSchema()
                        .addType(SchemaType.INTEGER)
                        .minimum(BigDecimal.ONE)
                        .defaultValue(limits.byDefault())));
        parameters.add(cursor());
        parameters.add(query("fields", "The columns to return; all columns by default")
                .style(Parameter.Style.FORM)
                .explode(false)
                .schema(list(createSchema()
                        .addType(SchemaType.STRING)
                        .enumeration(List.copyOf(
                                feed.columns().stream().map(Column::name).toList())))));
        parameters.addAll(jumps());
        parameters.add(query(
                        "until",
                        "A cursor of the same order and filters at which a forward scroll ends; has_more refers only to the"
                                + " items before it")
                .schema(createSchema().addType(SchemaType.STRING).maxLength(8_000)));
        Precision most = feed.policy().count().maxPrecision();
        if (most != Precision.NONE) {
            parameters.add(query("count", "Adds the number of items in the whole list to the page")
                    .schema(createSchema()
                            .addType(SchemaType.STRING)
                            .enumeration(
                                    most == Precision.EXACT ? List.of("estimate", "exact") : List.of("estimate"))));
        }
        parameters.addAll(new ListParameters(feed).parameters());
        return parameters;
    }

    Parameter cursor() {
        return query("cursor", "The cursor to continue from, taken from any page with the same order and filters")
                .schema(createSchema().addType(SchemaType.STRING).maxLength(8_000));
    }

    private List<Parameter> jumps() {
        String value = " this value of the order's first key ("
                + feed.orders().all().stream()
                        .map(order -> order.name() + ": "
                                + order.keys().get(0).column().name())
                        .collect(Collectors.joining("; "))
                + "). Cannot be combined with cursor";
        List<Column> key = feed.relation().key();
        String item = " the item with this key ("
                + key.stream().map(Column::name).collect(Collectors.joining(", "))
                + (key.size() > 1 ? "; one parameter for each, in this order" : "")
                + "). Cannot be combined with cursor";
        Schema text = createSchema().addType(SchemaType.STRING);
        Schema keys = key.size() == 1
                ? ColumnSchemas.parameter(key.get(0))
                : list(createSchema().addType(SchemaType.STRING))
                        .minItems(key.size())
                        .maxItems(key.size());
        return List.of(
                query("from", "Starts the page at" + value).schema(text),
                query("around", "Centers the page on" + value).schema(text),
                query("from_id", "Starts the page at" + item).schema(keys),
                query("around_id", "Centers the page on" + item).schema(keys));
    }
}
