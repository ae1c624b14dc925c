package dev.tidemark.propose;

import dev.tidemark.declare.Table.Kind;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftOrder;
import dev.tidemark.propose.UpdateTrigger.Effect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the orders of a feed: {@code newest} and {@code oldest}; if no column suits them, one order by the key, or,
 * without a key, by the first column that can be sorted. Orders by numbers such as a score are added, and, if there is a
 * column with the time of the last edit, the order {@code edited}.
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
                    .map(this::editedOrder)
                    .ifPresent(orders::add);
        }
        return orders;
    }

    /**
     * The orders by a number of comments, a score, or the like. Only some are declared, because each order needs an index
     * for each equality filter. A table whose key has several columns joins others, and its numbers rank nothing.
     */
    private List<DraftOrder> rankings() {
        if (columns.key().size() != 1) {
            return List.of();
        }
        List<TableColumn> ranked = columns.all().stream()
                .filter(column -> NUMBERS.contains(column.column().type())
                        && ColumnNames.rankingScore(column.column().name()) > 0
                        && !columns.isWholeKey(column)
                        && !columns.facts(column).inForeignKey())
                .sorted(Comparator.comparing(columns::hasOneValue)
                        .thenComparing(column ->
                                -ColumnNames.rankingScore(column.column().name())))
                .toList();
        List<DraftOrder> orders = new ArrayList<>();
        for (TableColumn column : ranked) {
            String name = column.column().name();
            Optional<String> reason = columns.hasOneValue(column)
                    ? Optional.of("all rows have the same value")
                    : columns.whyUnindexable(column)
                            .or(() -> orders.size() < MAX_RANKINGS
                                    ? Optional.empty()
                                    : Optional.of("declare the orders that clients use, because each needs indexes"));
            orders.add(new DraftOrder(
                    "top-" + String.join("-", ColumnNames.words(name)),
                    OrderTerms.column(name) + (canBeNull(column) ? " desc nulls last" : " desc"),
                    false,
                    reason));
        }
        return orders;
    }

    /** The column that reflects most reliably when a row was inserted, if there is one. */
    private Optional<TableColumn> insertionColumn() {
        Optional<TableColumn> identity = columns.all().stream()
                .filter(column ->
                        columns.isWholeKey(column) && columns.facts(column).generated())
                .findFirst();
        return columns.all().stream()
                .filter(column -> UsableColumns.isTime(column)
                        && columns.whyUnindexable(column).isEmpty())
                .max(Comparator.comparingInt(this::insertionScore))
                .filter(column -> insertionScore(column) >= (identity.isEmpty() ? 0 : MIN_RELIABLE_SCORE))
                .or(() -> identity);
    }

    /** The column of the orders newest and oldest, if it does not reflect when a row was inserted. */
    Optional<TableColumn> substituteForInsertionColumn() {
        return insertionColumn().isPresent() ? Optional.empty() : otherTimeColumn();
    }

    /**
     * An indexed time column that might not reflect when a row was inserted. An order by this column is preferred to one by
     * the key, which then does not reflect the insertion either. Columns that seem to be the time of an edit or a
     * deletion are excluded, because they are used for the order {@code edited} and for {@code visible}.
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

    /** A view does not show that its columns are NOT NULL, and NULLS LAST would keep its orders from using an index. */
    private boolean canBeNull(TableColumn column) {
        return column.column().nullable() && !columns.facts(column).notNullInView();
    }

    private DraftOrder editedOrder(TableColumn column) {
        String name = column.column().name();
        String terms = OrderTerms.column(name) + (canBeNull(column) ? " desc nulls last" : " desc");
        Optional<String> reason = columns.whyUnindexable(column);
        if (reason.isPresent()) {
            return new DraftOrder("edited", terms, false, reason);
        } else if (column.column().type() == Scalar.DATE) {
            reason = Optional.of("a live order needs a timestamp, and " + name + " is a date");
        } else if (columns.key().isEmpty()) {
            reason = Optional.of("a live order needs a key");
        } else if (!areTriggersKnown()) {
            reason = Optional.of("Tidemark cannot see whether every edit sets " + name + " to the current time");
        } else if (effectOn(name) == Effect.NONE) {
            reason = Optional.of("no trigger sets " + name + " to the current time on update");
        } else if (effectOn(name) == Effect.SOMETIMES) {
            reason = Optional.of("its trigger might not set " + name + " on every update");
        }
        return new DraftOrder("edited", terms, reason.isEmpty(), reason);
    }

    private boolean areTriggersKnown() {
        Kind kind = columns.relation().table().kind();
        return kind == Kind.TABLE || kind == Kind.PARTITIONED_TABLE;
    }

    private Effect effectOn(String column) {
        return columns.relation().triggers().stream()
                .map(trigger -> trigger.effectOn(column))
                .max(Comparator.naturalOrder())
                .orElse(Effect.NONE);
    }
}
