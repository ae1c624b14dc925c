package dev.tidemark.declare;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.ArrayOf;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether a feed as it is served is still what its declaration makes of its table. */
final class SchemaDrift {

    private SchemaDrift() {}

    /** What is served, and would be wrong; what is only new, such as a column or the label of an enum, is not. */
    static List<String> differences(Feed served, Feed now) {
        List<String> differences = new ArrayList<>();
        String key = names(served.relation().key());
        if (!key.equals(names(now.relation().key()))) {
            differences.add(
                    "key: was (" + key + "), and is (" + names(now.relation().key()) + ") now");
        }
        Map<String, Column> columns = now.usedColumns();
        served.usedColumns().forEach((name, column) -> {
            Column found = columns.get(name);
            if (found == null) {
                differences.add("columns: there is no column " + name + " any more");
            } else if (!found.sqlType().equals(column.sqlType())
                    || !labelsAside(found.type()).equals(labelsAside(column.type()))) {
                differences.add("columns: " + name + " was " + column.sqlType() + ", and is " + found.sqlType()
                        + " now; a restart takes it as it is");
            } else if (found.nullable() && !column.nullable()) {
                differences.add("columns: " + name + " was NOT NULL, and may be NULL now; a restart takes it as it is");
            }
        });
        return differences;
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    /** An enum may be given labels at any time. */
    private static ColumnType labelsAside(ColumnType type) {
        if (type instanceof ArrayOf array) {
            return new ArrayOf(labelsAside(array.element()));
        }
        return type instanceof Enumerated ? new Enumerated(List.of()) : type;
    }
}
