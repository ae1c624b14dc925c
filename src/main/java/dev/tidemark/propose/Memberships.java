package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftScope;
import dev.tidemark.propose.RelationFacts.Reference;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the tables that say which person is a member of what, such as a channel, and proposes them as scopes. */
final class Memberships {

    /**
     * A table whose rows are identified by a person and something that the person is a member of.
     *
     * @param person the column that identifies the person
     * @param thing the column that identifies what the person is a member of
     * @param of the reference of {@code thing}, if there is one
     */
    private record Join(RelationFacts relation, TableColumn person, TableColumn thing, Optional<Reference> of) {}

    private final List<Join> joins;

    /** @param relations the tables that can be memberships */
    Memberships(List<RelationFacts> relations) {
        this.joins = relations.stream()
                .filter(relation ->
                        ColumnNames.suggestsMembership(relation.table().name())
                                && relation.table().storage().shards().isEmpty())
                .flatMap(relation -> relation.table().uniqueKeys().keySet().stream()
                        .filter(key -> key.size() == 2)
                        .flatMap(key -> join(relation, key).stream())
                        .limit(1))
                .toList();
    }

    private static Optional<Join> join(RelationFacts relation, Set<String> key) {
        List<TableColumn> columns = key.stream()
                .flatMap(name -> relation.table().find(name).stream())
                .filter(column ->
                        relation.column(column.column().name()).readable() && UsableColumns.isSortable(column))
                .toList();
        List<TableColumn> people = columns.stream()
                .filter(column -> isPerson(relation, column.column().name()))
                .toList();
        return people.size() == 1 && columns.size() == 2
                ? columns.stream()
                        .filter(column -> !people.contains(column))
                        .findFirst()
                        .map(thing -> new Join(relation, people.get(0), thing, referenceOf(relation, thing)))
                : Optional.empty();
    }

    /** Whether the column identifies a person. */
    static boolean isPerson(RelationFacts relation, String column) {
        return ColumnNames.suggestsOwner(column)
                || relation.column(column)
                        .referencedTable()
                        .filter(ColumnNames::suggestsPeople)
                        .isPresent();
    }

    private static Optional<Reference> referenceOf(RelationFacts relation, TableColumn column) {
        return relation.references().stream()
                .filter(reference -> reference.on().size() == 1
                        && reference.on().containsValue(column.column().name()))
                .findFirst();
    }

    /** Returns the scopes that limit a feed to the rows of those things that the caller is a member of. */
    List<DraftScope> scopes(UsableColumns columns) {
        return joins.stream()
                .filter(join -> !join.relation()
                                .table()
                                .sqlName()
                                .equals(columns.relation().table().sqlName())
                        && columns.relation().table().storage().shards().isEmpty())
                .flatMap(join -> columns.all().stream()
                        .filter(column -> isOf(join, columns, column))
                        .map(column -> scope(join, column)))
                .toList();
    }

    private static boolean isOf(Join join, UsableColumns columns, TableColumn column) {
        if (!UsableColumns.isSortable(column)
                || !column.column().sqlType().equals(join.thing().column().sqlType())) {
            return false;
        }
        Table table = columns.relation().table();
        if (join.of().isEmpty()) {
            return column.column().name().equals(join.thing().column().name())
                    && ColumnNames.suggestsIdentifier(column.column().name());
        }
        Reference of = join.of().get();
        return of.isTo(table) && columns.isWholeKey(column)
                || columns.relation().references().stream()
                        .anyMatch(reference -> reference.schema().equals(of.schema())
                                && reference.table().equals(of.table())
                                && reference.on().size() == 1
                                && reference.on().containsValue(column.column().name()));
    }

    private static DraftScope scope(Join join, TableColumn column) {
        Table table = join.relation().table();
        String member = table.sqlName() + "." + sqlName(join.thing());
        return new DraftScope(
                column.column().name(),
                "{in: " + YamlText.value(member) + ", where: {"
                        + YamlText.key(join.person().column().name()) + ": \"claim:sub\"}}",
                "each caller sees only the rows that " + table.sqlName() + " lists for them");
    }

    /** The column's name as it is written after the name of its table. */
    private static String sqlName(TableColumn column) {
        return column.column().name().matches("[a-z_][a-z0-9_]*")
                ? column.column().name()
                : SqlQuoting.quoteIdentifier(column.column().name());
    }
}
