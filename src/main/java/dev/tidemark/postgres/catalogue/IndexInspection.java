package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.IndexReport;
import dev.tidemark.declare.Catalogue.ListName;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.ServingIndexes;
import dev.tidemark.feed.ServingIndexes.ServingIndex;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the indexes that serve the lists of feeds by having PostgreSQL plan statements; for Citus tables, uses
 * {@link TableIndexes} instead. If a plan sorts although sorting is disabled, or leaves the sorting to a foreign
 * server, no index provides the order. The result therefore takes into account directions, NULL placement, collations,
 * partial indexes implied by the {@code visible} condition, partitions, and the tables under a view.
 */
final class IndexInspection {

    private static final String DISABLE_SORTING = """
            BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
            SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;""";

    /**
     * Plan nodes whose order does not come from an index of this server. The indexes of a foreign server are unknown.
     */
    private static final Set<String> WITHOUT_INDEX = Set.of("Sort", "Incremental Sort", "Foreign Scan");

    /** Inputs whose order does not affect the order of the result. */
    private static final Set<String> UNORDERED_INPUTS = Set.of("InitPlan", "SubPlan", "Inner");

    private final Pool pool;

    IndexInspection(Pool pool) {
        this.pool = pool;
    }

    /** @return a report for each feed, in the same order */
    Uni<List<IndexReport>> inspect(List<FeedOverTable> feeds) {
        return feeds.isEmpty()
                ? Uni.createFrom().item(List.of())
                : pool.withConnection(connection -> Uni.combine()
                        .all()
                        .unis(
                                connection.query(DISABLE_SORTING).execute(),
                                InvalidIndexes.find(
                                        connection,
                                        feeds.stream().map(FeedOverTable::table).toList()),
                                Uni.join()
                                        .all(feeds.stream()
                                                .map(feed -> findIndexes(connection, feed))
                                                .toList())
                                        .andFailFast(),
                                // Sent without waiting for the responses to the EXPLAIN statements.
                                connection.query("ROLLBACK").execute())
                        .with((begun, invalid, found, ended) -> found.stream()
                                .map(lists -> lists.report(invalid))
                                .toList()));
    }

    private static Uni<InspectedLists> findIndexes(SqlConnection connection, FeedOverTable over) {
        List<ListKind> kinds = listKinds(over);
        if (kinds.isEmpty()) {
            return Uni.createFrom().item(new InspectedLists(over, List.of(), List.of()));
        }
        Feed feed = over.feed();
        return over.table().storage().shards().isPresent()
                ? TableIndexes.of(connection, over.table(), feed.relation().visible())
                        .chain(indexes -> findIndexes(
                                over, kinds, keys -> Uni.createFrom().item(indexes.startWith(keys))))
                : findIndexes(over, kinds, keys -> hasIndex(connection, feed, keys));
    }

    /** @param hasIndex whether an index provides an order */
    private static Uni<InspectedLists> findIndexes(
            FeedOverTable over, List<ListKind> kinds, Function<List<OrderKey>, Uni<Boolean>> hasIndex) {
        return Uni.join()
                .all(kinds.stream().map(kind -> findIndex(kind, hasIndex)).toList())
                .andFailFast()
                .map(found -> new InspectedLists(over, kinds, found));
    }

    /** @param indexes the index of each kind, if there is one */
    private record InspectedLists(FeedOverTable over, List<ListKind> kinds, List<Optional<ServingIndex>> indexes) {

        IndexReport report(InvalidIndexes invalid) {
            return new IndexReport(
                    new ServingIndexes(
                            indexes.stream().flatMap(Optional::stream).toList()),
                    IntStream.range(0, kinds.size())
                            .filter(i -> indexes.get(i).isEmpty())
                            .mapToObj(i -> reversed(i)
                                    .map(other -> servedBy(other, kinds.get(i)))
                                    .orElseGet(() -> missing(over.table(), kinds.get(i), invalid)))
                            .toList(),
                    kinds.stream()
                            .filter(kind -> isAcrossShards(over, kind))
                            .map(ListKind::name)
                            .toList());
        }

        /** The lists before these whose missing index serves these too, scanned backward. */
        private Optional<ListKind> reversed(int i) {
            return IntStream.range(0, i)
                    .filter(earlier -> indexes.get(earlier).isEmpty())
                    .mapToObj(kinds::get)
                    .filter(other -> other.isReverseOf(kinds.get(i)))
                    .findFirst();
        }

        private static MissingIndex servedBy(ListKind other, ListKind kind) {
            return new MissingIndex(
                    kind.name(), "the same index as for order " + other.order().name() + " serves it", List.of());
        }
    }

