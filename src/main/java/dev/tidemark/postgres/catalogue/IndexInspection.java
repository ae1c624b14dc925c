package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.ServingIndexes;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /** @return for each feed a warning for each of its lists that no index serves */
    Uni<List<List<String>>> inspect(List<FeedOverTable> feeds) {
        return feeds.isEmpty()
                ? Uni.createFrom().item(List.of())
                : pool.withConnection(connection -> Uni.combine()
                        .all()
                        .unis(
                                connection.query(FORBID_SORTING).execute(),
                                Uni.join()
                                        .all(feeds.stream()
                                                .map(feed -> inspect(connection, feed))
                                                .toList())
                                        .andFailFast(),
                                // Sent behind the questions, like them without a wait for the answers before.
                                connection.query("ROLLBACK").execute())
                        .with((begun, warnings, ended) -> warnings));
    }

    private Uni<List<String>> inspect(SqlConnection connection, FeedOverTable over) {
        List<Uni<Optional<String>>> answers = kinds(over).stream()
                .map(lists -> inspect(connection, over, lists))
                .toList();
        return answers.isEmpty()
                ? Uni.createFrom().item(List.of())
                : Uni.join().all(answers).andFailFast().map(warnings -> warnings.stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static List<Kind> kinds(FeedOverTable over) {
        Feed feed = over.feed();
        Table table = over.table();
        List<Kind> kinds = new ArrayList<>();
        List<Column> scope =
                feed.access().scope().stream().map(Access.Scope::column).toList();
        if (scope.stream().anyMatch(column -> isUnique(table, column))) {
            return kinds;
        }
        for (Order order : feed.orders().all()) {
            Column first = order.keys().get(0).column();
            // An index of the order begins with its first column as it is.
            List<Column> leading =
                    scope.stream().filter(column -> !column.equals(first)).toList();
            kinds.add(new Kind(order, leading, Optional.empty()));
            feed.filters().values().stream()
                    .filter(filter -> filter.kinds().contains(Filter.Kind.EQUALS))
                    .map(Filter::column)
                    .filter(column -> !isUnique(table, column) && !column.equals(first) && !scope.contains(column))
                    .forEach(column -> kinds.add(new Kind(order, leading, Optional.of(column))));
        }
        return kinds;
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

    /** All beginnings are asked at once; of those that an index has, the first one counts. */
    private Uni<Optional<String>> inspect(SqlConnection connection, FeedOverTable over, Kind lists) {
        List<List<OrderKey>> beginnings = IndexBeginnings.with(lists.tested());
        return Uni.join()
                .all(beginnings.stream()
                        .map(beginning ->
                                isServed(connection, over.feed(), IndexBeginnings.led(beginning, lists.order())))
                        .toList())
                .andFailFast()
                .map(served -> {
                    int first = served.indexOf(true);
                    if (first < 0) {
                        return Optional.of(warning(over.table(), lists));
                    }
                    indexes.add(over.feed().name(), lists.order(), beginnings.get(first));
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

    private static String warning(Table table, Kind lists) {
        String list = "order " + lists.order().name()
                + lists.filter()
                        .map(column -> " with a filter on " + column.name())
                        .orElse("") + ": ";
        List<OrderKey> keys = IndexBeginnings.led(
                lists.tested().stream()
                        .map(column -> new OrderKey(column, false, false))
                        .toList(),
                lists.order());
        return list
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
                        .orElse("an index on the tables that " + table.name() + " reads from may help");
    }
}
