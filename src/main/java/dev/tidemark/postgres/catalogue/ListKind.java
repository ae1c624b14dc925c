package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.ListName;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The lists of one order that have a single value in the same columns, or the counts of such lists by value.
 *
 * @param order of the lists, or of the values by which they are counted
 * @param scope the columns of the feed's scope, except the order's first column
 * @param filter the column of the equality filter, if the lists have one
 * @param use what the lists are for
 */
record ListKind(Order order, List<Column> scope, Optional<Column> filter, Use use) {

    enum Use {
        PAGES,
        /** An index must serve them, or they read all items. */
        COUNTS,
        /** An index that serves them is used; otherwise, one that serves only the filter is enough. */
        FILTERED_COUNTS
    }

    /**
     * Returns the kinds of a feed's lists that need an index: each order alone, and with each equality filter, and so
     * the counts by each column.
     */
    static List<ListKind> of(FeedOverTable feedOverTable) {
        Feed feed = feedOverTable.feed();
        Table table = feedOverTable.table();
        List<Column> scope =
                feed.access().scope().stream().map(Access.Scope::column).toList();
        // If the scope has a unique column, each list has at most one row, or one for each membership, and needs no
        // index.
        if (scope.stream().anyMatch(column -> isUnique(table, column))) {
            return List.of();
        }
        List<ListKind> kinds = new ArrayList<>();
        // The rows of a feed without a key are sorted for each page.
        if (feed.relation().hasKey()) {
            feed.orders().all().forEach(order -> kinds.addAll(of(feedOverTable, order, Use.PAGES, Use.PAGES)));
        }
        feed.counts()
                .forEach(by -> kinds.addAll(of(feedOverTable, Order.ofValues(by), Use.COUNTS, Use.FILTERED_COUNTS)));
        return kinds;
    }

    private static List<ListKind> of(FeedOverTable feedOverTable, Order order, Use alone, Use filtered) {
        Feed feed = feedOverTable.feed();
        Table table = feedOverTable.table();
        Column first = order.keys().get(0).column();
        List<Column> scope =
                feed.access().scope().stream().map(Access.Scope::column).toList();
        // The order's own index already starts with its first column.
        List<Column> scopePrefix =
                scope.stream().filter(column -> !isSame(column, first)).toList();
        return Stream.concat(
                        Stream.of(new ListKind(order, scopePrefix, Optional.empty(), alone)),
                        feed.filters().values().stream()
                                .filter(filter -> filter.kinds().contains(Filter.Kind.EQUALS))
                                .map(Filter::column)
                                .filter(column -> !isUnique(table, column)
                                        && !isSame(column, first)
                                        && scope.stream().noneMatch(scoped -> isSame(column, scoped)))
                                .map(column -> new ListKind(order, scopePrefix, Optional.of(column), filtered)))
                .toList();
    }

    /** Whether both are the same column. A time has the type of its number in the scope, and another one elsewhere. */
    private static boolean isSame(Column column, Column other) {
        return column.name().equals(other.name());
    }

    /** Whether each value of the column matches at most one row. */
    private static boolean isUnique(Table table, Column column) {
        return table.uniqueKeys().containsKey(Set.of(column.name()));
    }

    boolean isReverseOf(ListKind other) {
        return use == Use.PAGES
                && filter.equals(other.filter)
                && order.keys()
                        .equals(other.order.keys().stream()
                                .map(OrderKey::reversed)
                                .toList());
    }

    /** The columns in which each of these lists has a single value. */
    List<Column> singleValuedColumns() {
        return Stream.concat(scope.stream(), filter.stream()).toList();
    }

    ListName name() {
        return use == Use.PAGES
                ? new ListName(order.name(), filter.map(Column::name))
                : ListName.ofCounts(order.keys().get(0).column().name());
    }
}
