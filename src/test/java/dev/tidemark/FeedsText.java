package dev.tidemark;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes declarations as the text of the setting {@code tidemark.feeds}. Tests give them as flat names and values,
 * such as {@code notes.orders.newest}, so that they can change one property of a declaration.
 */
public final class FeedsText {

    private static final String PROPERTY = "tidemark.feeds";

    /** A part of a name, in quotes if it contains dots, and perhaps the index of a value in a list. */
    private static final Pattern SEGMENT =
            Pattern.compile("\\G(?:\"([^\"]*)\"|([^.\\[]*))(\\[\\d+])?(?:\\.|$)", Pattern.DOTALL);

    private FeedsText() {}

    /** @param properties as under {@code tidemark.feeds}, such as {@code messages.table} */
    public static String of(Map<String, String> properties) {
        JsonObject feeds = new JsonObject();
        new TreeMap<>(properties).forEach((name, value) -> put(feeds, name, value));
        return feeds.encode();
    }

    /** Moves the settings whose names begin with {@code tidemark.feeds.} into the setting {@code tidemark.feeds}. */
    public static Map<String, String> collect(Map<String, String> settings) {
        JsonObject feeds = new JsonObject(settings.getOrDefault(PROPERTY, "{}"));
        Map<String, String> collected = new LinkedHashMap<>();
        new TreeMap<>(settings).forEach((name, value) -> {
            if (name.startsWith(PROPERTY + '.')) {
                put(feeds, name.substring(PROPERTY.length() + 1), value);
            } else {
                collected.put(name, value);
            }
        });
        if (!feeds.isEmpty()) {
            collected.put(PROPERTY, feeds.encode());
        }
        return collected;
    }

    private static void put(JsonObject feeds, String name, String value) {
        JsonObject parent = feeds;
        Matcher segment = SEGMENT.matcher(name);
        while (segment.find()) {
            String key = segment.group(1) != null ? segment.group(1) : segment.group(2);
            if (segment.end() < name.length()) {
                if (!parent.containsKey(key)) {
                    parent.put(key, new JsonObject());
                }
                if (!(parent.getValue(key) instanceof JsonObject child)) {
                    // A test has put a value where a map belongs.
                    return;
                }
                parent = child;
            } else if (segment.group(3) == null) {
                parent.put(key, value);
                return;
            } else {
                parent.put(key, parent.getJsonArray(key, new JsonArray()).add(value));
                return;
            }
        }
        throw new IllegalArgumentException(name);
    }
}
