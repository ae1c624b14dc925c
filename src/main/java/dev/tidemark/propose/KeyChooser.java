package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.RelationFacts.ViewKey;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the key of a feed: the table's key in the catalogue, or columns that identify every row of a relation for
 * which the catalogue guarantees no key, such as a view.
 */
final class KeyChooser {

    /** Limits the candidates for the key of a view, because each candidate is checked with a query over all rows. */
    private static final int MAX_CANDIDATES = 6;

    private final Inventory inventory;

    KeyChooser(Inventory inventory) {
        this.inventory = inventory;
    }

    /** @return the columns of the key; empty if no columns are known to identify a row */
    Uni<List<String>> choose(RelationFacts relation) {
        Table table = relation.table();
        if (!table.kind().isKeyTrusted()) {
            return Uni.createFrom().item(catalogueKey(table));
        }
        Optional<List<String>> certain = viewKeys(relation, true).stream().findFirst();
        if (certain.isPresent()) {
            return Uni.createFrom().item(certain.get());
        }
        List<List<String>> candidates = candidates(table).stream()
                .filter(columns -> columns.stream()
                        .allMatch(column -> relation.column(column).readable()))
                .limit(MAX_CANDIDATES)
                .toList();
        return Multi.createFrom()
                .iterable(candidates)
                .select()
                .when(columns -> inventory.isKeyAtPresent(relation, columns))
                .toUni()
                .map(columns -> columns == null ? List.of() : columns);
    }

    /**
     * Returns the possible keys of a view. All columns of these keys can be read, and can be sort keys.
     *
     * @param isCertain true to return the keys that certainly identify the rows of the view, false to return the
     *     others
     */
    static List<List<String>> viewKeys(RelationFacts relation, boolean isCertain) {
        return relation.viewKeys().stream()
                .filter(key -> key.isCertain() == isCertain)
                .map(ViewKey::columns)
                .filter(columns -> canBeKey(relation.table(), columns)
                        && columns.stream()
                                .allMatch(column -> relation.column(column).readable()))
                .toList();
    }

    private static List<String> catalogueKey(Table table) {
        if (!table.primaryKey().isEmpty() && canBeKey(table, table.primaryKey())) {
            return table.primaryKey();
        }
        return table.uniqueKeys().keySet().stream()
                .map(columns -> inTableOrder(table, columns))
                .filter(columns -> canBeKey(table, columns))
                .filter(columns -> columns.stream()
                        .noneMatch(column ->
                                table.find(column).orElseThrow().column().nullable()))
                .findFirst()
                .orElse(List.of());
    }

    private static List<String> inTableOrder(Table table, Set<String> columns) {
        return table.columns().stream()
                .map(column -> column.column().name())
                .filter(columns::contains)
                .toList();
    }

    private static boolean canBeKey(Table table, List<String> columns) {
        return columns.stream().map(column -> table.find(column).orElseThrow()).allMatch(UsableColumns::isSortable);
    }

    /**
     * Returns the sets of columns that could be the key of a view: the columns of each unique index, each column whose
     * name suggests an identifier, and the first two columns with such names together.
     */
    private static List<List<String>> candidates(Table table) {
        List<String> identifierNames = table.columns().stream()
                .filter(column -> UsableColumns.isSortable(column)
                        && ColumnNames.suggestsIdentifier(column.column().name()))
                .map(column -> column.column().name())
                .toList();
        List<List<String>> candidates = new ArrayList<>();
        table.uniqueKeys().keySet().stream()
                .map(columns -> inTableOrder(table, columns))
                .filter(columns -> canBeKey(table, columns))
                .forEach(candidates::add);
        identifierNames.forEach(column -> candidates.add(List.of(column)));
        if (identifierNames.size() > 1) {
            candidates.add(Math.min(MAX_CANDIDATES - 1, candidates.size()), identifierNames.subList(0, 2));
        }
        return candidates;
    }
}
