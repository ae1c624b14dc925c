package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftOrder;
import dev.tidemark.propose.FeedDraft.VisibleCondition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the properties of a feed over one table or view. */
final class FeedDrafter {

    private final UsableColumns columns;
    private final TenantColumnFinder tenants;
    private final Memberships memberships;
    private final Map<String, String> omittedColumns = new LinkedHashMap<>();

    /** @param key the columns that identify a row; empty if there are none */
    FeedDrafter(RelationFacts relation, List<String> key, TenantColumnFinder tenants, Memberships memberships) {
        List<TableColumn> usable = new ArrayList<>();
        for (TableColumn column : relation.table().columns()) {
            whyUnusable(relation, column)
                    .ifPresentOrElse(
                            reason -> omittedColumns.put(column.column().name(), reason), () -> usable.add(column));
        }
        this.columns = new UsableColumns(relation, key, usable);
        this.tenants = tenants;
        this.memberships = memberships;
    }

    /** Returns the reason why the column cannot be part of a feed, if there is one. */
    private static Optional<String> whyUnusable(RelationFacts relation, TableColumn column) {
        String name = column.column().name();
        if (!relation.column(name).readable()) {
            return Optional.of("the current role cannot read it");
        }
        if (ColumnNames.suggestsSecret(name)) {
            return Optional.of("looks secret");
        }
        if (column.column().type() == Scalar.BYTEA || column.column().sqlType().equals("tsvector")) {
            return Optional.of(column.column().sqlType());
        }
        return name.equals(name.strip()) ? Optional.empty() : Optional.of("blanks around its name");
    }

    /** @return the draft; empty if no column can be shown, or the rows cannot be sorted */
    Optional<FeedDraft> draft(String name) {
        List<DraftOrder> orders = new OrderDrafter(columns).orders();
        Map<TableColumn, String> conditions = notDeleted();
        UsableColumns shown = columns;
        for (TableColumn mark : conditions.keySet()) {
            shown = shown.without(mark);
        }
        if (orders.isEmpty() || shown.all().isEmpty()) {
            return Optional.empty();
        }
        FilterDrafter filterDrafter = new FilterDrafter(shown);
        return Optional.of(new FeedDraft(
                name,
                columns.relation(),
                columns.key(),
                shown.all().stream().map(column -> column.column().name()).toList(),
                omittedColumns,
                orders,
                filterDrafter.filters(),
                filterDrafter.searchableColumns(),
                new EmbedDrafter(columns, tenants.find(columns)).embeds(),
                visibleCondition(conditions),
                new ScopeDrafter(columns, tenants, memberships).scopes(),
                keyNotes()));
    }

    private List<String> keyNotes() {
        if (!columns.key().isEmpty()) {
            return List.of();
        }
        String example = KeyChooser.viewKeys(columns.relation(), false).stream()
                .findFirst()
                .map(key -> ", perhaps " + YamlText.list(key) + " as in a table that the view reads,")
                .orElse("");
        return List.of(
                "No columns are known to identify a row, so only GET /v3 serves the feed, by offset.",
                "To page by cursor, declare as key the columns that identify a row" + example
                        + " and remove the next line.");
    }

    /** The columns that mark deleted rows, each with the condition for rows that are not deleted. */
    private Map<TableColumn, String> notDeleted() {
        Map<TableColumn, String> conditions = new LinkedHashMap<>();
        columns.all().stream()
                .filter(column -> ColumnNames.suggestsDeletion(column.column().name()))
                .forEach(column -> notDeleted(column).ifPresent(condition -> conditions.put(column, condition)));
        return conditions;
    }

    private Optional<String> notDeleted(TableColumn column) {
        String sqlName = column.sqlName();
        if (column.column().type() == Scalar.BOOLEAN) {
            return Optional.of(column.column().nullable() ? sqlName + " is not true" : "not " + sqlName);
        }
        boolean isNumber =
                columns.relation().numbers().containsKey(column.column().name());
        if (isNumber) {
            return EpochFinder.notDeleted(columns.relation(), column);
        }
        return UsableColumns.isTime(column) && column.column().nullable()
                ? Optional.of(sqlName + " is null")
                : Optional.empty();
    }

    private static Optional<VisibleCondition> visibleCondition(Map<TableColumn, String> conditions) {
        return conditions.isEmpty()
                ? Optional.empty()
                : Optional.of(new VisibleCondition(
                        conditions.keySet().stream()
                                .map(column -> column.column().name())
                                .toList(),
                        String.join(" and ", conditions.values())));
    }
}
