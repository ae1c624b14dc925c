package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A sort by columns of one table, which an index on these columns replaces. PostgreSQL replaces a view by its query,
 * so a plan contains the tables and columns that the columns of the view come from.
 */
record PlannedSort(TableName table, List<SortKey> keys) {

    record TableName(String schema, String name) {
        static TableName of(Table table) {
            return new TableName(table.schema(), table.name());
        }
    }

    /** @param sql the column with its collation, direction, and NULL placement, as in the definition of an index */
    record SortKey(String column, String sql) {}

    private static final String IDENTIFIER = "(?:[a-z_][a-z0-9_]*|\"(?:[^\"]|\"\")+\")";

    /** An item of {@code Sort Key} that is a column, not an expression. */
    private static final Pattern COLUMN = Pattern.compile(("(?<alias>%1$s)\\.(?<sql>(?<column>%1$s)"
                    + "(?: COLLATE %1$s(?:\\.%1$s)?)?(?: DESC)?(?: NULLS (?:FIRST|LAST))?)")
            .formatted(IDENTIFIER));

    private static final Set<String> SORTS = Set.of("Sort", "Incremental Sort");
    private static final Set<String> JOINS = Set.of("Nested Loop", "Hash Join", "Merge Join");

    private static final Set<String> SCANS = Set.of("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan");

    /** The types of nodes that return the rows of their only child, or those that meet a condition. */
    private static final Set<String> PASSING_NODES =
            Set.of("Sort", "Incremental Sort", "Hash", "Materialize", "Memoize", "Gather", "Gather Merge", "Result");

    /** @param plan of {@code EXPLAIN VERBOSE}, whose sort keys have the alias of their table */
    static Optional<PlannedSort> of(JsonObject plan) {
        if (SORTS.contains(plan.getString("Node Type"))) {
            return ofSort(plan);
        }
        // The first child of a join provides its order.
        return JOINS.contains(plan.getString("Node Type")) || PASSING_NODES.contains(plan.getString("Node Type"))
                ? child(plan, "Outer").flatMap(PlannedSort::of)
                : Optional.empty();
    }

    private static Optional<PlannedSort> ofSort(JsonObject sort) {
        List<Matcher> columns = sort.getJsonArray("Sort Key").stream()
                .map(key -> COLUMN.matcher((String) key))
                .toList();
        if (!columns.stream().allMatch(Matcher::matches)) {
            return Optional.empty();
        }
        List<String> aliases = columns.stream()
                .map(column -> unquote(column.group("alias")))
                .distinct()
                .toList();
        return aliases.size() == 1
                ? findScan(sort, aliases.get(0))
                        .map(scan -> new PlannedSort(
                                new TableName(scan.getString("Schema"), scan.getString("Relation Name")),
                                columns.stream()
                                        .map(column ->
                                                new SortKey(unquote(column.group("column")), column.group("sql")))
                                        .toList()))
                : Optional.empty();
    }

    /**
     * Finds the scan of a table whose order the node can keep. A join keeps the order of a table if a nested loop over
     * this table can replace it.
     */
    private static Optional<JsonObject> findScan(JsonObject node, String alias) {
        String type = node.getString("Node Type");
        if (SCANS.contains(type)) {
            return Optional.of(node).filter(scan -> alias.equals(scan.getString("Alias")));
        }
        return orderedChildren(type, node.getString("Join Type", ""))
                .flatMap(relationship -> child(node, relationship).stream())
                .flatMap(child -> findScan(child, alias).stream())
                .findFirst();
    }

    private static Stream<String> orderedChildren(String type, String joinType) {
        if (JOINS.contains(type)) {
            return switch (joinType) {
                case "Inner" -> Stream.of("Outer", "Inner");
                case "Left", "Semi", "Anti" -> Stream.of("Outer");
                case "Right", "Right Semi", "Right Anti" -> Stream.of("Inner");
                default -> Stream.of();
            };
        }
        return PASSING_NODES.contains(type) ? Stream.of("Outer") : Stream.of();
    }

    private static Optional<JsonObject> child(JsonObject node, String relationship) {
        return node.getJsonArray("Plans", new JsonArray()).stream()
                .map(JsonObject.class::cast)
                .filter(child -> relationship.equals(child.getString("Parent Relationship")))
                .findFirst();
    }

    private static String unquote(String identifier) {
        return identifier.startsWith("\"")
                ? identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"")
                : identifier;
    }
}
