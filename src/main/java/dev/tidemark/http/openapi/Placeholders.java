package dev.tidemark.http.openapi;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What replaces the placeholders of a JSON template, such as <code>{feed}</code>. Within a text, a placeholder is
 * replaced by the text of its value. Three placeholders are replaced by the value itself: a text that has nothing
 * else, a list that has nothing else, and a reference to a schema with the name of a placeholder. Unknown
 * placeholders remain.
 */
record Placeholders(Map<String, Object> values) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");
    private static final Pattern REFERENCE = Pattern.compile("#/components/schemas/\\{(\\w+)}");

    /** Returns a copy of the template in which the placeholders are replaced, also those in names of members. */
    JsonObject fill(JsonObject template) {
        JsonObject filled = new JsonObject();
        template.forEach(member -> filled.put(fill(member.getKey()), fillValue(member.getValue())));
        return filled;
    }

    String fill(String template) {
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(
                        values.getOrDefault(found.group(1), found.group()).toString()));
    }

    private @Nullable Object fillValue(@Nullable Object template) {
        if (template instanceof JsonObject object) {
            return valueOf(REFERENCE, object.getString("$ref", "")) instanceof JsonObject schema
                    ? schema
                    : fill(object);
        }
        if (template instanceof JsonArray list) {
            JsonArray filled = new JsonArray();
            list.forEach(element -> filled.add(fillValue(element)));
            return filled.size() == 1 && filled.getValue(0) instanceof JsonArray values ? values : filled;
        }
        return template instanceof String text
                ? Objects.requireNonNullElseGet(valueOf(PLACEHOLDER, text), () -> fill(text))
                : template;
    }

    private @Nullable Object valueOf(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? values.get(matcher.group(1)) : null;
    }
}
