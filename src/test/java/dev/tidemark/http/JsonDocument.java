package dev.tidemark.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A JSON document whose values are read by paths such as {@code items[0].id} or {@code feeds[name=letters].orders}. A name
 * that follows a list is read from each of its elements. A name with dots is put in single quotes.
 */
public final class JsonDocument {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern STEP = Pattern.compile("'([^']*)'|\\[(\\d+)]|\\[(\\w+)=([^]]*)]|([^.\\[']+)");

    private final Object root;

    private JsonDocument(Object root) {
        this.root = root;
    }

    public static JsonDocument of(String json) {
        try {
            return new JsonDocument(MAPPER.readValue(json, Object.class));
        } catch (IOException e) {
            throw new UncheckedIOException(json, e);
        }
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
        Object value = root;
        for (var step = STEP.matcher(path); value != null && step.find(); ) {
            String name = step.group(1) == null ? step.group(5) : step.group(1);
            if (name != null) {
                value = member(value, name);
            } else if (step.group(2) != null) {
                value = ((List<?>) value).get(Integer.parseInt(step.group(2)));
            } else {
                value = element((List<?>) value, step.group(3), step.group(4));
            }
        }
        return value;
    }

    private static Object member(Object value, String name) {
        return value instanceof List<?> list
                ? list.stream().map(element -> member(element, name)).toList()
                : ((Map<?, ?>) value).get(name);
    }

    /** The only element that has this value under this name. */
    private static Object element(List<?> list, String name, String expected) {
        List<?> found = list.stream()
                .filter(element -> expected.equals(((Map<?, ?>) element).get(name)))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " elements have the " + name + " " + expected + ": " + list);
        }
        return found.get(0);
    }
}
