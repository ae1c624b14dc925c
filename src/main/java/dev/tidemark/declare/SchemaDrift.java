package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.TextSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the changes to a table since its feed was resolved. */
final class SchemaDrift {

    private SchemaDrift() {}

    /**
     * Returns the changes with which the table no longer matches the served feed. Additions to the table, such as a
     * column or an enum label, are not among them, nor are {@linkplain #compatibleChanges compatible changes}.
     */
    static List<String> differences(Feed servedFeed, Feed currentFeed) {
        List<String> differences = new ArrayList<>();
        String key = names(servedFeed.relation().key());
        if (!key.equals(names(currentFeed.relation().key()))) {
            differences.add("key: was (" + key + ") and is now ("
                    + names(currentFeed.relation().key()) + ")");
        }
        Map<String, Column> columns = usedColumns(currentFeed);
        usedColumns(servedFeed).forEach((name, column) -> {
            Column found = columns.get(name);
            if (found == null) {
                differences.add("columns: column '" + name + "' no longer exists");
            } else if (isRetyped(column, found) && !found.hasFormOf(column)) {
                differences.add(
                        "columns: column " + describeRetyping(name, column, found) + "; restart to apply the change");
            }
        });
        return differences;
    }

    /**
     * Returns the changes after which the table still matches the served feed, but its statements do not fit: a type
     * of the same JSON form and the same order, other enum labels, a column that can now contain NULLs, another
     * collation, with which other indexes find the rows of a search, and rows that are stored elsewhere or to which
     * PostgreSQL adds conditions. The feed must be read again.
     */
    static List<String> compatibleChanges(ResolvedFeed served, ResolvedFeed current) {
        Feed servedFeed = served.feed();
        Feed currentFeed = current.feed();
        List<String> changes = new ArrayList<>();
        Map<String, Column> columns = usedColumns(currentFeed);
        usedColumns(servedFeed).forEach((name, column) -> {
            Column found = Objects.requireNonNull(columns.get(name));
            if (isRetyped(column, found)) {
                changes.add(describeRetyping(name, column, found));
            } else if (!labels(found.type()).equals(labels(column.type()))) {
                changes.add("'" + name + "' has other enum labels");
            } else if (found.nullable() != column.nullable()) {
                changes.add("'" + name + "' is now " + (found.nullable() ? "nullable" : "NOT NULL"));
            }
        });
        Set<String> used = servedFeed.usedColumns().keySet();
        if (!collations(served, used).equals(collations(current, used))) {
            changes.add("a column has another collation");
        }
        if (!servedFeed.relation().storage().equals(currentFeed.relation().storage())) {
            changes.add(
                    "the table has another kind, other partitions or shards, or another state of row-level security");
        }
        if (!embedsWithRowSecurity(servedFeed).equals(embedsWithRowSecurity(currentFeed))) {
            changes.add("the table of an embed has another state of row-level security");
        }
        if (!textSources(servedFeed).equals(textSources(currentFeed))) {
            changes.add("a column has values of other enums or composite types");
        }
        return changes;
    }

    private static Map<String, Optional<String>> collations(ResolvedFeed resolved, Set<String> names) {
        return resolved.table().columns().stream()
                .filter(column -> names.contains(column.column().name()))
                .collect(Collectors.toMap(column -> column.column().name(), TableColumn::collation));
    }

    private static Optional<TextSources> textSources(Feed feed) {
        return feed.policy().delta().map(Feed.Delta::textSources);
    }

    private static List<String> embedsWithRowSecurity(Feed feed) {
        return feed.embeds().stream()
                .filter(Embed::hasRowSecurity)
                .map(Embed::name)
                .toList();
    }

    /**
     * The columns that statements of the feed use, by name; those of an embed with its name, as in
     * {@code author.name}, and those of a membership as in {@code scope.channel_id.user_id}.
     */
    private static Map<String, Column> usedColumns(Feed feed) {
        Map<String, Column> used = feed.usedColumns();
        for (Embed embed : feed.embeds()) {
            Stream.concat(embed.on().stream().map(Embed.Match::column), embed.columns().stream())
                    .forEach(column -> used.put(embed.name() + '.' + column.name(), column));
        }
        feed.access().memberships().forEach(membership -> Stream.concat(
                        Stream.of(membership.member()),
                        membership.where().stream().map(Access.ClaimScope::column))
                .forEach(column -> used.put("scope." + membership.column().name() + '.' + column.name(), column)));
        return used;
    }

    private static List<String> labels(ColumnType type) {
        if (type instanceof ArrayType array) {
            return labels(array.element());
        }
        return type instanceof EnumType labeled ? labeled.labels() : List.of();
    }

    private static boolean isRetyped(Column column, Column found) {
        return !found.sqlType().equals(column.sqlType())
                || !withoutLabelsAndDimensions(found.type()).equals(withoutLabelsAndDimensions(column.type()));
    }

    private static String describeRetyping(String name, Column column, Column found) {
        return "'" + name + "' was " + column.sqlType() + " and is now " + found.sqlType();
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    /**
     * Returns the type without enum labels, because labels can be added at any time, and with one dimension if it is
     * an array, because the declared dimensions do not affect the values.
     */
    private static ColumnType withoutLabelsAndDimensions(ColumnType type) {
        if (type instanceof ArrayType array) {
            return new ArrayType(withoutLabelsAndDimensions(array.element()), 1);
        }
        return type instanceof EnumType ? new EnumType(List.of()) : type;
    }
}
