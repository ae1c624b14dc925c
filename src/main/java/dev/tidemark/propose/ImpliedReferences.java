package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.Kind;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.RelationFacts.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds what columns refer to in schemas without foreign keys. A column such as {@code channel_id} or
 * {@code channelid} implies a reference to the table {@code channel} or {@code channels} in the same schema, and one
 * such as {@code creator_id} to the table of people, if the primary key of the table is one column of the same type.
 */
final class ImpliedReferences {

    private final List<RelationFacts> relations;

    /** @param relations all tables that can be referred to */
    ImpliedReferences(List<RelationFacts> relations) {
        this.relations = relations;
    }

    /** Returns the facts with the references that the names of columns imply. */
    RelationFacts complete(RelationFacts relation) {
        return isTable(relation.table())
                ? relation.withReferences(relation.table().columns().stream()
                        .filter(column -> !relation.column(column.column().name())
                                        .inForeignKey()
                                && relation.column(column.column().name()).readable())
                        .flatMap(column -> reference(relation, column).stream())
                        .toList())
                : relation;
    }

    private static boolean isTable(Table table) {
        return (table.kind() == Kind.TABLE || table.kind() == Kind.PARTITIONED_TABLE)
                && table.storage().shards().isEmpty();
    }

    private Optional<Reference> reference(RelationFacts relation, TableColumn column) {
        List<String> words = ColumnNames.identifiedWords(column.column().name());
        if (words.isEmpty()
                || relation.table().primaryKey().equals(List.of(column.column().name()))
                        && letters(relation.table().name()).startsWith(String.join("", words))) {
            return Optional.empty();
        }
        String stem = String.join("", words);
        return targets(relation, column)
                .filter(target -> isNamed(target.table(), stem))
                .findFirst()
                .or(() -> ColumnNames.suggestsOwner(column.column().name())
                        ? targets(relation, column)
                                .filter(target -> ColumnNames.suggestsPeople(
                                        target.table().name()))
                                .findFirst()
                        : Optional.empty())
                .map(target -> referenceTo(target, column));
    }

    private Stream<RelationFacts> targets(RelationFacts relation, TableColumn column) {
        return relations.stream()
                .filter(target -> isTable(target.table())
                        && target.table().schema().equals(relation.table().schema())
                        && target.table().primaryKey().size() == 1
                        && target.column(target.table().primaryKey().get(0)).readable()
                        && target.table()
                                .find(target.table().primaryKey().get(0))
                                .filter(key -> key.column()
                                        .sqlType()
                                        .equals(column.column().sqlType()))
                                .isPresent());
    }

    private static boolean isNamed(Table table, String stem) {
        String name = letters(table.name());
        return name.equals(stem)
                || name.equals(stem + "s")
                || name.equals(stem + "es")
                || stem.endsWith("y") && name.equals(stem.substring(0, stem.length() - 1) + "ies");
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }

    private static Reference referenceTo(RelationFacts target, TableColumn column) {
        return new Reference(
                target.table().schema(),
                target.table().name(),
                target.table().sqlName(),
                Map.of(target.table().primaryKey().get(0), column.column().name()),
                target.table().columns().stream()
                        .filter(text -> text.column().type() == Scalar.TEXT
                                && target.column(text.column().name()).readable())
                        .map(text -> text.column().name())
                        .toList(),
                target.missingTrigger(),
                false);
    }
}