    private static boolean isAcrossShards(FeedOverTable over, ListKind kind) {
        Set<String> single = Stream.concat(
                        over.feed().access().scope().stream().map(Access.Scope::column), kind.filter().stream())
                .map(Column::name)
                .collect(Collectors.toSet());
        return over.table()
                .storage()
                .shards()
                .filter(shards -> !shards.hasInOne(single))
                .isPresent();
    }

    private static List<ListKind> listKinds(FeedOverTable over) {
        Feed feed = over.feed();
        Table table = over.table();
        List<ListKind> kinds = new ArrayList<>();
        List<Column> scope =
                feed.access().scope().stream().map(Access.Scope::column).toList();
        // A feed without a key is read by offset and sorted for each page; a list of at most one row needs no index.
        if (!feed.relation().hasKey() || scope.stream().anyMatch(column -> isUnique(table, column))) {
            return kinds;
        }
        for (Order order : feed.orders().all()) {
            Column first = order.keys().get(0).column();
            // The order's own index already starts with its first column.
            List<Column> prefix =
                    scope.stream().filter(column -> !column.equals(first)).toList();
            kinds.add(new ListKind(order, prefix, Optional.empty()));
            feed.filters().values().stream()
                    .filter(filter -> filter.kinds().contains(Filter.Kind.EQUALS))
                    .map(Filter::column)
                    .filter(column -> !isUnique(table, column) && !column.equals(first) && !scope.contains(column))
                    .forEach(column -> kinds.add(new ListKind(order, prefix, Optional.of(column))));
        }
        return kinds;
    }

    /** Whether each value of the column matches at most one row. */
    private static boolean isUnique(Table table, Column column) {
        return table.uniqueKeys().contains(Set.of(column.name()));
    }

    /**
     * The lists of one order that have a single value in the same columns.
     *
     * @param scope the columns of the feed's scope, except the order's first column
     */
    private record ListKind(Order order, List<Column> scope, Optional<Column> filter) {

        boolean isReverseOf(ListKind other) {
            return filter.equals(other.filter)
                    && order.keys()
                            .equals(other.order.keys().stream()
                                    .map(OrderKey::reversed)
                                    .toList());
        }

        List<Column> columns() {
            return Stream.concat(scope.stream(), filter.stream()).toList();
        }

        ListName name() {
            return new ListName(order.name(), filter.map(Column::name));
        }
    }

    /** Checks all candidates at once and chooses the first one that an index provides. */
    private static Uni<Optional<ServingIndex>> findIndex(
            ListKind kind, Function<List<OrderKey>, Uni<Boolean>> hasIndex) {
        List<List<OrderKey>> candidates = IndexPrefixes.candidates(kind.columns());
        return Uni.join()
                .all(candidates.stream()
                        .map(prefix -> hasIndex.apply(IndexPrefixes.prepend(prefix, kind.order())))
                        .toList())
                .andFailFast()
                .map(hasIndexes -> {
                    int first = hasIndexes.indexOf(true);
                    return first < 0
                            ? Optional.empty()
                            : Optional.of(new ServingIndex(kind.order(), candidates.get(first)));
                });
    }

    private static Uni<Boolean> hasIndex(SqlConnection connection, Feed feed, List<OrderKey> keys) {
        String explain = "EXPLAIN (FORMAT JSON, COSTS OFF) SELECT 1 FROM " + Sql.relation(feed.relation())
                + feed.relation()
                        .visible()
                        .map(visible -> " WHERE " + Sql.parenthesized(visible))
                        .orElse("")
                + Sql.orderBy(feed.relation().name(), keys);
        return connection
                .query(explain)
                .execute()
                .map(plan -> !isWithoutIndex(((JsonArray) plan.iterator().next().getJson(0))
                        .getJsonObject(0)
                        .getJsonObject("Plan")));
    }

    /** Whether the plan sorts its result, as opposed to the rows of a subquery or of a join's inner side. */
    private static boolean isWithoutIndex(JsonObject node) {
        return WITHOUT_INDEX.contains(node.getString("Node Type"))
                || node.getJsonArray("Plans", new JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .filter(child -> !UNORDERED_INPUTS.contains(child.getString("Parent Relationship")))
                        .anyMatch(IndexInspection::isWithoutIndex);
    }

    private static MissingIndex missing(Table table, ListKind kind, InvalidIndexes invalid) {
        IndexAdvice advice = IndexAdvice.of(
                table,
                IndexPrefixes.prepend(
                        kind.columns().stream()
                                .map(column -> new OrderKey(column, false, false))
                                .toList(),
                        kind.order()),
                invalid);
        return new MissingIndex(kind.name(), advice.explanation(), advice.script());
    }
}
