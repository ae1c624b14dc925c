package dev.tidemark.http;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.StreamSupport;

/** The operations and the examples of problems in the OpenAPI document of the running server. */
public final class ApiDescription {

    /** A GET operation with all its parameters, and the statuses of its responses. */
    public record Operation(String path, List<Parameter> parameters, Set<String> statuses) {}

    public record Parameter(String name, boolean inQuery, JsonNode schema) {

        /** Whether its values are cursors, or tokens of the universal protocol, from earlier responses. */
        public boolean isToken() {
            return List.of("cursor", "until", "after", "before").contains(name);
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private ApiDescription() {}

    public static List<Operation> fetchOperations() {
        JsonNode document = fetch();
        List<Operation> operations = new ArrayList<>();
        document.get("paths").properties().forEach(path -> {
            JsonNode get = path.getValue().path("get");
            Set<String> statuses = new TreeSet<>();
            get.path("responses").fieldNames().forEachRemaining(statuses::add);
            operations.add(new Operation(path.getKey(), parameters(get.path("parameters"), document), statuses));
        });
        return operations;
    }

    /** The OpenAPI document with only the operations of these feeds, and the components that they refer to. */
    public static String ofFeeds(Set<String> feeds) {
        JsonNode document = fetch();
        removeIf(
                document.get("paths"),
                (path, item) -> !feeds.contains(item.at("/get/tags/0").asText()));
        for (int before = 0; before != document.toString().length(); ) {
            String text = document.toString();
            before = text.length();
            document.get("components")
                    .properties()
                    .forEach(kind -> removeIf(
                            kind.getValue(),
                            (name, component) -> !text.contains("\"#/components/" + kind.getKey() + '/' + name + '"')));
        }
        return document.toString();
    }

    private static void removeIf(JsonNode object, BiPredicate<String, JsonNode> condition) {
        object.properties().removeIf(field -> condition.test(field.getKey(), field.getValue()));
    }

    /** The example of this problem; a missing node if the document has none. */
    public static JsonNode problemExample(String code) {
        return StreamSupport.stream(fetch().at("/components/responses").spliterator(), false)
                .map(response -> response.at("/content/application~1problem+json/examples")
                        .path(code)
                        .path("value"))
                .filter(example -> !example.isMissingNode())
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    /** The whole document. */
    public static JsonNode fetch() {
        try {
            return JSON.readTree(given().accept("application/json")
                    .when()
                    .get("/q/openapi")
                    .then()
                    .statusCode(200)
                    .extract()
                    .asString());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Parameter> parameters(JsonNode nodes, JsonNode document) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(parameter -> resolveReference(parameter, document))
                .map(parameter -> new Parameter(
                        parameter.get("name").asText(),
                        parameter.get("in").asText().equals("query"),
                        schema(parameter.path("schema"), document)))
                .toList();
    }

    /**
     * The schema with its references resolved. In schemas of parameters, references occur only at the top level and in
     * {@code items}.
     */
    private static JsonNode schema(JsonNode node, JsonNode document) {
        JsonNode schema = resolveReference(node, document).deepCopy();
        if (schema.has("items")) {
            ((ObjectNode) schema).set("items", resolveReference(schema.get("items"), document));
        }
        return schema;
    }

    private static JsonNode resolveReference(JsonNode node, JsonNode document) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }
}
