package dev.tidemark.propose;

import dev.tidemark.feed.ParameterNames;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftEmbed;
import dev.tidemark.propose.RelationFacts.Reference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Chooses the embeds of a feed: for each foreign key, the columns that say which row it refers to. */
final class EmbedDrafter {

    /** The number of embeds that are declared; further ones are comments. */
    private static final int MAX_DECLARED = 2;

    private static final int MAX_COLUMNS = 3;

    private final UsableColumns columns;
    private final RelationFacts relation;
    private final List<String> tenantColumns;

    /** @param tenantColumns refer to rows that are the same for all items that a caller sees, so they come last */
    EmbedDrafter(UsableColumns columns, List<String> tenantColumns) {
        this.columns = columns;
        this.relation = columns.relation();
        this.tenantColumns = tenantColumns;
    }

    List<DraftEmbed> embeds() {
        Set<String> usedNames = new HashSet<>(ParameterNames.RESERVED);
        usedNames.addAll(relation.columns().keySet());
        List<DraftEmbed> embeds = new ArrayList<>();
        relation.references().stream()
                .filter(reference -> reference.on().values().stream()
                        .allMatch(column -> relation.column(column).readable()))
                .sorted(Comparator.comparing((Reference reference) -> !hasSameKey(reference))
                        .thenComparing(this::isTenant))
                .forEach(reference -> {
                    List<String> labels = reference.textColumns().stream()
                            .filter(ColumnNames::suggestsLabel)
                            .limit(MAX_COLUMNS)
                            .toList();
                    Optional<String> name = labels.isEmpty() ? Optional.empty() : name(reference, usedNames);
                    name.ifPresent(free -> {
                        usedNames.add(free);
                        boolean isDeclared =
                                embeds.stream().filter(DraftEmbed::isDeclared).count() < MAX_DECLARED
                                        && !Sensitivity.isSuggestedByName(reference.table());
                        embeds.add(new DraftEmbed(free, reference, labels, isDeclared));
                    });
                });
        return embeds;
    }

    private boolean hasSameKey(Reference reference) {
        return Set.copyOf(reference.on().values()).equals(Set.copyOf(columns.key()));
    }

    private boolean isTenant(Reference reference) {
        return reference.on().values().stream().anyMatch(tenantColumns::contains);
    }

    /** Returns a name that is not in use, such as {@code author} for the column {@code author_id}. */
    private static Optional<String> name(Reference reference, Set<String> usedNames) {
        String table = reference.table().toLowerCase(Locale.ROOT);
        List<String> columns = List.copyOf(reference.on().values());
        String identified = columns.size() == 1 ? String.join("_", ColumnNames.identifiedWords(columns.get(0))) : "";
        Stream<String> names = columns.size() == 1
                ? Stream.of(
                        identified.isEmpty() ? ColumnNames.withoutIdSuffix(columns.get(0)) : identified,
                        table,
                        ColumnNames.withoutIdSuffix(columns.get(0)) + "_" + table)
                : Stream.of(table);
        return names.filter(name -> !name.contains(",") && !usedNames.contains(name))
                .findFirst();
    }
}
