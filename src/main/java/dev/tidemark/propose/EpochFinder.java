package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.RelationFacts.NumberFacts;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the columns whose whole numbers are times: their names suggest times, and their values are from 2000 to 2100
 * in one of the units.
 */
final class EpochFinder {

    private static final Set<ColumnType> WHOLE_NUMBERS = Set.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT);

    private static final long YEAR_2000 = 946_684_800;
    private static final long YEAR_2100 = 4_102_444_800L;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Inventory inventory;

    EpochFinder(Inventory inventory) {
        this.inventory = inventory;
    }

    /**
     * Returns the relation with the columns that it finds as times, and with the numbers of the columns it looked at.
     */
    Uni<RelationFacts> find(RelationFacts relation) {
        List<String> candidates = relation.table().columns().stream()
                .map(TableColumn::column)
                .filter(column -> WHOLE_NUMBERS.contains(column.type())
                        && (ColumnNames.suggestsTime(column.name()) || ColumnNames.suggestsDeletion(column.name())))
                .filter(column -> relation.column(column.name()).readable()
                        && !relation.column(column.name()).inForeignKey())
                .map(column -> column.name())
                .toList();
        return candidates.isEmpty()
                ? Uni.createFrom().item(relation)
                : inventory.numbers(relation, candidates).map(numbers -> withEpochs(relation, numbers));
    }

    private static RelationFacts withEpochs(RelationFacts relation, Map<String, NumberFacts> numbers) {
        Table table = relation.table();
        for (Map.Entry<String, NumberFacts> column : numbers.entrySet()) {
            Optional<EpochType.Unit> unit = unit(column.getValue());
            if (unit.isPresent() && ColumnNames.suggestsTime(column.getKey())) {
                table = table.withEpoch(column.getKey(), unit.get());
            }
        }
        return relation.withNumbers(table, numbers);
    }

    private static Optional<EpochType.Unit> unit(NumberFacts numbers) {
        return Stream.of(EpochType.Unit.values())
                .filter(unit -> {
                    long unitsPerSecond = MICROS_PER_SECOND / unit.micros();
                    return numbers.min().isPresent()
                            && numbers.min().getAsLong() >= YEAR_2000 * unitsPerSecond
                            && numbers.max().orElseThrow() <= YEAR_2100 * unitsPerSecond;
                })
                .findFirst();
    }

    /** Whether the numbers apart from 0 are times, or always 1. Otherwise, the column may count something. */
    private static boolean isMark(NumberFacts numbers) {
        return numbers.min().isEmpty()
                || unit(numbers).isPresent()
                || numbers.min().getAsLong() == 1 && numbers.max().orElseThrow() == 1;
    }

    /**
     * Returns the condition that a column of whole numbers marks no deletion; empty if it is no such mark. The numbers
     * are those of some rows, so a nullable column can have NULLs in other rows.
     */
    static Optional<String> notDeleted(RelationFacts relation, TableColumn column) {
        NumberFacts numbers = relation.numbers().get(column.column().name());
        if (numbers == null
                || numbers.min().isPresent() && !numbers.hasZero() && !numbers.hasNull()
                || !isMark(numbers)) {
            return Optional.empty();
        } else if (!column.column().nullable()) {
            return Optional.of(column.sqlName() + " = 0");
        }
        String isNull = column.sqlName() + " is null";
        boolean isNullOnly = numbers.hasNull() && !numbers.hasZero();
        return Optional.of(isNullOnly ? isNull : "(" + column.sqlName() + " = 0 or " + isNull + ")");
    }
}
