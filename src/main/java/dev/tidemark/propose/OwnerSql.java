package dev.tidemark.propose;

import dev.tidemark.declare.FeedCheck.CheckedFeed;
import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.propose.Inventory.DatabaseFacts;
import dev.tidemark.propose.RelationFacts.NotifySql;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the statements for the owner of the tables, one per line. */
final class OwnerSql {

    /** A feed that can be served as proposed. */
    record ProposedFeed(FeedDraft draft, CheckedFeed checked) {
        Table table() {
            return checked.table();
        }
    }

    private OwnerSql() {}

    static List<String> write(List<ProposedFeed> feeds, DatabaseFacts database) {
        return Stream.of(grants(feeds, database), indexes(feeds), triggers(feeds))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> grants(List<ProposedFeed> feeds, DatabaseFacts database) {
        Stream<String> role = database.hasRole()
                ? Stream.empty()
                : Stream.of("CREATE ROLE tidemark LOGIN;", "-- Set its password with: \\password tidemark");
        return Stream.of(
                        Stream.of("-- A role that may only read these columns."),
                        role,
                        Stream.of("GRANT CONNECT ON DATABASE " + database.name() + " TO tidemark;"),
                        feeds.stream()
                                .map(feed -> feed.table().sqlSchema())
                                .distinct()
                                .map(schema -> "GRANT USAGE ON SCHEMA " + schema + " TO tidemark;"),
                        feeds.stream()
                                .map(feed -> "GRANT SELECT" + columns(feed) + " ON "
                                        + feed.table().sqlName() + " TO tidemark;"))
                .flatMap(lines -> lines)
                .toList();
    }

    /** Empty for a feed without a key, because its whole row identifies a row. */
    private static String columns(ProposedFeed feed) {
        if (!feed.checked().feed().relation().hasKey()) {
            return "";
        }
        Set<String> used =
                new LinkedHashSet<>(feed.checked().feed().usedColumns().keySet());
        feed.draft().visible().ifPresent(visible -> used.add(visible.column()));
        return feed.table().columns().stream()
                .filter(column -> used.contains(column.column().name()))
                .map(TableColumn::sqlName)
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static List<String> indexes(List<ProposedFeed> feeds) {
        List<String> missing = feeds.stream()
                .flatMap(feed -> feed.checked().missingIndexes().stream()
                        // The order oldest uses the index of newest, scanned backward.
                        .filter(index -> !index.order().equals(FeedDraft.OLDEST))
                        .flatMap(index -> Stream.concat(
                                Stream.of("-- " + feed.draft().name() + ", " + index.description()),
                                index.script().stream())))
                .toList();
        return missing.isEmpty()
                ? List.of()
                : Stream.concat(
                                Stream.of("-- Missing indexes. Create those of the lists that clients ask for."),
                                missing.stream())
                        .toList();
    }

    private static List<String> triggers(List<ProposedFeed> feeds) {
        List<NotifySql> missing = feeds.stream()
                .flatMap(feed -> feed.draft().relation().missingTrigger().stream())
                .toList();
        return missing.isEmpty()
                ? List.of()
                : Stream.of(
                                Stream.of("-- Notifies Tidemark of changes, for clients that wait for new items."),
                                missing.stream().map(NotifySql::function).distinct(),
                                missing.stream().map(NotifySql::trigger).distinct())
                        .flatMap(lines -> lines)
                        .toList();
    }
}
