package dev.tidemark.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The operations of the running server's OpenAPI document. */
public final class ApiDescription {

    /** A GET operation with all its parameters. */
    public record Operation(String path, List<Parameter> parameters) {}

    public record Parameter(String name, boolean inQuery, JsonNode schema) {

        /** Whether its values are tokens from responses. */
        public boolean isToken() {
            return List.of("cursor", "until", "after", "before").contains(name);
        }
    }

    private ApiDescription() {}

    public static List<Operation> fetch() {
        try {
            JsonNode document = new ObjectMapper()
                    .readTree(TestClient.get("/q/openapi", "Accept", "application/json")
                            .body());
            List<Operation> operations = new ArrayList<>();
            document.get("paths").fields().forEachRemaining(path -> {
                JsonNode get = path.getValue().path("get");
                operations.add(new Operation(path.getKey(), parameters(get.path("parameters"), document)));
            });
            return operations;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Parameter> parameters(JsonNode described, JsonNode document) {
        return StreamSupport.stream(described.spliterator(), false)
                .map(one ->
                        one.has("$ref") ? document.at(one.get("$ref").asText().substring(1)) : one)
                .map(one -> new Parameter(
                        one.get("name").asText(), one.get("in").asText().equals("query"), one.path("schema")))
                .toList();
    }
}
