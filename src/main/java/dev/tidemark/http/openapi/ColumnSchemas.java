package dev.tidemark.http.openapi;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON schemas of a feed's column values in responses and in parameters, with examples. No schema excludes a value
 * that its column can have, except an array with a different number of dimensions than declared.
 *
 * @param schemas the components to which the schemas of enums and embedded rows are added
 */
record ColumnSchemas(Feed feed, GeneratedNames names, JsonObject schemas) {

    /** @param example a made-up value, the same for all columns of a type */
    record Value(JsonObject schema, @Nullable Object example) {

        /** Returns a schema that allows {@code null} in addition to the values of this one. */
        private Value orNull() {
            if (schema.containsKey("type")) {
                JsonArray types = new JsonArray(List.of(schema.getString("type"), "null"));
                return new Value(schema.copy().put("type", types), example);
            }
            // A reference has no type, so null is a separate alternative. A schema of any JSON value allows null
            // already.
            return schema.containsKey("$ref")
                    ? new Value(new JsonObject().put("anyOf", new JsonArray(List.of(schema, type("null")))), example)
                    : this;
        }

        private Value inList() {
            return new Value(type("array").put("items", schema), new JsonArray().add(example));
        }
    }

    /** The item, as {@code ItemWriter} writes it. */
    Value item() {
        Map<String, Value> members = new LinkedHashMap<>();
        feed.columns().forEach(column -> members.put(column.name(), of(column)));
        feed.embeds().forEach(embed -> members.put(embed.name(), of(embed).orNull()));
        return object(
                names.feedName(feed) + "Item",
                "An item of the feed `" + feed.name()
                        + "`. If the request has `fields`, the item has only those members.",
                members);
    }

    private Value of(Embed embed) {
        Map<String, Value> members = new LinkedHashMap<>();
        embed.columns().forEach(column -> {
            String name = embed.name() + '.' + column.name();
            members.put(column.name(), of(column, of(names.valueSchemaName(feed, embed, column), name, column.type())));
        });
        String schemaName = names.embedSchemaName(feed, embed);
        Value row = object(
                schemaName, "The row of `" + embed.name() + "` of an item of the feed `" + feed.name() + "`.", members);
        schemas.getJsonObject(schemaName).put("required", new JsonArray(List.copyOf(members.keySet())));
        return row;
    }

    private Value object(String schemaName, String description, Map<String, Value> members) {
        JsonObject properties = new JsonObject();
        JsonObject example = new JsonObject();
        members.forEach((name, value) -> {
            properties.put(name, value.schema());
            example.put(name, value.example());
        });
        JsonObject schema = type("object").put("description", description).put("properties", properties);
        return new Value(add(schemaName, schema), example);
    }

    /** The key of an item: the value of its column, or a list of values. */
    Value key() {
        List<Column> key = feed.relation().key();
        if (key.size() == 1) {
            return of(key.get(0));
        }
        JsonArray example = new JsonArray();
        key.forEach(column -> example.add(of(column).example()));
        return new Value(keyList(new JsonObject().put("description", "The value of a column of the key.")), example);
    }

    /** The schema of the key in a parameter, which is repeated for each column. */
    JsonObject keyParameter() {
        List<Column> key = feed.relation().key();
        return key.size() == 1 ? notNull(key.get(0)).schema() : keyList(type("string"));
    }

    private JsonObject keyList(JsonObject values) {
        int columns = feed.relation().key().size();
        return type("array").put("items", values).put("minItems", columns).put("maxItems", columns);
    }

    /** A value of the column in an item. */
    Value of(Column column) {
        return of(column, notNull(column));
    }

    private static Value of(Column column, Value value) {
        if (!column.nullable()) {
            return value;
        }
        // The text format of the type is not known.
        return column.type() == Scalar.OTHER ? new Value(value.orNull().schema(), null) : value.orNull();
    }

    /** A value of the column that is not NULL, in an item or a parameter. */
    Value notNull(Column column) {
        return of(names.valueSchemaName(feed, column), column.name(), column.type());
    }

    /**
     * @param schemaName the name of the schema if the type is an enum
     * @param column the name of the column
     * @param type the type of the column, or of the elements of its arrays
     */
    private Value of(String schemaName, String column, ColumnType type) {
        if (type instanceof EnumType enumeration) {
            JsonObject schema = type("string")
                    .put("enum", new JsonArray(enumeration.labels()))
                    .put("description", "A value of `" + column + "` in the feed `" + feed.name() + "`.");
            return new Value(
                    add(schemaName, schema),
                    enumeration.labels().stream().findFirst().orElse(""));
        }
        if (type instanceof ArrayType array) {
            Value value = of(schemaName, column, array.element()).orNull().inList();
            for (int i = 1; i < array.dimensions(); i++) {
                value = value.inList();
            }
            return value;
        }
        return of(type instanceof EpochType ? Scalar.TIMESTAMPTZ : (Scalar) type);
    }

    private static Value of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> new Value(type("integer").put("format", "int32"), 7);
            case BIGINT -> new Value(reference("BigInteger"), "9876");
            case NUMERIC -> new Value(reference("DecimalNumber"), "19.90");
            case REAL, DOUBLE -> new Value(reference("RealNumber"), 0.5);
            case BOOLEAN -> new Value(type("boolean"), true);
            case TEXT -> new Value(type("string"), "text");
            case UUID -> new Value(type("string").put("format", "uuid"), "01234567-89ab-cdef-0123-456789abcdef");
            case DATE -> new Value(reference("CalendarDate"), "2026-01-16");
            case TIME -> new Value(reference("TimeOfDay"), "10:00:00");
            case TIMESTAMP -> new Value(reference("LocalTimestamp"), "2026-01-16T10:00:00.123456");
            case TIMESTAMPTZ -> new Value(reference("Timestamp"), "2026-01-16T10:00:00.123456Z");
            case JSON ->
                new Value(
                        new JsonObject().put("description", "Any JSON value."),
                        new JsonObject().put("a", new JsonArray().add(1).addNull()));
            case BYTEA ->
                new Value(
                        type("string").put("description", "Bytes in base64.").put("contentEncoding", "base64"), "AP8=");
            case OTHER ->
                new Value(type("string").put("description", "The value in PostgreSQL's text format."), "text");
        };
    }

    private JsonObject add(String name, JsonObject schema) {
        schemas.put(name, schema);
        return reference(name);
    }

    private static JsonObject reference(String name) {
        return new JsonObject().put("$ref", "#/components/schemas/" + name);
    }

    private static JsonObject type(String type) {
        return new JsonObject().put("type", type);
    }
}
