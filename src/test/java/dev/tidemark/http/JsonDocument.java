package dev.tidemark.http;

import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A JSON document whose values are read by the paths of REST Assured, such as {@code items[0].id} and {@code items.id}. */
public final class JsonDocument {

    private static final JsonPathConfig CONFIG =
            JsonPathConfig.jsonPathConfig().numberReturnType(JsonPathConfig.NumberReturnType.DOUBLE);

    private final JsonPath json;

    private JsonDocument(JsonPath json) {
        this.json = json;
    }

    public static JsonDocument of(String json) {
        return new JsonDocument(JsonPath.from(json).using(CONFIG));
    }

    public static JsonDocument of(HttpResponse<byte[]> response) {
        return of(new String(response.body(), StandardCharsets.UTF_8));
    }

    /** @return null if the document has no such value, or has null there */
    public String getString(String path) {
        Object value = value(path);
        return value == null ? null : value.toString();
    }

    public int getInt(String path) {
        return ((Number) value(path)).intValue();
    }

    public boolean getBoolean(String path) {
        return (boolean) value(path);
    }

    @SuppressWarnings("unchecked")
    public <T> List<T> getList(String path) {
        return (List<T>) value(path);
    }

    public <T> List<T> getList(String path, Class<T> type) {
        return ((List<?>) value(path)).stream().map(type::cast).toList();
    }

    /** The object at a path; the whole document for the empty path. */
    @SuppressWarnings("unchecked")
    public <T> Map<String, T> getMap(String path) {
        return (Map<String, T>) value(path);
    }

    private Object value(String path) {
        return json.get(path.isEmpty() ? "$" : path);
    }
}
