package dev.tidemark.declare;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.naming.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the columns that a declaration refers to. A missing or unsuitable column is recorded as a fault. */
final class TableColumns {

    private final Table table;
    private final Set<String> derived;
    private final Faults.FeedFaults faults;

    TableColumns(Table table, Faults.FeedFaults faults) {
        this(table, Set.of(), faults);
    }

    /** @param derived the names of derived columns. One that is missing has a fault of its own */
    TableColumns(Table table, Set<String> derived, Faults.FeedFaults faults) {
        this.table = table;
        this.derived = derived;
        this.faults = faults;
    }

    /** @param property the property that refers to the column */
    Optional<TableColumn> find(String property, String name) {
        Optional<TableColumn> column = table.find(name);
        if (column.isEmpty() && !derived.contains(name)) {
            List<String> names =
                    table.columns().stream().map(c -> c.column().name()).toList();
            faults.add(
                    property,
                    "there is no column '" + name + "' in " + table.schema() + "." + table.name()
                            + NearestName.hint(name, names) + "; its columns are " + String.join(", ", names));
        }
        return column;
    }

    /**
     * Finds a column. Adds a fault if there is no such column, or if it cannot be a sort key.
     *
     * @return the column, even if it cannot be a sort key
     */
    Optional<TableColumn> findSortable(String property, String name) {
        return findComparable(property, name, "be a sort key");
    }

    /**
     * Finds a column. Adds a fault if there is no such column, or if its values cannot be told apart by comparing
     * them.
     *
     * @param use what other columns cannot do, such as {@code be a sort key}
     * @return the column, even if its values cannot be compared
     */
    Optional<TableColumn> findComparable(String property, String name, String use) {
        Optional<TableColumn> found = find(property, name);
        found.ifPresent(column -> {
            if (!column.column().type().isComparable()) {
                faults.add(
                        property,
                        "column '" + name + "' of type " + column.column().sqlType() + " cannot " + use);
            } else if (!column.deterministic()) {
                faults.add(
                        property,
                        "column '" + name + "' has a nondeterministic collation, so different texts can be equal");
            }
        });
        return found;
    }
}
