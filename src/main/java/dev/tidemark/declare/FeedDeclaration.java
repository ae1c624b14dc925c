package dev.tidemark.declare;

import dev.tidemark.feed.Feed.Policy;
import dev.tidemark.feed.Filter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A feed as it was declared: well-formed, and not yet held against the database.
 *
 * @param key empty for the primary key
 * @param columns empty for all
 * @param orders by name, in the declaration's sequence
 */
record FeedDeclaration(
        String name,
        String table,
        List<String> key,
        List<String> columns,
        Orders orders,
        Map<String, Set<Filter.Kind>> filters,
        Optional<String> visible,
        Policy policy,
        Access access) {

    /** What is declared of the orders; {@code byDefault} and {@code live} are names among {@code terms}. */
    record Orders(Map<String, List<OrderTerm>> terms, String byDefault, Set<String> live) {}

    /** Who may read; {@code scope} has the names of claims, by column. */
    record Access(Set<String> roles, Map<String, String> scope) {
        boolean isPublic() {
            return roles.isEmpty() && scope.isEmpty();
        }
    }

    /** One part of an order's text, such as {@code edited_at desc nulls last}. */
    record OrderTerm(String column, boolean descending, Optional<Boolean> nullsFirst) {}
}
