package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;
import static org.eclipse.microprofile.openapi.OASFactory.createPathItem;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.http.fresh.FreshCount;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes the number of new items of a feed for the OpenAPI document. */
record FreshDescription(FeedDescription feed) {

    static final String TEMPLATE = "/api/{feed}/fresh";

    private static final String SCHEMA = "Fresh";

    /** Adds the components that the paths of all feeds refer to. */
    static void addTo(Components components) {
        components.addSchema(
                SCHEMA,
                createSchema()
                        .addType(SchemaType.OBJECT)
                        .addProperty(
                                "count",
                                createSchema()
                                        .addType(SchemaType.INTEGER)
                                        .minimum(BigDecimal.ZERO)
                                        .maximum(BigDecimal.valueOf(FreshCount.MOST)))
                        .addProperty(
                                "capped",
                                createSchema()
                                        .addType(SchemaType.BOOLEAN)
                                        .description("true if there are more items than count"))
                        .required(List.of("count", "capped")));
    }

    String path() {
        return feed.path() + "/fresh";
    }

    PathItem pathItem() {
        return createPathItem()
                .GET(createOperation()
                        .operationId("fresh_of_" + feed.feed().name())
                        .addTag(feed.feed().name())
                        .summary("The number of items that paging with the cursor would return, at most "
                                + FreshCount.MOST + "; as an event stream, also every change of the number")
                        .parameters(parameters())
                        .responses(createAPIResponses()
                                .addAPIResponse(
                                        "200",
                                        createAPIResponse()
                                                .description("The number")
                                                .content(
                                                        createContent()
                                                                .addMediaType(
                                                                        "application/json",
                                                                        createMediaType()
                                                                                .schema(createSchema()
                                                                                        .ref(
                                                                                                "#/components/schemas/"
                                                                                                        + SCHEMA)))
                                                                .addMediaType(
                                                                        "text/event-stream",
                                                                        createMediaType()
                                                                                .schema(
                                                                                        createSchema()
                                                                                                .addType(
                                                                                                        SchemaType
                                                                                                                .STRING)
                                                                                                .description(
                                                                                                        "Events named fresh with the"
                                                                                                                + " same JSON as data, sent at"
                                                                                                                + " the start and after every"
                                                                                                                + " change; comments in between"
                                                                                                                + " keep the connection open")))))
                                .addAPIResponse("default", createAPIResponse().ref("#/components/responses/Problem"))));
    }

    private List<Parameter> parameters() {
        return Stream.concat(
                        Stream.of(feed.cursor().required(true)), new ListParameters(feed.feed()).parameters().stream())
                .toList();
    }
}
