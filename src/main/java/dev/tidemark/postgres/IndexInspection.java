package dev.tidemark.postgres;

import dev.tidemark.declare.Table;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
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
        for (Order order : feed.orders().all()) {
            questions.add(() -> isServed(connection, feed, order.keys()).map(served -> {
                if (!served) {
                    return warning(feed, table, order, Optional.empty());
                }
                indexes.addOrder(feed.name(), order);
                return Optional.empty();
            }));
            feed.filters().values().stream()
                    .filter(filter -> filter.kinds().contains(Filter.Kind.EQUALS))
                    // Such a filter leaves one row at most.
                    .filter(filter ->
                            !table.uniqueKeys().contains(Set.of(filter.column().name())))
                    // An index of the order begins with such a filter's column as it is.
                    .filter(filter ->
                            !filter.column().equals(order.keys().get(0).column()))
                    .forEach(filter -> questions.add(() -> inspect(connection, feed, table, order, filter.column())));
        }
        return questions;
    }

    /** An index can begin with the filter's column in any direction: within one value it makes no difference. */
    private Uni<Optional<String>> inspect(
            SqlConnection connection, Feed feed, Table table, Order order, Column column) {
        return Multi.createFrom()
                .items(leading(column).toArray(OrderKey[]::new))
                .onItem()
                .transformToUniAndConcatenate(leading -> isServed(connection, feed, led(leading, order))
                        .map(served -> served ? Optional.of(leading) : Optional.<OrderKey>empty()))
                .select()
                .where(Optional::isPresent)
                .map(Optional::get)
                .toUni()
                .map(serving -> {
                    if (serving == null) {
                        return warning(feed, table, order, Optional.of(column));
                    }
                    indexes.addFilter(feed.name(), order, serving);
                    return Optional.empty();
                });
    }

    private static Stream<OrderKey> leading(Column column) {
        Stream<OrderKey> plain = Stream.of(new OrderKey(column, false, false), new OrderKey(column, true, true));
        return column.nullable()
                ? Stream.concat(plain, Stream.of(new OrderKey(column, true, false), new OrderKey(column, false, true)))
                : plain;
    }

    private static List<OrderKey> led(OrderKey leading, Order order) {
        return Stream.concat(Stream.of(leading), order.keys().stream().filter(key -> !key.column()
                        .equals(leading.column())))
                .toList();
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

    private static Optional<String> warning(Feed feed, Table table, Order order, Optional<Column> column) {
        String list = "order " + order.name()
                + column.map(filter -> " with a filter on " + filter.name()).orElse("") + ": ";
        List<OrderKey> keys = column.map(filter -> led(new OrderKey(filter, false, false), order))
                .orElse(order.keys());
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
