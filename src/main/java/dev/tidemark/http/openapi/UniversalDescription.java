package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.ListParameters.query;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;
import static org.eclipse.microprofile.openapi.OASFactory.createPathItem;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.http.problem.ProblemCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes a feed under the universal protocol for the OpenAPI document. */
record UniversalDescription(FeedDescription document) {

    static final String TEMPLATE = "/v3/{feed}";

    private static final String PROBLEM = "UniversalProblem";

    /** Adds the components that the paths of all feeds refer to. */
    static void addTo(Components components) {
        List<Object> numbers = Arrays.stream(ProblemCode.values())
                .map(code -> (Object) code.number())
                .toList();
        components.addSchema(
                PROBLEM,
                createSchema()
                        .addType(SchemaType.OBJECT)
                        .addProperty("code", integer().enumeration(numbers))
                        .addProperty("message", createSchema().addType(SchemaType.STRING))
                        // Generated clients do not compile if the type is null alone.
                        .addProperty(
                                "result",
                                createSchema()
                                        .addType(SchemaType.OBJECT)
                                        .addType(SchemaType.NULL)
                                        .description("always null"))
                        .required(List.of("code", "message", "result")));
        components.addResponse(
                PROBLEM,
                createAPIResponse()
                        .description("A problem with a number of the closed catalogue")
                        .content(json(PROBLEM)));
    }

    String path() {
        return "/v3/" + feed().name();
    }

    String rowsName() {
        return feed().name() + ".rows";
    }

    PathItem pathItem() {
        return createPathItem()
                .GET(createOperation()
                        .operationId("rows_of_" + feed().name())
                        .addTag(feed().name())
                        .summary("Rows of " + feed().name() + " under the universal protocol")
                        .parameters(parameters())
                        .responses(createAPIResponses()
                                .addAPIResponse(
                                        "200",
                                        createAPIResponse()
                                                .description("Rows, sorted by the order")
                                                .content(json(rowsName())))
                                .addAPIResponse(
                                        "default", createAPIResponse().ref("#/components/responses/" + PROBLEM))));
    }

    Schema rows() {
        Schema rows = createSchema()
                .addType(SchemaType.ARRAY)
                .maxItems(feed().policy().limits().max())
                .items(createSchema().ref("#/components/schemas/" + document.itemName()));
        return object(
                List.of("code", "result"),
                integer().enumeration(List.of(0)),
                object(List.of("rows", "paging"), rows, paging()));
    }

    private Schema paging() {
        Schema cursors =
                object(List.of("top", "last"), token("the token of the first row"), token("the token of the last row"));
        Schema paging = object(
                List.of("cursors", "previous", "next"),
                cursors,
                token("what to pass as before for the page before; null where there is none"),
                token("what to pass as after for the next page; null at the end"));
        return feed().policy().count().maxPrecision() == Precision.EXACT
                ? paging.addProperty(
                        "count",
                        integer()
                                .description("the number of rows in the whole list; absent if it is greater than "
                                        + feed().policy().count().cap()))
                : paging;
    }

    private List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(query(
                        "limit",
                        "The number of rows; values above "
                                + feed().policy().limits().max() + " are reduced to it; 0 returns no rows")
                .required(true)
                .schema(integer().minimum(BigDecimal.ZERO)));
        parameters.add(tokenParameter("after", "Returns rows after the row with this token"));
        if (feed().policy().universal().backward()) {
            parameters.add(tokenParameter(
                    "before",
                    "Returns rows before the row with this token, sorted by the order. Cannot be combined with after"));
        }
        parameters.addAll(new ListParameters(feed()).parameters());
        return parameters;
    }

    private Feed feed() {
        return document.feed();
    }

    /** An object with these members, all of them required. */
    private static Schema object(List<String> names, Schema... members) {
        Schema object = createSchema().addType(SchemaType.OBJECT).required(names);
        for (int i = 0; i < members.length; i++) {
            object.addProperty(names.get(i), members[i]);
        }
        return object;
    }

    private static Schema token(String description) {
        return createSchema()
                .addType(SchemaType.STRING)
                .addType(SchemaType.NULL)
                .description(description);
    }

    private static Schema integer() {
        return createSchema().addType(SchemaType.INTEGER);
    }

    private static Parameter tokenParameter(String name, String description) {
        return query(name, description)
                .schema(createSchema().addType(SchemaType.STRING).maxLength(8_000));
    }

    private static Content json(String schema) {
        return createContent()
                .addMediaType(
                        "application/json",
                        createMediaType().schema(createSchema().ref("#/components/schemas/" + schema)));
    }
}
