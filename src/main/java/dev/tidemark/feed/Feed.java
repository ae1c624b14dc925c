package dev.tidemark.feed;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A list over a relation of the database, held against its catalogue and found whole.
 *
 * @param columns what an item shows, in this sequence
 * @param filters by column name, in the declaration's sequence
 * @param access holds for every way of reading the feed
 */
public record Feed(
        String name,
        Relation relation,
        List<Column> columns,
        Orders orders,
        Map<String, Filter> filters,
        Policy policy,
        Access access) {

    /**
     * What the rows come from.
     *
     * @param schema unquoted, as the catalogue has it
     * @param name unquoted
     * @param key the columns that tell rows apart, never NULL; empty where nothing does, so that there are no positions
     *     and pages are reached by counting only
     * @param visible an SQL condition that a row must meet to be shown at all
     */
    public record Relation(String schema, String name, List<Column> key, Optional<String> visible) {
        public Relation {
            key = List.copyOf(key);
        }

        public boolean hasKey() {
            return !key.isEmpty();
        }
    }

    /** The orders of a feed; {@code byDefault} is one of {@code all}. */
    public record Orders(List<Order> all, Order byDefault) {
        public Orders {
            all = List.copyOf(all);
            if (!all.contains(byDefault)) {
                throw new IllegalArgumentException("the default order is one of the orders");
            }
        }

        public Optional<Order> find(String name) {
            return all.stream().filter(order -> order.name().equals(name)).findFirst();
        }
    }

    /** How the feed is served. */
    public record Policy(Limits limits, Count count, String cacheControl, Universal universal) {}

    /**
     * Items on a page.
     *
     * @param byDefault where the client asks for no number
     * @param web the same for a client that says it is no phone
     * @param max the most that are given, whatever is asked
     */
    public record Limits(int byDefault, int web, int max) {

        /** The largest {@code max} that a feed may declare. */
        public static final int LARGEST_PAGE = 1000;
    }

    /** The most a client may ask for when it wants the number of items, and where exact counting stops. */
    public record Count(Precision most, int cap) {
        public enum Precision {
            NONE,
            ESTIMATE,
            EXACT
        }
    }

    /**
     * How the feed is served over the universal protocol.
     *
     * @param strategy of scrolls that begin; those under way go on as they began
     * @param backward whether pages can be read towards the start
     * @param maxOffset the most items that a page may be reached by counting past
     */
    public record Universal(Strategy strategy, boolean backward, int maxOffset) {
        public enum Strategy {
            CURSOR,
            OFFSET
        }
    }

    public Feed {
        Objects.requireNonNull(name);
        Objects.requireNonNull(access);
        columns = List.copyOf(columns);
        filters = Collections.unmodifiableMap(new LinkedHashMap<>(filters));
        if (!relation.hasKey() && policy.universal().strategy() == Universal.Strategy.CURSOR) {
            throw new IllegalArgumentException("without a key there are no cursors");
        }
    }

    /** Every column that a statement of this feed may name, by name. */
    public Map<String, Column> usedColumns() {
        Map<String, Column> used = new LinkedHashMap<>();
        Stream.of(
                        columns.stream(),
                        relation.key().stream(),
                        orders.all().stream()
                                .flatMap(order -> order.keys().stream())
                                .map(OrderKey::column),
                        filters.values().stream().map(Filter::column),
                        access.scope().stream().map(Access.Scope::column))
                .flatMap(Function.identity())
                .forEach(column -> used.put(column.name(), column));
        return used;
    }
}
