package dev.tidemark.feed;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table or view that is served in one or more orders. Its declaration has been validated against the database
 * catalogue.
 *
 * @param columns the members of an item, in output order
 * @param embeds further members of an item, in output order
 * @param notifyOn further tables whose notifications mean that the feed may have changed
 * @param filters by column name
 * @param counts the columns by whose values clients can count items
 * @param access applies to every way of reading the feed
 * @param indexes the indexes that were found when the feed was inspected; {@link ServingIndexes#NONE} before then
 */
public record Feed(
        String name,
        Relation relation,
        List<Column> columns,
        List<Embed> embeds,
        List<TableName> notifyOn,
        Orders orders,
        Map<String, Filter> filters,
        List<Column> counts,
        Policy policy,
        Access access,
        ServingIndexes indexes) {

    /**
     * The table or view that contains the rows.
     *
     * @param schema unquoted, as in the catalogue
     * @param name unquoted
     * @param key the columns that identify a row, none of them NULL. Empty if there is no key; the feed can then be
     *     paged by offset only
     * @param visible an SQL condition that selects the rows of the feed; empty if the feed has all rows
     * @param conditionColumns the names of all columns that {@code visible}, a view, or row-level security can test.
     *     Not only equality matters: in PostgreSQL 17.9, {@code a < 1 AND (a, id) > (2, 7)} can return rows, which
     *     match neither, with an index on {@code (a, b, id)}
     */
    public record Relation(
            String schema,
            String name,
            List<Column> key,
            Optional<String> visible,
            Set<String> conditionColumns,
            Storage storage) {

        /**
         * Where the rows are stored. Page statements depend on this, so that PostgreSQL reads no more rows than a page
         * needs.
         *
         * @param partitioned whether some rows are in a partitioned table
         * @param foreign whether some rows are in a foreign table, which can be a partition
         * @param filtered whether PostgreSQL can add conditions of its own: those of a view or of row-level security
         * @param shards the shards that contain the rows; empty if no rows are in a Citus table
         * @param removesNullTests whether PostgreSQL removes {@code IS NULL} from a statement when it plans it, if the
         *     column is NOT NULL then; only since version 17
         */
        public record Storage(
                boolean partitioned,
                boolean foreign,
                boolean filtered,
                Optional<Shards> shards,
                boolean removesNullTests) {
            public static final Storage LOCAL = new Storage(false, false);

            public Storage(boolean partitioned, boolean foreign) {
                this(partitioned, foreign, false, Optional.empty(), false);
            }
        }

        /**
         * The shards of a Citus table, which can be on several servers.
         *
         * @param single whether there is only one shard. Each server can have a copy of that shard, as for a reference
         *     table
         * @param column the name of the column whose value determines the shard of a row; empty if it is not known
         */
        public record Shards(boolean single, Optional<String> column) {

            /** Returns whether all rows with the same values in these columns are in one shard. */
            public boolean keepsTogether(Set<String> columns) {
                return single || column.filter(columns::contains).isPresent();
            }
        }

        public Relation {
            key = List.copyOf(key);
            conditionColumns = Set.copyOf(conditionColumns);
        }

        public boolean hasKey() {
            return !key.isEmpty();
        }
    }

    /** The name of a table; both parts are unquoted. */
    public record TableName(String schema, String name) {}

    /** The orders of a feed; {@code byDefault} is one of {@code all}. */
    public record Orders(List<Order> all, Order byDefault) {
        public Orders {
            all = List.copyOf(all);
            if (!all.contains(byDefault)) {
                throw new IllegalArgumentException("the default order must be one of the orders");
            }
        }

        public Optional<Order> find(String name) {
            return all.stream().filter(order -> order.name().equals(name)).findFirst();
        }
    }

    /**
     * How the feed is served.
     *
     * @param delta how clients can bring a cached part of a list up to date; empty if they cannot
     */
    public record Policy(
            Limits limits,
            CountPolicy count,
            String cacheControl,
            UniversalPolicy universal,
            Search search,
            Optional<Delta> delta) {

        private Policy withDelta(Delta resolved) {
            return new Policy(limits, count, cacheControl, universal, search, Optional.of(resolved));
        }

        /** Returns this policy with another way to search. */
        public Policy withSearch(Search resolved) {
            return new Policy(limits, count, cacheControl, universal, resolved, delta);
        }
    }

    /**
     * How clients look for text in the feed.
     *
     * @param columns the columns whose text a search looks at; empty if clients cannot search
     * @param scan the number of rows that a page of a list looks at, at most, if one of its conditions
     *     {@linkplain Condition#isSearch looks for text}
     */
    public record Search(List<Column> columns, int scan) {

        /** The {@code scan} of a feed that declares none. */
        public static final int DEFAULT_SCAN = 10_000;

        public static final Search NONE = new Search(List.of(), DEFAULT_SCAN);

        public Search {
            columns = List.copyOf(columns);
        }

        /** The number of rows that a count looks at, at most, and so does a read of a live window. */
        public int largeScan() {
            return 10 * scan;
        }
    }

    /**
     * How clients bring a cached part of a list up to date. Each page has a moment. A page that is requested with the
     * moment of an earlier page contains the keys of all its items, but the other values only of those that were
     * written since that moment.
     *
     * @param max the largest limit of a page that is requested with a moment
     * @param textSources what the text of the values of items, including those of embedded rows, depends on
     * @param form the form of the items; see {@link ItemForm}
     */
    public record Delta(int max, TextSources textSources, String form) {

        /** The largest {@code max} that a feed may declare. */
        public static final int LARGEST_PAGE = 10_000;

        /** PostgreSQL's own columns that show which rows were written since a moment. */
        public static final List<String> SYSTEM_COLUMNS = List.of("xmin", "tableoid");
    }

    /**
     * The limits on the number of items on a page.
     *
     * @param byDefault the limit of a request that specifies none
     * @param webDefault like {@code byDefault}, but for clients that identify themselves as not mobile
     * @param max the largest limit; a larger limit in a request is reduced to it
     */
    public record Limits(int byDefault, int webDefault, int max) {

        /** The largest {@code max} that a feed may declare. */
        public static final int LARGEST_PAGE = 1000;
    }

    /** The most precise count that a client can request, and the number at which exact counting stops. */
    public record CountPolicy(Precision maxPrecision, int cap) {
        public enum Precision {
            NONE,
            ESTIMATE,
            EXACT
        }
    }

    /**
     * How the feed is served over the universal protocol.
     *
     * @param strategy the strategy of new scrolls; a scroll in progress keeps the strategy that it began with
     * @param backward whether clients can page backward
     * @param maxOffset the largest offset that a client can request
     */
    public record UniversalPolicy(Strategy strategy, boolean backward, int maxOffset) {
        public enum Strategy {
            CURSOR,
            OFFSET
        }
    }

    /** Creates a feed without embeds, further tables, and counts by value whose indexes have not been inspected. */
    public Feed(
            String name,
            Relation relation,
            List<Column> columns,
            Orders orders,
            Map<String, Filter> filters,
            Policy policy,
            Access access) {
        this(
                name,
                relation,
                columns,
                List.of(),
                List.of(),
                orders,
                filters,
                List.of(),
                policy,
                access,
                ServingIndexes.NONE);
    }

    public Feed {
        Objects.requireNonNull(name);
        Objects.requireNonNull(access);
        Objects.requireNonNull(indexes);
        columns = List.copyOf(columns);
        embeds = List.copyOf(embeds);
        notifyOn = List.copyOf(notifyOn);
        filters = Collections.unmodifiableMap(new LinkedHashMap<>(filters));
        counts = List.copyOf(counts);
        if (!relation.hasKey() && policy.universal().strategy() == UniversalPolicy.Strategy.CURSOR) {
            throw new IllegalArgumentException("a feed without a key cannot use cursors");
        }
    }

    public Feed withIndexes(ServingIndexes newIndexes) {
        return new Feed(name, relation, columns, embeds, notifyOn, orders, filters, counts, policy, access, newIndexes);
    }

    /** Returns this feed with what the text of its values depends on. Without effect if the feed has no delta. */
    public Feed withTextSources(TextSources textSources) {
        return policy.delta()
                .map(delta -> new Feed(
                        name,
                        relation,
                        columns,
                        embeds,
                        notifyOn,
                        orders,
                        filters,
                        counts,
                        policy.withDelta(new Delta(
                                delta.max(), textSources, ItemForm.of(relation, columns, embeds, access, textSources))),
                        access,
                        indexes))
                .orElse(this);
    }

    /** Whether a list of this feed can be a {@linkplain ListState#isSearch search}. */
    public boolean hasSearches() {
        return !searchedColumns().isEmpty();
    }

    /** The columns whose text the conditions of a {@linkplain ListState#isSearch search} can look at. */
    public List<Column> searchedColumns() {
        return Stream.concat(
                        policy.search().columns().stream(),
                        filters.values().stream()
                                .filter(filter -> filter.kinds().contains(Filter.Kind.TEXT))
                                .map(Filter::column))
                .distinct()
                .toList();
    }

    /**
     * The number of values of a row that items are written from: those of the columns, and then those of the embeds.
     */
    public int valueCount() {
        return columns.size() + embeds.stream().mapToInt(Embed::valueCount).sum();
    }

    /**
     * Whether a count that is requested with this precision is exact. If the feed has a scope, an exact count is
     * served instead of an estimate: the statistics of the planner cover all rows, so an estimate would reveal how
     * many rows other callers have.
     */
    public boolean countsExactly(CountPolicy.Precision precision) {
        return precision == CountPolicy.Precision.EXACT
                || precision == CountPolicy.Precision.ESTIMATE
                        && !access.scope().isEmpty();
    }

    /**
     * All columns of the relation that statements of this feed can use, by name, apart from columns used only in
     * {@code visible}.
     */
    public Map<String, Column> usedColumns() {
        Map<String, Column> used = new LinkedHashMap<>();
        Stream.of(
                        columns.stream(),
                        relation.key().stream(),
                        orders.all().stream()
                                .flatMap(order -> order.keys().stream())
                                .map(OrderKey::column),
                        filters.values().stream().map(Filter::column),
                        counts.stream(),
                        policy.search().columns().stream(),
                        access.scope().stream().map(Access.Scope::column),
                        embeds.stream().flatMap(embed -> embed.on().stream()).map(Embed.Match::own))
                .flatMap(Function.identity())
                .forEach(column -> used.put(column.name(), column));
        return used;
    }
}
