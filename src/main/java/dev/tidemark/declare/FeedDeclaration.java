package dev.tidemark.declare;

import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed.Policy;
import dev.tidemark.feed.Filter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The declaration of a feed, parsed but not yet checked against the database.
 *
 * @param key the columns of the key; empty to use the primary key, if there is one
 * @param columns the columns of an item; empty to use all columns
 * @param derived the SQL expressions of derived columns, by name
 * @param epochs the units of the columns whose whole numbers are times, by column
 * @param embeds sorted by name
 * @param notifyOn the tables whose notifications mean that the feed may have changed
 * @param orders the declared orders
 * @param counts the columns by whose values clients can count items
 * @param searchColumns the columns whose text a search looks at; empty if clients cannot search
 */
record FeedDeclaration(
        String name,
        String table,
        List<String> key,
        List<String> columns,
        Map<String, String> derived,
        Map<String, EpochType.Unit> epochs,
        List<Embed> embeds,
        List<String> notifyOn,
        Orders orders,
        Map<String, Set<Filter.Kind>> filters,
        List<String> counts,
        List<String> searchColumns,
        Optional<String> visible,
        Policy policy,
        Access access) {

    /**
     * The declared orders.
     *
     * @param termsByName the terms of each order, by the name of the order
     * @param defaultOrder the name of the default order
     * @param liveOrders the names of the live orders
     */
    record Orders(Map<String, List<OrderTerm>> termsByName, String defaultOrder, Set<String> liveOrders) {}

    /**
     * A declared embed.
     *
     * @param table an empty string if it is missing
     * @param on the columns of the feed's own table, by those of the other table; empty if they are missing
     * @param columns the columns of the other table; empty if they are missing
     */
    record Embed(String name, String table, Map<String, String> on, List<String> columns) {

        /** Such as {@code embed.author.on}. */
        String property(String... path) {
            return "embed." + name + '.' + String.join(".", path);
        }
    }

    /**
     * The declared access rules.
     *
     * @param declaredPublic whether the declaration says that the feed is public
     * @param scope the names of claims, by column
     */
    record Access(boolean declaredPublic, Set<String> roles, Map<String, String> scope, List<Membership> memberships) {
        boolean isPublic() {
            return roles.isEmpty() && !hasScope();
        }

        boolean hasScope() {
            return !scope.isEmpty() || !memberships.isEmpty();
        }
    }

    /**
     * A declared part of the scope that is a membership.
     *
     * @param column the column of the feed's own table
     * @param table an empty string if it is missing
     * @param member the column of the other table that has the values of {@code column}; an empty string if it is
     *     missing
     * @param where the names of claims, by the columns of the other table that equal them; empty if they are missing
     * @param condition an SQL condition on the rows of the other table
     */
    record Membership(
            String column, String table, String member, Map<String, String> where, Optional<String> condition) {

        /** Such as {@code scope.channel_id.in}. */
        String property(String... path) {
            return "scope." + column + '.' + String.join(".", path);
        }
    }

    /** One term of an order, such as {@code edited_at desc nulls last}. */
    record OrderTerm(String column, boolean descending, Optional<Boolean> nullsFirst) {}
}
