package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A JSON document whose values are read by paths: {@code items[0].id} is the id of the first item, {@code items.id}
 * lists the ids of all items, and {@code feeds[name=letters].delta} is the member {@code delta} of the feed with the
 * name {@code letters}. A name that contains characters other than letters, digits, {@code _}, {@code $}, and
 * {@code -} is enclosed in apostrophes.
 */
public final class JsonDocument {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** One step of a path: the name of a member, an index, or the member and value by which an element is found. */
    private static final Pattern STEP = Pattern.compile("\\.?(?:([\\w$-]+)|'([^']+)'|\\[(\\d+)]|\\[(\\w+)=([^\\]]+)])");

    private final Object root;

    private JsonDocument(Object root) {
        this.root = root;
    }

    public static JsonDocument of(String json) {
        try {
            return new JsonDocument(JSON.readValue(json, Object.class));
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }

    public static JsonDocument of(Response response) {
        return of(response.asString());
    }

    /** @return null if there is no such member, or if it is null */
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
        var steps = STEP.matcher(path);
        Object value = root;
        for (int at = 0; at < path.length(); at = steps.end()) {
            if (!steps.region(at, path.length()).lookingAt()) {
                throw new IllegalArgumentException("not a path: " + path);
            }
            value = step(value, steps);
        }
        return value;
    }

    private static Object step(Object value, MatchResult step) {
        if (step.group(3) != null) {
            return ((List<?>) value).get(Integer.parseInt(step.group(3)));
        }
        if (step.group(4) != null) {
            return ((List<?>) value)
                    .stream()
                            .filter(element -> step.group(5).equals(member(element, step.group(4))))
                            .findFirst()
                            .orElse(null);
        }
        return member(value, step.group(1) != null ? step.group(1) : step.group(2));
    }

    /** The member of an object; for a list, that member of each of its elements; null for null. */
    private static Object member(Object value, String name) {
        if (value instanceof List<?> list) {
            List<Object> members = new ArrayList<>();
            list.forEach(element -> members.add(member(element, name)));
            return members;
        }
        return value == null ? null : ((Map<?, ?>) value).get(name);
    }
}
