package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the prefixes that an index can have before the keys of an order, for lists that have a single value in each
 * column of the prefix.
 */
final class IndexPrefixes {

    /** Up to this many columns, the candidates combine all directions and NULL placements. */
    private static final int MOST_COMBINED_COLUMNS = 2;

    private IndexPrefixes() {}

    /**
     * Returns the prefixes to look for. For each column, some prefixes start with this column and continue with the
     * other columns in one fixed sequence. The prefixes have several directions and NULL placements, which make no
     * difference to a list that has a single value in each of these columns.
     *
     * <p>With more than two columns, all columns of a prefix have the same direction and NULL placement, because each
     * candidate costs an EXPLAIN, and the number of combinations is exponential. An index that mixes directions or
     * NULL placements within such a prefix is therefore not found.
     */
    static List<List<OrderKey>> candidates(List<Column> columns) {
        List<List<OrderKey>> candidates = new ArrayList<>();
        for (int first = 0; first < Math.max(1, columns.size()); first++) {
            List<Column> rotated = new ArrayList<>(columns);
            Collections.rotate(rotated, -first);
            candidates.addAll(columns.size() > MOST_COMBINED_COLUMNS ? inOneDirection(rotated) : combinations(rotated));
        }
        return candidates;
    }

    private static List<List<OrderKey>> combinations(List<Column> columns) {
        List<List<OrderKey>> prefixes = List.of(List.of());
        for (Column column : columns) {
            prefixes = prefixes.stream()
                    .flatMap(prefix -> placements(column).map(key -> Stream.concat(prefix.stream(), Stream.of(key))
                            .toList()))
                    .toList();
        }
        return prefixes;
    }

    private static List<List<OrderKey>> inOneDirection(List<Column> columns) {
        // Prefixes that differ only in the placement of NULLs in NOT NULL columns are equal.
        return columns.stream()
                .flatMap(IndexPrefixes::placements)
                .map(like -> columns.stream()
                        .map(column -> new OrderKey(column, like.descending(), like.nullsFirst()).inEffect())
                        .toList())
                .distinct()
                .toList();
    }

    private static Stream<OrderKey> placements(Column column) {
        return Stream.of(
                        new OrderKey(column, false, false),
                        new OrderKey(column, true, true),
                        new OrderKey(column, true, false),
                        new OrderKey(column, false, true))
                .map(OrderKey::inEffect)
                .distinct();
    }

    /** Returns the prefix, followed by the keys of the order whose columns are not in the prefix. */
    static List<OrderKey> prepend(List<OrderKey> prefix, Order order) {
        return prepend(prefix, order.keys());
    }

    static List<OrderKey> prepend(List<OrderKey> prefix, List<OrderKey> order) {
        Set<Column> columns = prefix.stream().map(OrderKey::column).collect(Collectors.toSet());
        return Stream.concat(prefix.stream(), order.stream().filter(key -> !columns.contains(key.column())))
                .toList();
    }
}
