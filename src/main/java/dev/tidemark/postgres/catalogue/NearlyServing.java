package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.catalogue.IndexPlans.Answer;
import dev.tidemark.postgres.catalogue.PlannedSort.SortKey;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import dev.tidemark.postgres.catalogue.SortStatistics.SortColumns;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Looks for indexes that serve lists although they do not provide the declared order:
 *
 * <ul>
 *   <li>An index can lack the last columns of the order, those of the feed's key. PostgreSQL then reads the index, and
 *       sorts the rows that are equal in its columns. If these are few, a page costs the same at any depth.
 *   <li>An index can place NULLs elsewhere. PostgreSQL does not use it, even if no column has a NULL. It serves the
 *       order that is declared like the index.
 * </ul>
 */
final class NearlyServing {

    /**
     * A page reads up to this number of rows more than it has items. PostgreSQL sorts them in a fraction of a
     * millisecond.
     */
    private static final int MOST_EQUAL = 200;

    /** Up to this many nullable columns, all placements of NULLs are tried. */
    private static final int MOST_NULLABLE = 2;

    private NearlyServing() {}

    /**
     * An order that an index serves.
     *
     * @param keys in the place of the keys of the declared order
     * @param changed the columns with another placement of NULLs than in the declared order
     * @param presorted the columns that the index has, if PostgreSQL sorts the rows that are equal in them
     */
    record ServedOrder(List<OrderKey> keys, SortColumns changed, Optional<SortColumns> presorted) {

        boolean isDeclared() {
            return changed.columns().isEmpty();
        }

        boolean isDefault() {
            return keys.stream().allMatch(key -> key.nullsFirst() == key.descending());
        }

        boolean isServed(SortStatistics statistics) {
            return statistics.haveNoNulls(changed)
                    && presorted
                            .filter(columns -> statistics.mostEqual(columns) > MOST_EQUAL)
                            .isEmpty();
        }

        Stream<TableName> tables() {
            return Stream.concat(Stream.of(changed), presorted.stream()).map(SortColumns::table);
        }

        /** Returns the order as it is declared, without the columns of the key at its end. */
        String terms(int keyColumns) {
            return keys.subList(0, Math.max(1, keys.size() - keyColumns)).stream()
                    .map(key -> key.column().name()
                            + (key.descending() ? " desc" : "")
                            + (key.nullsFirst() == key.descending()
                                    ? ""
                                    : key.nullsFirst() ? " nulls first" : " nulls last"))
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * Must be called in a transaction of {@link IndexPlans#BEGIN_PREFERRING_PRESORTED_SCANS}.
     *
     * @param sort the sort of the declared order, if known
     * @return the orders of the kind that an index serves if the statistics agree, the declared one first
     */
    static Uni<List<ServedOrder>> find(
            SqlConnection connection, FeedOverTable feedOverTable, ListKind kind, Optional<PlannedSort> sort) {
        List<OrderKey> declared = kind.order().keys();
        return Uni.join()
                .all(placements(declared).stream()
                        .map(keys -> find(connection, feedOverTable, kind, sort, keys))
                        .toList())
                .andFailFast()
                .map(found -> found.stream().flatMap(Optional::stream).toList());
    }

    private static Uni<Optional<ServedOrder>> find(
            SqlConnection connection,
            FeedOverTable feedOverTable,
            ListKind kind,
            Optional<PlannedSort> sort,
            List<OrderKey> keys) {
        Optional<SortColumns> changed = changed(feedOverTable, kind, sort, keys);
        if (changed.isEmpty()) {
            return Uni.createFrom().item(Optional.empty());
        }
        return Uni.join()
                .all(IndexPrefixes.candidates(kind.singleValuedColumns()).stream()
                        .map(prefix -> IndexPrefixes.prepend(prefix, keys))
                        .map(all -> IndexPlans.find(connection, feedOverTable.feed(), all)
                                .map(answer -> served(feedOverTable, keys, all, changed.get(), answer)))
                        .toList())
                .andFailFast()
                .map(found -> found.stream().flatMap(Optional::stream).findFirst());
    }

    private static Optional<ServedOrder> served(
            FeedOverTable feedOverTable, List<OrderKey> keys, List<OrderKey> all, SortColumns changed, Answer answer) {
        if (answer.hasIndex()) {
            return Optional.of(new ServedOrder(keys, changed, Optional.empty()));
        }
        int needed = all.size() - lastKeyColumns(feedOverTable, all);
        return needed > 0 && answer.presorted() >= needed
                ? columns(feedOverTable, all, answer.sort(), i -> i < answer.presorted())
                        .map(presorted -> new ServedOrder(keys, changed, Optional.of(presorted)))
                : Optional.empty();
    }

    private static int lastKeyColumns(FeedOverTable feedOverTable, List<OrderKey> keys) {
        List<Column> key = feedOverTable.feed().relation().key();
        Set<String> names = key.stream().map(Column::name).collect(Collectors.toSet());
        int number = 0;
        while (number < keys.size()
                && names.contains(keys.get(keys.size() - 1 - number).column().name())) {
            number++;
        }
        return number;
    }

    /**
     * Returns the columns whose NULLs these keys place elsewhere; empty if it is unknown which columns of a table they
     * are.
     */
    private static Optional<SortColumns> changed(
            FeedOverTable feedOverTable, ListKind kind, Optional<PlannedSort> sort, List<OrderKey> keys) {
        List<OrderKey> declared = kind.order().keys();
        List<OrderKey> all = IndexPrefixes.prepend(
                kind.singleValuedColumns().stream()
                        .map(column -> new OrderKey(column, false, false))
                        .toList(),
                declared);
        return columns(feedOverTable, all, sort, i -> {
            int place = declared.indexOf(all.get(i));
            return place >= 0 && !declared.get(place).equals(keys.get(place));
        });
    }

    /** Returns the columns of a table that some of the keys sort by. A view has the columns of the table under it. */
    private static Optional<SortColumns> columns(
            FeedOverTable feedOverTable, List<OrderKey> keys, Optional<PlannedSort> sort, IntPredicate some) {
        Table table = feedOverTable.table();
        if (table.kind() != Table.Kind.VIEW_OR_FOREIGN_TABLE) {
            return Optional.of(new SortColumns(
                    TableName.of(table), some(keys, some, key -> key.column().name())));
        }
        return sort.filter(found -> found.keys().size() == keys.size())
                .map(found -> new SortColumns(found.table(), some(found.keys(), some, SortKey::column)));
    }

    private static <T> List<String> some(List<T> keys, IntPredicate some, Function<T, String> name) {
        return IntStream.range(0, keys.size())
                .filter(some)
                .mapToObj(i -> name.apply(keys.get(i)))
                .toList();
    }

    /** Returns the keys with each placement of the NULLs of their nullable columns, the declared one first. */
    private static List<List<OrderKey>> placements(List<OrderKey> keys) {
        if (keys.stream().filter(key -> key.column().nullable()).count() > MOST_NULLABLE) {
            return List.of(
                    keys,
                    keys.stream()
                            .map(key -> new OrderKey(key.column(), key.descending(), key.descending()))
                            .toList());
        }
        List<List<OrderKey>> all = List.of(List.of());
        for (OrderKey key : keys) {
            List<List<OrderKey>> longer = new ArrayList<>();
            all.forEach(start -> Stream.of(key, new OrderKey(key.column(), key.descending(), !key.nullsFirst()))
                    .distinct()
                    .forEach(next -> longer.add(
                            Stream.concat(start.stream(), Stream.of(next)).toList())));
            all = longer;
        }
        return all;
    }
}
