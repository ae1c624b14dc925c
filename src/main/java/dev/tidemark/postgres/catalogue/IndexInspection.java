package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.IndexReport;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.ServingIndexes;
import dev.tidemark.feed.ServingIndexes.ServingIndex;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the indexes that serve the lists of feeds, by the plans of PostgreSQL ({@link IndexPlans}) or, for Citus
 * tables, by the definitions of the indexes ({@link TableIndexes}).
 */
final class IndexInspection {

    private IndexInspection() {}

    /** @return a report for each feed, in the same order */
    static Uni<List<IndexReport>> inspect(Pool pool, List<FeedOverTable> feeds) {
        return feeds.isEmpty()
                ? Uni.createFrom().item(List.of())
                : pool.withConnection(connection -> Uni.combine()
                        .all()
                        .unis(
                                connection
                                        .query(IndexPlans.BEGIN_PREFERRING_INDEX_SCANS)
                                        .execute(),
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
                        .with((begun, invalidIndexes, found, ended) -> found.stream()
                                .map(lists -> lists.report(invalidIndexes))
                                .toList()));
    }

    private static Uni<InspectedLists> findIndexes(SqlConnection connection, FeedOverTable feedOverTable) {
        List<ListKind> kinds = ListKind.of(feedOverTable);
        if (kinds.isEmpty()) {
            return Uni.createFrom().item(new InspectedLists(feedOverTable, List.of(), List.of()));
        }
        Feed feed = feedOverTable.feed();
        return feedOverTable.table().storage().shards().isPresent()
                ? TableIndexes.find(
                                connection,
                                feedOverTable.table(),
                                feed.relation().visible())
                        .chain(indexes -> findIndexes(
                                feedOverTable, kinds, keys -> Uni.createFrom().item(indexes.anyStartsWith(keys))))
                : findIndexes(feedOverTable, kinds, keys -> IndexPlans.hasIndex(connection, feed, keys));
    }

    /** @param hasIndex whether an index provides an order */
    private static Uni<InspectedLists> findIndexes(
            FeedOverTable feedOverTable, List<ListKind> kinds, Function<List<OrderKey>, Uni<Boolean>> hasIndex) {
        return Uni.join()
                .all(kinds.stream().map(kind -> findIndex(kind, hasIndex)).toList())
                .andFailFast()
                .map(found -> new InspectedLists(feedOverTable, kinds, found));
    }

    /** @param indexes the serving index of each kind; an empty value for a kind without one */
    private record InspectedLists(
            FeedOverTable feedOverTable, List<ListKind> kinds, List<Optional<ServingIndex>> indexes) {

        IndexReport report(InvalidIndexes invalidIndexes) {
            return new IndexReport(
                    new ServingIndexes(
                            indexes.stream().flatMap(Optional::stream).toList()),
                    IntStream.range(0, kinds.size())
                            .filter(i -> indexes.get(i).isEmpty())
                            .mapToObj(i -> earlierReverse(i)
                                    .map(other -> missingSharedIndex(other, kinds.get(i)))
                                    .orElseGet(() -> missingIndex(feedOverTable.table(), kinds.get(i), invalidIndexes)))
                            .toList(),
                    kinds.stream()
                            .filter(kind -> isAcrossShards(feedOverTable, kind))
                            .map(ListKind::name)
                            .toList());
        }

        /** Returns an earlier kind whose index is missing too and, scanned backward, would also serve kind {@code i}. */
        private Optional<ListKind> earlierReverse(int i) {
            return IntStream.range(0, i)
                    .filter(earlier -> indexes.get(earlier).isEmpty())
                    .mapToObj(kinds::get)
                    .filter(other -> other.isReverseOf(kinds.get(i)))
                    .findFirst();
        }

        private static MissingIndex missingSharedIndex(ListKind earlierKind, ListKind kind) {
            return new MissingIndex(
                    kind.name(),
                    "the same index as for order " + earlierKind.order().name() + " serves it",
                    List.of());
        }
    }

    /** Whether the rows of a list of this kind can be in several shards. */
    private static boolean isAcrossShards(FeedOverTable feedOverTable, ListKind kind) {
        Set<String> singleValued = Stream.concat(
                        feedOverTable.feed().access().scope().stream().map(Access.Scope::column),
                        kind.filter().stream())
                .map(Column::name)
                .collect(Collectors.toSet());
        return feedOverTable
                .table()
                .storage()
                .shards()
                .filter(shards -> !shards.keepsTogether(singleValued))
                .isPresent();
    }

    /** Checks all candidates at once and chooses the first one that an index provides. */
    private static Uni<Optional<ServingIndex>> findIndex(
            ListKind kind, Function<List<OrderKey>, Uni<Boolean>> hasIndex) {
        List<List<OrderKey>> candidates = IndexPrefixes.candidates(kind.singleValuedColumns());
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

    private static MissingIndex missingIndex(Table table, ListKind kind, InvalidIndexes invalidIndexes) {
        IndexAdvice advice = IndexAdvice.of(
                table,
                IndexPrefixes.prepend(
                        kind.singleValuedColumns().stream()
                                .map(column -> new OrderKey(column, false, false))
                                .toList(),
                        kind.order()),
                invalidIndexes);
        return new MissingIndex(kind.name(), advice.explanation(), advice.script());
    }
}
