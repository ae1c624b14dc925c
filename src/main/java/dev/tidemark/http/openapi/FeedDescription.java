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
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.Feed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** One feed as the OpenAPI document describes it: its path with its parameters, its page and its item. */
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
                                                .description("A page, in the order's order")
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
                .addProperty("top", token("leads before the first item"))
                .addProperty("last", token("leads behind the last item"))
                .required(List.of("top", "last"));
        Schema page = createSchema()
                .addType(SchemaType.OBJECT)
                .addProperty(
                        "items",
                        createSchema()
                                .addType(SchemaType.ARRAY)
                                .maxItems(feed.policy().limits().max())
                                .items(createSchema().ref("#/components/schemas/" + itemName())))
                .addProperty("next_cursor", token("the next page; null exactly when has_more is false"))
                .addProperty("has_more", createSchema().addType(SchemaType.BOOLEAN))
                .addProperty("prev_cursor", token("the page before; null exactly when has_prev is false"))
                .addProperty("has_prev", createSchema().addType(SchemaType.BOOLEAN))
                .addProperty("cursors", cursors)
                .addProperty("limit", createSchema().addType(SchemaType.INTEGER))
                .required(List.of("items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit"));
        return feed.policy().count().maxPrecision() == Precision.NONE ? page : page.addProperty("count", count());
    }

    private Schema count() {
        return createSchema()
                .addType(SchemaType.OBJECT)
                .description("The items of the whole list; there only when it was asked for")
                .addProperty("value", createSchema().addType(SchemaType.INTEGER).format("int64"))
                .addProperty(
                        "relation",
                        createSchema()
                                .addType(SchemaType.STRING)
                                .enumeration(List.of("exact", "estimate", "at_least"))
                                .description("at_least: counting stopped at "
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
                        "Items wanted; above " + limits.max() + " it is lowered to that; without it, " + limits.web()
                                + " for a client that says it is no phone (Sec-CH-UA-Mobile: ?0)")
                .schema(createSchema()
                        .addType(SchemaType.INTEGER)
                        .minimum(BigDecimal.ONE)
                        .defaultValue(limits.byDefault())));
        parameters.add(cursor());
        parameters.add(query("fields", "The columns to return; all, if it is absent")
                .style(Parameter.Style.FORM)
                .explode(false)
                .schema(list(createSchema()
                        .addType(SchemaType.STRING)
                        .enumeration(List.copyOf(
                                feed.columns().stream().map(Column::name).toList())))));
        parameters.addAll(jumps());
        parameters.add(query(
                        "until",
                        "A cursor of the same order and filters: the walk forward ends there, and has_more speaks of"
                                + " what stands between")
                .schema(createSchema().addType(SchemaType.STRING).maxLength(8_000)));
        Precision most = feed.policy().count().maxPrecision();
        if (most != Precision.NONE) {
            parameters.add(query("count", "Adds the number of items in the whole list")
                    .schema(createSchema()
                            .addType(SchemaType.STRING)
                            .enumeration(
                                    most == Precision.EXACT ? List.of("estimate", "exact") : List.of("estimate"))));
        }
        parameters.addAll(new ListParameters(feed).parameters());
        return parameters;
    }

    Parameter cursor() {
        return query("cursor", "Continue from here: any cursor of an answer of the same order and filters")
                .schema(createSchema().addType(SchemaType.STRING).maxLength(8_000));
    }

    private List<Parameter> jumps() {
        String value = ", a value of the order's first key ("
                + feed.orders().all().stream()
                        .map(order -> order.name() + ": "
                                + order.keys().get(0).column().name())
                        .collect(Collectors.joining("; "))
                + "); no cursor beside it";
        List<Column> key = feed.relation().key();
        String item = ", the item of this key ("
                + key.stream().map(Column::name).collect(Collectors.joining(", "))
                + (key.size() > 1 ? ", each once, in this sequence" : "") + "); no cursor beside it";
        Schema text = createSchema().addType(SchemaType.STRING);
        Schema keys = key.size() == 1
                ? ColumnSchemas.parameter(key.get(0))
                : list(createSchema().addType(SchemaType.STRING))
                        .minItems(key.size())
                        .maxItems(key.size());
        return List.of(
                query("from", "The page starts at" + value).schema(text),
                query("around", "The page has in its middle" + value).schema(text),
                query("from_id", "The page starts at" + item).schema(keys),
                query("around_id", "The page has in its middle" + item).schema(keys));
    }
}
