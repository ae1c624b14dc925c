package dev.tidemark.feed;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The indexes that serve the lists of a feed, as found when the feed was inspected. Page statements are written to use
 * these indexes.
 */
public final class ServingIndexes {

    public static final ServingIndexes NONE = new ServingIndexes(List.of());

    /**
     * An index with the keys of an order, after a prefix of further keys, which can be empty. It serves a list of the
     * order if each scan of the list is restricted to a single value of every prefix column.
     *
     * @param prefix the keys of the index that precede the keys of the order, with the directions of a scan in the
     *     order's direction
     */
    public record ServingIndex(Order order, List<OrderKey> prefix) {
        private OrderAndPrefix orderAndPrefix() {
            return new OrderAndPrefix(
                    order.name(),
                    prefix.stream().map(key -> key.column().name()).collect(Collectors.toUnmodifiableSet()));
        }
    }

    private record OrderAndPrefix(String order, Set<String> prefixColumns) {}

    private final Map<OrderAndPrefix, ServingIndex> byOrderAndPrefix;
    private final Set<String> textColumns;

    public ServingIndexes(List<ServingIndex> indexes) {
        this(indexes, Set.of());
    }

    /** @param textColumns the names of the columns in whose values an index finds a part of a text */
    public ServingIndexes(List<ServingIndex> indexes, Set<String> textColumns) {
        byOrderAndPrefix = indexes.stream()
                .collect(Collectors.toUnmodifiableMap(ServingIndex::orderAndPrefix, Function.identity()));
        this.textColumns = Set.copyOf(textColumns);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServingIndexes indexes
                && byOrderAndPrefix.equals(indexes.byOrderAndPrefix)
                && textColumns.equals(indexes.textColumns);
    }

    @Override
    public int hashCode() {
        return byOrderAndPrefix.hashCode();
    }

    /** Returns the index that serves this order and whose prefix consists of these columns, in any sequence. */
    public Optional<ServingIndex> find(Order order, Set<String> prefixColumns) {
        return Optional.ofNullable(byOrderAndPrefix.get(new OrderAndPrefix(order.name(), prefixColumns)));
    }

    /** Whether an index, such as one of trigrams, finds a part of a text in the values of this column. */
    public boolean hasText(Column column) {
        return textColumns.contains(column.name());
    }
}
