package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.ServingIndexes;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the lists of a feed that no index serves. The planner itself is asked: where sorting is forbidden and it sorts all
 * the same, there is no index that gives the order. So direction, the place of NULLs, collation, partial indexes that the
 * feed's condition implies, partitions, and the tables under a view are judged as they will be when pages are read.
 */
final class IndexInspection {

    private static final String FORBID_SORTING = """
            BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
            SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;""";

    private static final Set<String> SORTING = Set.of("Sort", "Incremental Sort");
    private static final Set<String> BESIDE = Set.of("InitPlan", "SubPlan", "Inner");

    private final Pool pool;
    private final ServingIndexes indexes;

    IndexInspection(Pool pool, ServingIndexes indexes) {
        this.pool = pool;
        this.indexes = indexes;
    }

    /** @return a warning for each list that no index serves */
    Uni<List<String>> inspect(Feed feed, Table table) {
        return pool.withConnection(connection -> connection
                .query(FORBID_SORTING)
                .execute()
                .chain(() -> Multi.createFrom()
                        .iterable(questions(connection, feed, table))
                        .onItem()
                        .transformToUniAndConcatenate(Supplier::get)
                        .select()
                        .where(Optional::isPresent)
                        .map(Optional::get)
                        .collect()
                        .asList())
                .eventually(() -> connection.query("ROLLBACK").execute()));
    }

    private List<Supplier<Uni<Optional<String>>>> questions(SqlConnection connection, Feed feed, Table table) {
        List<Supplier<Uni<Optional<String>>>> questions = new ArrayList<>();
        List<Column> scope =
                feed.access().scope().stream().map(Access.Scope::column).toList();
        if (scope.stream().anyMatch(column -> isUnique(table, column))) {
            return questions;
        }
        for (Order order : feed.orders().all()) {
            Column first = order.keys().get(0).column();
            // An index of the order begins with its first column as it is.
            List<Column> leading =
                    scope.stream().filter(column -> !column.equals(first)).toList();
            questions.add(() -> inspect(connection, feed, table, new Kind(order, leading, Optional.empty())));
            feed.filters().values().stream()
                    .filter(filter -> filter.kinds().contains(Filter.Kind.EQUALS))
                    .map(Filter::column)
                    .filter(column -> !isUnique(table, column) && !column.equals(first) && !scope.contains(column))
                    .forEach(column -> questions.add(
                            () -> inspect(connection, feed, table, new Kind(order, leading, Optional.of(column)))));
        }
        return questions;
    }

    /** One value of it leaves one row at most. */
    private static boolean isUnique(Table table, Column column) {
        return table.uniqueKeys().contains(Set.of(column.name()));
    }

    /**
     * The lists of one order that test the same columns for one value each.
     *
     * @param scope columns that every list of the feed tests
     */
    private record Kind(Order order, List<Column> scope, Optional<Column> filter) {
        List<Column> tested() {
            return Stream.concat(scope.stream(), filter.stream()).toList();
        }
    }

    private Uni<Optional<String>> inspect(SqlConnection connection, Feed feed, Table table, Kind lists) {
        return Multi.createFrom()
                .iterable(IndexBeginnings.with(lists.tested()))
                .onItem()
                .transformToUniAndConcatenate(
                        beginning -> isServed(connection, feed, IndexBeginnings.led(beginning, lists.order()))
                                .map(served -> served ? Optional.of(beginning) : Optional.<List<OrderKey>>empty()))
                .select()
                .where(Optional::isPresent)
                .map(Optional::get)
                .toUni()
                .map(serving -> {
                    if (serving == null) {
                        return warning(table, lists);
                    }
                    indexes.add(feed.name(), lists.order(), serving);
                    return Optional.empty();
                });
    }

    private static Uni<Boolean> isServed(SqlConnection connection, Feed feed, List<OrderKey> keys) {
        String explain = "EXPLAIN (FORMAT JSON, COSTS OFF) SELECT 1 FROM " + Sql.relation(feed.relation())
                + feed.relation()
                        .visible()
                        .map(visible -> " WHERE " + Sql.parenthesized(visible))
                        .orElse("")
                + Sql.orderBy(feed.relation().name(), keys);
        return connection
                .query(explain)
                .execute()
                .map(plan -> !sorts(((JsonArray) plan.iterator().next().getJson(0))
                        .getJsonObject(0)
                        .getJsonObject("Plan")));
    }

    /** Whether the rows themselves are sorted; what a subquery or the inner side of a join does is its own affair. */
    private static boolean sorts(JsonObject node) {
        return SORTING.contains(node.getString("Node Type"))
                || node.getJsonArray("Plans", new JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .filter(child -> !BESIDE.contains(child.getString("Parent Relationship")))
                        .anyMatch(IndexInspection::sorts);
    }

    private static Optional<String> warning(Table table, Kind lists) {
        String list = "order " + lists.order().name()
                + lists.filter()
                        .map(column -> " with a filter on " + column.name())
                        .orElse("") + ": ";
        List<OrderKey> keys = IndexBeginnings.led(
                lists.tested().stream()
                        .map(column -> new OrderKey(column, false, false))
                        .toList(),
                lists.order());
        return Optional.of(list
                + table.kind()
                        .createIndex()
                        .map(createIndex -> createIndex + " ON " + table.sqlName() + " ("
                                + keys.stream()
                                        .map(key -> table.find(key.column().name())
                                                        .orElseThrow()
                                                        .sqlName()
                                                + Sql.placement(key))
                                        .collect(Collectors.joining(", "))
                                + ");")
                        .orElse("an index on the tables that " + table.name() + " reads from may help"));
    }
}
