package dev.tidemark.propose;

import dev.tidemark.feed.Filter;
import dev.tidemark.propose.RelationFacts.Reference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A proposed declaration with the comments that explain it.
 *
 * @param key the columns that identify a row; empty if there are none, so that the feed is served by offset
 * @param omittedColumns columns that the feed does not use, each with the reason
 * @param filters the kinds of filters by column
 * @param searchableColumns columns whose text could be searched
 * @param embeds the rows of other tables that foreign keys refer to
 * @param visible the condition that hides deleted rows, if a column marks them
 * @param scopes what could limit the feed to the caller's rows; the first is declared, the others are comments
 * @param keyNotes what to do about a key that is not known
 */
record FeedDraft(
        String name,
        RelationFacts relation,
        List<String> key,
        List<String> columns,
        Map<String, String> omittedColumns,
        List<DraftOrder> orders,
        Map<String, Set<Filter.Kind>> filters,
        List<String> searchableColumns,
        List<DraftEmbed> embeds,
        Optional<VisibleCondition> visible,
        List<DraftScope> scopes,
        List<String> keyNotes) {

    static final String NEWEST = "newest";

    /** The order that is the exact reverse of the order {@link #NEWEST}. */
    static final String OLDEST = "oldest";

    /** @param doubt why the order is written as a comment; empty if it is declared */
    record DraftOrder(String name, String terms, boolean live, Optional<String> doubt) {

        DraftOrder(String name, String terms) {
            this(name, terms, false, Optional.empty());
        }

        private DraftOrder withDefaultNulls() {
            return new DraftOrder(name, terms.replaceFirst(" nulls (first|last)$", ""), live, doubt);
        }
    }

    /** @param isDeclared whether the embed is declared; false if it is written as a comment */
    record DraftEmbed(String name, Reference reference, List<String> columns, boolean isDeclared) {}

    /**
     * @param value the value in YAML, such as {@code "claim:sub"}
     * @param explanation what the scope means
     */
    record DraftScope(String column, String value, String explanation) {}

    /** @param columns the columns that the condition uses; the feed does not show them */
    record VisibleCondition(List<String> columns, String condition) {}

    List<DraftOrder> declaredOrders() {
        return orders.stream().filter(order -> order.doubt().isEmpty()).toList();
    }

    List<DraftEmbed> declaredEmbeds() {
        return embeds.stream().filter(DraftEmbed::isDeclared).toList();
    }

    /** Returns a draft in which some orders place NULLs as PostgreSQL does by default. */
    FeedDraft withDefaultNulls(Set<String> orderNames) {
        List<DraftOrder> changed = orders.stream()
                .map(order -> orderNames.contains(order.name()) ? order.withDefaultNulls() : order)
                .toList();
        return with(omittedColumns, changed, filters, searchableColumns, embeds, visible);
    }

    FeedDraft withoutEmbeds() {
        return with(omittedColumns, orders, filters, searchableColumns, List.of(), visible);
    }

    /** Whether the feed can be declared with {@code delta}. */
    boolean canHaveDelta() {
        return !key.isEmpty()
                && columns.containsAll(key)
                && relation.table().noRowVersionsReason().isEmpty();
    }

    /** The columns that are not shown, each with the reason. */
    Map<String, String> hiddenColumns() {
        Map<String, String> hidden = new LinkedHashMap<>(omittedColumns);
        visible.ifPresent(condition -> condition.columns().forEach(column -> hidden.put(column, "see visible")));
        return hidden;
    }

    /**
     * Returns a draft without filters, embeds, and condition, and with only the default order. It keeps the scopes:
     * without them, everybody could read it.
     */
    FeedDraft withoutOptionalProperties() {
        Map<String, String> unused = new LinkedHashMap<>(omittedColumns);
        visible.ifPresent(condition -> condition.columns().forEach(column -> unused.put(column, "marks deleted rows")));
        return with(unused, declaredOrders().subList(0, 1), Map.of(), List.of(), List.of(), Optional.empty());
    }

    private FeedDraft with(
            Map<String, String> newOmittedColumns,
            List<DraftOrder> newOrders,
            Map<String, Set<Filter.Kind>> newFilters,
            List<String> newSearchableColumns,
            List<DraftEmbed> newEmbeds,
            Optional<VisibleCondition> newVisible) {
        return new FeedDraft(
                name,
                relation,
                key,
                columns,
                newOmittedColumns,
                newOrders,
                newFilters,
                newSearchableColumns,
                newEmbeds,
                newVisible,
                scopes,
                keyNotes);
    }
}
