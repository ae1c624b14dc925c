package dev.tidemark.propose;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A proposed declaration with the comments that explain it.
 *
 * @param key empty if nothing identifies a row; the feed is then served by offset
 * @param leftOut columns that are not shown, each with the reason
 * @param filters kinds by column
 * @param text columns that could be searched
 * @param scope columns that may hold the tenant
 * @param notes further comments
 */
record FeedDraft(
        String name,
        RelationFacts relation,
        List<String> key,
        List<String> columns,
        Map<String, String> leftOut,
        List<DraftOrder> orders,
        Map<String, String> filters,
        List<String> text,
        Optional<String> visible,
        List<String> scope,
        List<String> notes) {

    /** The order that is the exact reverse of the order {@link #NEWEST}. */
    static final String OLDEST = "oldest";

    static final String NEWEST = "newest";

    /** @param rejected why the order is only a comment; empty if it is declared */
    record DraftOrder(String name, String terms, boolean live, Optional<String> rejected) {

        DraftOrder(String name, String terms) {
            this(name, terms, false, Optional.empty());
        }
    }

    List<DraftOrder> declaredOrders() {
        return orders.stream().filter(order -> order.rejected().isEmpty()).toList();
    }

    /** The same with only what every feed has. */
    FeedDraft reduced() {
        return new FeedDraft(
                name,
                relation,
                key,
                columns,
                leftOut,
                declaredOrders().subList(0, 1),
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                notes);
    }
}
