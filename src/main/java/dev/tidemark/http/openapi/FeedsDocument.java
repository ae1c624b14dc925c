package dev.tidemark.http.openapi;

import static java.util.stream.Collectors.joining;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.http.page.FeedListing;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Fills the template of the OpenAPI document, {@code META-INF/openapi.yaml}, which describes the protocol. Each
 * path with <code>{feed}</code> becomes a path for each feed that is added.
 */
final class FeedsDocument {

    private static final String PARAMETER = "#/components/parameters/";
    private static final JsonArray NO_TOKEN = new JsonArray();
    private static final JsonObject TOKEN = new JsonObject().put("token", new JsonArray());

    private final JsonObject document;
    private final GeneratedNames names;
    private final JsonObject pathTemplates;
    private final JsonObject parameterTemplates;
    private final JsonObject components;
    private final JsonObject schemas;
    private final JsonObject paths = new JsonObject();
    private final JsonObject parameters = new JsonObject();
    private final JsonArray tags = new JsonArray();
    private final Map<JsonObject, String> parameterKeys = new HashMap<>();
    private boolean needsToken;

    /**
     * @param template becomes the document
     * @param all the feeds, including those that are not added, so that no name changes with the settings
     */
    FeedsDocument(JsonObject template, Collection<Feed> all) {
        document = template;
        names = new GeneratedNames(all);
        pathTemplates = template.getJsonObject("paths");
        components = template.getJsonObject("components");
        parameterTemplates = components.getJsonObject("parameters");
        schemas = components.getJsonObject("schemas");
        UniversalProblems.add(components.getJsonObject("responses"));
        schemas.put(
                "UniversalPaging",
                schemas.getJsonObject("UniversalPagingWithCount").copy());
        at(schemas, "UniversalPaging", "properties").remove("count");
    }

    /** Describes the list of the feeds. */
    void addList(List<Feed> feeds) {
        document.getJsonArray("tags").forEach(tags::add);
        JsonObject path = pathTemplates.getJsonObject("/api");
        paths.put("/api", path);
        JsonObject operation = path.getJsonObject("get");
        operation.getJsonArray("parameters").forEach(parameter -> {
            String key = key((JsonObject) parameter);
            parameters.put(key, parameterTemplates.getJsonObject(key));
        });
        at(operation, "responses", "200", "content", "application/json")
                .put(
                        "example",
                        new JsonObject(Buffer.buffer(FeedListing.json(feeds.subList(0, Math.min(1, feeds.size()))))));
        if (feeds.stream().allMatch(feed -> feed.access().isPublic())) {
            operation.put("security", NO_TOKEN);
            // 503 is the answer if the keys that verify tokens cannot be fetched.
            List.of("401", "503").forEach(operation.getJsonObject("responses")::remove);
        } else {
            operation.put("security", new JsonArray().add(new JsonObject()).add(TOKEN));
        }
    }

    /** Describes the operations of a feed. */
    void add(Feed feed) {
        tags.add(new JsonObject().put("name", feed.name()).put("description", "The feed `" + feed.name() + "`."));
        ColumnSchemas columns = new ColumnSchemas(feed, names, schemas);
        Placeholders placeholders = FeedPlaceholders.of(feed, columns);
        schemas.put(placeholders.fill("{Feed}Page"), page(feed, placeholders));
        schemas.put(placeholders.fill("{Feed}UniversalPage"), universalPage(feed, placeholders));
        for (String path : pathTemplates.fieldNames()) {
            if (isServed(feed, path)) {
                JsonObject operation = operation(feed, at(pathTemplates, path, "get"), columns, placeholders);
                paths.put(placeholders.fill(path), new JsonObject().put("get", operation));
                JsonObject response = at(operation, "responses", "200");
                if (path.equals("/api/{feed}") && feed.policy().delta().isEmpty()) {
                    at(response, "content", "application/json", "example").remove("moment");
                }
                if (path.equals("/v3/{feed}") && feed.policy().count().maxPrecision() != Precision.EXACT) {
                    at(response, "content", "application/json", "example", "result", "paging")
                            .remove("count");
                }
                if (path.equals("/v3/{feed}") && !feed.policy().universal().backward()) {
                    response.getJsonObject("links").remove("previous");
                }
                removeExampleWithReference(response);
            }
        }
    }

