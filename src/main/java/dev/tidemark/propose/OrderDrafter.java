package dev.tidemark.propose;

import dev.tidemark.declare.Table.Kind;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the orders of a feed: {@code newest} and {@code oldest}; if no column suits them, one order by the key, or,
 * without a key, by the first column that can be sorted. Orders by numbers such as a score are added, and, if there is
 * a column with the time of the last edit, the order {@code edited}.
 */
final class OrderDrafter {

    /** A time column with a lower score is a less reliable sign of when a row was inserted than an identity column. */
    private static final int MIN_RELIABLE_SCORE = 10;

    /** The number of orders by a score or the like that are declared. */
    private static final int MAX_RANKINGS = 2;

    private static final Set<ColumnType> NUMBERS =
            Set.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT, Scalar.NUMERIC, Scalar.REAL, Scalar.DOUBLE);

    private final UsableColumns columns;

    OrderDrafter(UsableColumns columns) {
        this.columns = columns;
    }

    /** Returns the orders, the default order first; empty if the rows cannot be sorted. */
    List<DraftOrder> orders() {
        List<DraftOrder> orders = new ArrayList<>();
        Optional<TableColumn> newest = insertionColumn().or(this::otherTimeColumn);
        if (newest.isPresent()) {
            String column = OrderTerms.column(newest.get().column().name());
            // Each order is the exact reverse of the other, so that one index serves both.
            boolean nullable = canBeNull(newest.get()) && !columns.isWholeKey(newest.get());
            orders.add(new DraftOrder(FeedDraft.NEWEST, column + (nullable ? " desc nulls last" : " desc")));
            orders.add(new DraftOrder(FeedDraft.OLDEST, column + (nullable ? " nulls first" : "")));
        } else if (!columns.key().isEmpty()) {
            orders.add(new DraftOrder("by-key", OrderTerms.columns(columns.key())));
        } else {
            columns.all().stream()
                    .filter(UsableColumns::isSortable)
                    .findFirst()
                    .ifPresent(column -> orders.add(new DraftOrder(
                            "by-first-column", OrderTerms.column(column.column().name()))));
        }
        if (!orders.isEmpty()) {
            orders.addAll(rankings());
            columns.all().stream()
                    .filter(column -> UsableColumns.isTime(column)
                            && ColumnNames.suggestsEdit(column.column().name()))
                    .findFirst()
                    .flatMap(this::editedOrder)
                    .ifPresent(orders::add);
        }
        return orders;
    }

    /**
     * The orders by a number of comments, a score, or the like; few, because each order needs an index for each
     * equality filter. A table whose key has several columns joins others, and its numbers rank nothing.
     */
    private List<DraftOrder> rankings() {
        if (columns.key().size() != 1) {
            return List.of();
        }
        return columns.all().stream()
                .filter(column -> NUMBERS.contains(column.column().type())
                        && ColumnNames.rankingScore(column.column().name()) > 0
                        && !columns.isWholeKey(column)
                        && !columns.facts(column).inForeignKey()
                        && !columns.hasOneValue(column)
                        && columns.facts(column).indexable())
                .sorted(Comparator.comparing(
                        column -> -ColumnNames.rankingScore(column.column().name())))
                .limit(MAX_RANKINGS)
                .map(column -> new DraftOrder(
                        "top-"
                                + String.join(
                                        "-", ColumnNames.words(column.column().name())),
                        descending(column)))
                .toList();
    }

    private String descending(TableColumn column) {
        return OrderTerms.column(column.column().name()) + (canBeNull(column) ? " desc nulls last" : " desc");
    }

    /** The column that reflects most reliably when a row was inserted, if there is one. */
    private Optional<TableColumn> insertionColumn() {
        Optional<TableColumn> identity = columns.all().stream()
                .filter(column ->
                        columns.isWholeKey(column) && columns.facts(column).generated())
                .findFirst();
        return columns.all().stream()
                .filter(column ->
                        UsableColumns.isTime(column) && columns.facts(column).indexable())
                .max(Comparator.comparingInt(this::insertionScore))
                .filter(column -> insertionScore(column) >= (identity.isEmpty() ? 0 : MIN_RELIABLE_SCORE))
                .or(() -> identity);
    }

    /**
     * An indexed time column that might not reflect when a row was inserted. An order by this column is preferred to
     * one by the key, which then does not reflect the insertion either. Columns that seem to be the time of an edit or
     * a deletion are excluded, because they are used for the order {@code edited} and for {@code visible}.
     */
    private Optional<TableColumn> otherTimeColumn() {
        return columns.all().stream()
                .filter(column -> UsableColumns.isTime(column)
                        && !column.column().nullable()
                        && columns.facts(column).indexed()
                        && !ColumnNames.suggestsEdit(column.column().name())
                        && !ColumnNames.suggestsDeletion(column.column().name()))
                .findFirst();
    }

    /** How reliably a time column reflects when a row was inserted; negative if it does not. */
    private int insertionScore(TableColumn column) {
        int nameScore = ColumnNames.insertionScore(
                column.column().name(), columns.relation().table().name());
        if (nameScore < 0) {
            return -1;
        }
        return nameScore
                + (columns.facts(column).defaultsToNow() ? 15 : 0)
                + (column.column().nullable() ? 0 : 8)
                + (columns.facts(column).indexed() ? 4 : 0)
                + (column.column().type() == Scalar.DATE ? 0 : 1);
    }

    /**
     * A view does not show that its columns are NOT NULL, and NULLS LAST would keep its orders from using an index.
     */
    private boolean canBeNull(TableColumn column) {
        return column.column().nullable() && !columns.facts(column).notNullInView();
    }

    /** Returns the order by the time of the last edit, as a comment if its column is not known to be always set. */
    private Optional<DraftOrder> editedOrder(TableColumn column) {
        if (!columns.facts(column).indexable()
                || column.column().type() == Scalar.DATE
                || columns.key().isEmpty()) {
            return Optional.empty();
        }
        boolean isLive = isAlwaysSet(column);
        return Optional.of(new DraftOrder(
                "edited",
                descending(column),
                isLive,
                isLive
                        ? Optional.empty()
                        : Optional.of("declare it, and live-orders: [edited], if every edit sets "
                                + column.column().name() + " to the current time; no trigger is known to")));
    }

    /** The triggers of the tables under a view, and those of a foreign server, are not known. */
    private boolean isAlwaysSet(TableColumn column) {
        Kind kind = columns.relation().table().kind();
        return (kind == Kind.TABLE || kind == Kind.PARTITIONED_TABLE)
                && columns.relation().triggers().stream()
                        .anyMatch(trigger ->
                                trigger.alwaysSetsToNow(column.column().name()));
    }
}
