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
import dev.tidemark.postgres.catalogue.IndexPlans.Answer;
import dev.tidemark.postgres.catalogue.ListKind.Use;
import dev.tidemark.postgres.catalogue.NearlyServing.ServedOrder;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import dev.tidemark.postgres.sql.TextIndexPlan;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.Collections;
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
                                Uni.join()
                                        .all(feeds.stream()
                                                .map(feed -> findIndexes(connection, feed))
                                                .toList())
                                        .andFailFast(),
                                // Sent without waiting for the responses to the EXPLAIN statements.
                                connection.query("ROLLBACK").execute())
                        .with((begun, found, ended) -> found)
                        .chain(found -> findNearlyServing(connection, found))
                        .chain(found -> findTextIndexes(connection, found))
                        .chain(found -> reports(connection, found)));
    }

    /** Completes the kinds of lists that no index serves as they are declared. */
    private static Uni<List<InspectedLists>> findNearlyServing(SqlConnection connection, List<InspectedLists> found) {
        return found.stream().noneMatch(InspectedLists::canBeNearlyServed)
                ? Uni.createFrom().item(found)
                : Uni.combine()
                        .all()
                        .unis(
                                connection
                                        .query(IndexPlans.BEGIN_PREFERRING_PRESORTED_SCANS)
                                        .execute(),
                                Uni.join()
                                        .all(found.stream()
                                                .map(lists -> lists.findNearlyServing(connection))
                                                .toList())
                                        .andFailFast(),
                                connection.query("ROLLBACK").execute())
                        .with((begun, completed, ended) -> completed);
    }

    /** Completes the feeds with the columns in which indexes find a part of a text. */
    private static Uni<List<InspectedLists>> findTextIndexes(SqlConnection connection, List<InspectedLists> found) {
        return found.stream().noneMatch(InspectedLists::hasSearches)
                ? Uni.createFrom().item(found)
                : Uni.combine()
                        .all()
                        .unis(
                                connection
                                        .query("BEGIN READ ONLY; " + TextIndexPlan.PREFER_TEXT_INDEX)
                                        .execute(),
                                Uni.join()
                                        .all(found.stream()
                                                .map(lists -> lists.findTextIndexes(connection))
                                                .toList())
                                        .andFailFast(),
                                connection.query("ROLLBACK").execute())
                        .with((begun, completed, ended) -> completed);
    }

    private static Uni<List<IndexReport>> reports(SqlConnection connection, List<InspectedLists> found) {
        Set<TableName> tables = found.stream()
                .flatMap(lists -> lists.sorts().map(PlannedSort::table))
                .collect(Collectors.toSet());
        Set<TableName> withFeeds = Stream.concat(
                        tables.stream(),
                        found.stream()
                                .map(lists -> TableName.of(lists.feedOverTable().table())))
                .collect(Collectors.toSet());
        Set<TableName> nearlyServed =
                found.stream().flatMap(InspectedLists::nearlyServedTables).collect(Collectors.toSet());
        return Uni.combine()
                .all()
                .unis(
                        IndexableTables.find(connection, List.copyOf(tables)),
                        InvalidIndexes.find(connection, withFeeds),
                        UnindexableColumns.find(connection, withFeeds),
                        SortStatistics.find(connection, nearlyServed))
                .with((indexable, invalid, unindexable, statistics) -> found.stream()
                        .map(lists -> lists.report(new Advisor(indexable, invalid, unindexable, statistics)))
                        .toList());
    }

    private static Uni<InspectedLists> findIndexes(SqlConnection connection, FeedOverTable feedOverTable) {
        List<ListKind> kinds = ListKind.of(feedOverTable);
        if (kinds.isEmpty()) {
            return Uni.createFrom().item(new InspectedLists(feedOverTable, List.of(), List.of(), Set.of()));
        }
        Feed feed = feedOverTable.feed();
        return feedOverTable.table().storage().shards().isPresent()
                ? TableIndexes.find(
                                connection,
                                feedOverTable.table(),
                                feed.relation().visible())
                        .chain(indexes -> findIndexes(feedOverTable, kinds, keys -> Uni.createFrom()
                                .item(Answer.of(indexes.anyStartsWith(keys)))))
                : findIndexes(feedOverTable, kinds, keys -> IndexPlans.find(connection, feed, keys));
    }

    /** @param hasIndex whether an index provides an order */
    private static Uni<InspectedLists> findIndexes(
            FeedOverTable feedOverTable, List<ListKind> kinds, Function<List<OrderKey>, Uni<Answer>> hasIndex) {
        return Uni.join()
                .all(kinds.stream().map(kind -> findIndex(kind, hasIndex)).toList())
                .andFailFast()
                .map(found -> new InspectedLists(feedOverTable, kinds, found, Set.of()));
    }

    /**
     * @param serving the index that serves the lists of a kind, if there is one
     * @param sort if no index serves them, the sort that the suggested index would replace, if known
     * @param served the orders that an index may serve in place of the declared one
     */
    private record InspectedKind(Optional<ServingIndex> serving, Optional<PlannedSort> sort, List<ServedOrder> served) {

        boolean isMissing() {
            return serving.isEmpty();
        }

        boolean isMissing(SortStatistics statistics) {
            return isMissing() && served.stream().noneMatch(order -> order.isDeclared() && order.isServed(statistics));
        }
    }

    /** What the catalogue says about the tables on which indexes are suggested. */
    private record Advisor(
            IndexableTables indexableTables,
            InvalidIndexes invalidIndexes,
            UnindexableColumns unindexableColumns,
            SortStatistics statistics) {

        IndexAdvice advise(Table table, List<OrderKey> keys) {
            return unindexableColumns
                    .reason(
                            TableName.of(table),
                            keys.stream().map(key -> key.column().name()).toList())
                    .map(IndexAdvice::none)
                    .orElseGet(() -> IndexAdvice.of(table, keys, invalidIndexes));
        }

        /** Returns an index that replaces the sort; empty if one statement cannot create it. */
        Optional<IndexAdvice> advise(PlannedSort sort) {
            return indexableTables.sqlName(sort.table()).map(sqlName -> unindexableColumns
                    .reason(
                            sort.table(),
                            sort.keys().stream()
                                    .map(PlannedSort.SortKey::column)
                                    .toList())
                    .map(IndexAdvice::none)
                    .orElseGet(() -> IndexAdvice.of(sort, sqlName, invalidIndexes)));
        }
    }

    /**
     * @param indexes of each kind
     * @param textColumns the names of the columns in which indexes find a part of a text
     */
    private record InspectedLists(
            FeedOverTable feedOverTable, List<ListKind> kinds, List<InspectedKind> indexes, Set<String> textColumns) {

        /** Whether an index on text may serve lists. Searches of feeds without a key are read by offset. */
        boolean hasSearches() {
            return feedOverTable.feed().relation().hasKey()
                    && feedOverTable.feed().hasSearches()
                    && feedOverTable.table().storage().shards().isEmpty();
        }

        Uni<InspectedLists> findTextIndexes(SqlConnection connection) {
            List<Column> searched = hasSearches() ? feedOverTable.feed().searchedColumns() : List.of();
            return searched.isEmpty()
                    ? Uni.createFrom().item(this)
                    : Uni.join()
                            .all(searched.stream()
                                    .map(column -> hasTextIndex(connection, column))
                                    .toList())
                            .andFailFast()
                            .map(served -> new InspectedLists(
                                    feedOverTable,
                                    kinds,
                                    indexes,
                                    IntStream.range(0, searched.size())
                                            .filter(served::get)
                                            .mapToObj(i -> searched.get(i).name())
                                            .collect(Collectors.toSet())));
        }

        private Uni<Boolean> hasTextIndex(SqlConnection connection, Column column) {
            Feed feed = feedOverTable.feed();
            return Uni.combine()
                    .all()
                    .unis(
                            connection
                                    .query(TextIndexPlan.explain(feed, column))
                                    .execute(),
                            connection
                                    .query(TextIndexPlan.findsAllCases(feed, column))
                                    .execute())
                    .with((explained, findsAll) -> TextIndexPlan.of(
                                            explained.iterator().next().getJson(0))
                                    .usesTextIndex()
                            && Boolean.TRUE.equals(findsAll.iterator().next().getBoolean(0)));
        }

        /** The servers of a Citus table plan statements themselves. */
        boolean canBeNearlyServed() {
            return feedOverTable.table().storage().shards().isEmpty()
                    && indexes.stream().anyMatch(InspectedKind::isMissing);
        }

        Uni<InspectedLists> findNearlyServing(SqlConnection connection) {
            return !canBeNearlyServed()
                    ? Uni.createFrom().item(this)
                    : Uni.join()
                            .all(IntStream.range(0, kinds.size())
                                    .mapToObj(i -> findNearlyServing(connection, kinds.get(i), indexes.get(i)))
                                    .toList())
                            .andFailFast()
                            .map(completed -> new InspectedLists(feedOverTable, kinds, completed, textColumns));
        }

        /** The values of a column are in one order, and no index of another order serves counts by them. */
        private Uni<InspectedKind> findNearlyServing(SqlConnection connection, ListKind kind, InspectedKind index) {
            return !index.isMissing() || kind.use() != Use.PAGES
                    ? Uni.createFrom().item(index)
                    : NearlyServing.find(connection, feedOverTable, kind, index.sort())
                            .map(served -> new InspectedKind(index.serving(), index.sort(), served));
        }

        Stream<TableName> nearlyServedTables() {
            return indexes.stream().flatMap(index -> index.served().stream()).flatMap(ServedOrder::tables);
        }

        /** The sorts that the suggested indexes would replace, if known. */
        Stream<PlannedSort> sorts() {
            return IntStream.range(0, kinds.size()).mapToObj(this::sort).flatMap(Optional::stream);
        }

        /** The sort is not needed for a table, whose indexes have the columns of the list. */
        private Optional<PlannedSort> sort(int i) {
            return indexes.get(i)
                    .sort()
                    .filter(sort -> feedOverTable.table().kind() == Table.Kind.VIEW_OR_FOREIGN_TABLE
                            && !feedOverTable.table().storage().foreign());
        }

        IndexReport report(Advisor advisor) {
            return new IndexReport(
                    new ServingIndexes(
                            indexes.stream()
                                    .flatMap(index -> index.serving().stream())
                                    .toList(),
                            textColumns),
                    IntStream.range(0, kinds.size())
                            .filter(i -> kinds.get(i).use() != Use.FILTERED_COUNTS
                                    && indexes.get(i).isMissing(advisor.statistics()))
                            .mapToObj(i -> missingIndex(i, advisor))
                            .toList(),
                    kinds.stream()
                            .filter(kind -> kind.use() == Use.PAGES && isAcrossShards(feedOverTable, kind))
                            .map(ListKind::name)
                            .toList());
        }

        /**
         * Returns an earlier kind whose index is missing too and would also serve kind {@code i}: scanned backward, or
         * by its first columns.
         */
        private Optional<ListKind> earlierShared(int i, SortStatistics statistics) {
            ListKind kind = kinds.get(i);
            return IntStream.range(0, i)
                    .filter(earlier -> indexes.get(earlier).isMissing(statistics))
                    .mapToObj(kinds::get)
                    .filter(other -> other.isReverseOf(kind)
                            || kind.use() == Use.COUNTS && Collections.indexOfSubList(keys(other), keys(kind)) == 0)
                    .findFirst();
        }

        /** The keys of the index that serves lists of this kind. */
        private static List<OrderKey> keys(ListKind kind) {
            return IndexPrefixes.prepend(
                    kind.singleValuedColumns().stream()
                            .map(column -> new OrderKey(column, false, false))
                            .toList(),
                    kind.order());
        }

        private MissingIndex missingIndex(int i, Advisor advisor) {
            ListKind kind = kinds.get(i);
            Optional<ServedOrder> served = indexes.get(i).served().stream()
                    .filter(order -> order.isServed(advisor.statistics()))
                    .findFirst();
            if (served.isPresent()) {
                int keyColumns = feedOverTable.feed().relation().key().size();
                return new MissingIndex(
                        kind.name(),
                        "as far as is known, its columns have no NULLs, and an existing index serves the order \""
                                + served.get().terms(keyColumns) + '"',
                        served.get().isDefault(),
                        List.of());
            }
            IndexAdvice advice =
                    sort(i).flatMap(advisor::advise).orElseGet(() -> advisor.advise(feedOverTable.table(), keys(kind)));
            return earlierShared(i, advisor.statistics())
                    .filter(earlier -> !advice.script().isEmpty())
                    .map(earlier -> missingSharedIndex(earlier, kind))
                    .orElseGet(() -> new MissingIndex(kind.name(), advice.explanation(), false, advice.script()));
        }

        private static MissingIndex missingSharedIndex(ListKind earlierKind, ListKind kind) {
            return new MissingIndex(
                    kind.name(),
                    "the same index as for "
                            + (kind.use() == Use.PAGES
                                    ? "order " + earlierKind.order().name()
                                    : earlierKind.name().description())
                            + " serves it",
                    false,
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
    private static Uni<InspectedKind> findIndex(ListKind kind, Function<List<OrderKey>, Uni<Answer>> hasIndex) {
        List<List<OrderKey>> candidates = IndexPrefixes.candidates(kind.singleValuedColumns());
        return Uni.join()
                .all(candidates.stream()
                        .map(prefix -> hasIndex.apply(IndexPrefixes.prepend(prefix, kind.order())))
                        .toList())
                .andFailFast()
                .map(answers -> {
                    int first = answers.stream().map(Answer::hasIndex).toList().indexOf(true);
                    // The suggested index has the columns and directions of the first candidate.
                    return first < 0
                            ? new InspectedKind(Optional.empty(), answers.get(0).sort(), List.of())
                            : new InspectedKind(
                                    Optional.of(new ServingIndex(kind.order(), candidates.get(first))),
                                    Optional.empty(),
                                    List.of());
                });
    }
}