    /** Tools take an object with a member {@code $ref} for a reference, even in an example, where it is a column. */
    private static void removeExampleWithReference(JsonObject response) {
        JsonObject json = at(response, "content").getJsonObject("application/json", new JsonObject());
        if (Json.encode(json.getValue("example")).contains("\"$ref\":")) {
            json.remove("example");
        }
    }

    private static boolean isServed(Feed feed, String path) {
        return switch (path) {
            case "/api/{feed}", "/api/{feed}/fresh" -> feed.relation().hasKey();
            case "/api/{feed}/counts" -> !feed.counts().isEmpty();
            case "/api/{feed}/live" -> feed.policy().delta().isPresent();
            default -> path.contains("{feed}");
        };
    }

    private JsonObject page(Feed feed, Placeholders placeholders) {
        JsonObject page = placeholders.fill(schemas.getJsonObject("{Feed}Page"));
        JsonObject members = page.getJsonObject("properties");
        int largestPage = feed.policy()
                .delta()
                .map(Feed.Delta::max)
                .orElse(feed.policy().limits().max());
        members.getJsonObject("items").put("maxItems", largestPage);
        members.getJsonObject("keys").put("maxItems", largestPage);
        if (feed.policy().count().maxPrecision() == Precision.NONE) {
            members.remove("count");
        }
        if (!feed.hasSearches()) {
            members.remove("partial");
        }
        if (feed.policy().delta().isEmpty()) {
            members.remove("keys");
            members.remove("moment");
            page.getJsonArray("required").remove("moment");
        }
        return page;
    }

    private JsonObject universalPage(Feed feed, Placeholders placeholders) {
        JsonObject page = placeholders.fill(schemas.getJsonObject("{Feed}UniversalPage"));
        at(page, "properties", "result", "properties", "rows")
                .put("maxItems", feed.policy().limits().max());
        return page;
    }

    private JsonObject operation(Feed feed, JsonObject template, ColumnSchemas columns, Placeholders placeholders) {
        JsonObject operation = placeholders.fill(template);
        operation.put("parameters", parameters(feed, template.getJsonArray("parameters"), columns, placeholders));
        if (feed.access().isPublic()) {
            operation.put("security", NO_TOKEN);
            List.of("401", "403").forEach(operation.getJsonObject("responses")::remove);
        } else {
            operation.put("security", new JsonArray().add(TOKEN));
            needsToken = true;
        }
        return operation;
    }

    /** The parameters that the feed offers; references, except those that are in the operation itself. */
    private JsonArray parameters(Feed feed, JsonArray templates, ColumnSchemas columns, Placeholders placeholders) {
        JsonArray filled = new JsonArray();
        for (int i = 0; i < templates.size(); i++) {
            JsonObject template = templates.getJsonObject(i);
            String key = key(template);
            if (key.isEmpty()) {
                filled.add(placeholders.fill(template));
            } else if (key.equals("{filters}")) {
                filters(feed, columns).forEach(filled::add);
            } else if (isOffered(feed, key)) {
                filled.add(parameter(key, placeholders));
            }
        }
        return filled;
    }

    private static boolean isOffered(Feed feed, String parameter) {
        Feed.Policy policy = feed.policy();
        return switch (parameter) {
            case "{feed}.count" -> policy.count().maxPrecision() != Precision.NONE;
            case "{feed}.q" -> !policy.search().columns().isEmpty();
            case "since" -> policy.delta().isPresent();
            case "before" -> policy.universal().backward();
            default -> true;
        };
    }

    private Stream<JsonObject> filters(Feed feed, ColumnSchemas columns) {
        return feed.filters().values().stream().flatMap(filter -> {
            Placeholders placeholders = new Placeholders(Map.of(
                    "column",
                    filter.column().name(),
                    "value",
                    columns.notNull(filter.column()).schema()));
            return filter.operators().stream()
                    .map(operator -> parameterTemplates.getJsonObject("{column}." + operator.wireName()))
                    .map(template -> shared(feed.name(), placeholders.fill(template)));
        });
    }

    private JsonObject parameter(String key, Placeholders placeholders) {
        JsonObject template = parameterTemplates.getJsonObject(key);
        JsonObject filled = placeholders.fill(template);
        if (filled.equals(template)) {
            parameters.put(key, template);
            return reference(key);
        }
        return shared(placeholders.fill(key.substring(0, key.lastIndexOf('.'))), filled);
    }

    /**
     * Returns a reference to a parameter. Equal parameters are one component, so that the size of the document
     * hardly grows with feeds that have the same columns. The key is the parameter's name. If this key belongs to a
     * different parameter, the key begins with the qualifier, such as {@code letters.status}, and if necessary ends
     * with a number.
     */
    private JsonObject shared(String qualifier, JsonObject parameter) {
        return reference(parameterKeys.computeIfAbsent(parameter, added -> {
            String name = encodeKey(added.getString("name"));
            String qualified = qualifier + '.' + name;
            String key = Stream.concat(
                            Stream.of(name, qualified),
                            IntStream.iterate(2, i -> i + 1).mapToObj(i -> qualified + '-' + i))
                    .filter(candidate -> !parameters.containsKey(candidate))
                    .findFirst()
                    .orElseThrow();
            parameters.put(key, added);
            return key;
        }));
    }

    /** A key can contain only letters, digits, and a few other characters, so the rest is encoded. */
    private static String encodeKey(String name) {
        return name.codePoints()
                .mapToObj(c -> c == '.' || c == '-' || c == '_' || c < 128 && Character.isLetterOrDigit(c)
                        ? Character.toString(c)
                        : '-' + Integer.toHexString(c) + '-')
                .collect(joining());
    }

    private static JsonObject reference(String parameter) {
        return new JsonObject().put("$ref", PARAMETER + parameter);
    }

    /** The key of the parameter to which this is a reference; empty if it is a parameter itself. */
    private static String key(JsonObject parameter) {
        return parameter.getString("$ref", PARAMETER).substring(PARAMETER.length());
    }

    /**
     * Returns the document.
     *
     * @param tokenScheme how callers send a token, if a feed requires one
     */
    JsonObject finish(JsonObject tokenScheme) {
        document.put("tags", tags).put("paths", paths);
        components.put("parameters", parameters);
        dropUnreferencedComponents();
        if (needsToken) {
            components.put("securitySchemes", new JsonObject().put("token", tokenScheme));
        }
        if (!document.containsKey("servers")) {
            document.put(
                    "servers",
                    new JsonArray()
                            .add(new JsonObject()
                                    .put("url", "/")
                                    .put("description", "The server that this document comes from.")));
        }
        return document;
    }

    private void dropUnreferencedComponents() {
        Set<String> referenced = new HashSet<>();
        collectReferences(paths, referenced);
        for (String kind : components.fieldNames()) {
            components
                    .getJsonObject(kind)
                    .fieldNames()
                    .removeIf(key -> !referenced.contains("#/components/" + kind + '/' + key));
        }
    }

    private void collectReferences(Object value, Set<String> found) {
        if (value instanceof JsonArray list) {
            list.forEach(element -> collectReferences(element, found));
        } else if (value instanceof JsonObject object) {
            object.forEach(member -> collectReferences(member.getValue(), found));
            // A column with the name $ref is no reference.
            if (object.getValue("$ref") instanceof String reference
                    && reference.startsWith("#/components/")
                    && found.add(reference)) {
                String[] steps = reference.split("/");
                collectReferences(at(components, steps[2], steps[3]), found);
            }
        }
    }

    private static JsonObject at(JsonObject object, String... path) {
        JsonObject found = object;
        for (String name : path) {
            found = found.getJsonObject(name);
        }
        return found;
    }
}
