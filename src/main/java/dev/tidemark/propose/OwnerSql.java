package dev.tidemark.propose;

import dev.tidemark.declare.CheckedFeed;
import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Access.Membership;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.Inventory.DatabaseFacts;
import dev.tidemark.propose.RelationFacts.NotifySql;
import dev.tidemark.propose.RelationFacts.ViewTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the statements that the owner of the tables runs in psql. Each statement is complete on its line. All can be
 * run repeatedly, except those that create an index on a partitioned Citus table.
 */
final class OwnerSql {

    /** A proposed feed that passes the startup check. */
    record ProposedFeed(FeedDraft draft, CheckedFeed checkedFeed) {
        Table table() {
            return checkedFeed.table();
        }
    }

    private OwnerSql() {}

    static List<String> write(List<ProposedFeed> feeds, DatabaseFacts database) {
        return Stream.of(grants(feeds, database), indexes(feeds), triggers(feeds))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> grants(List<ProposedFeed> feeds, DatabaseFacts database) {
        String role = database.role();
        // Two feeds can embed the same columns.
        Set<String> lines = new LinkedHashSet<>();
        lines.add("-- A role that may read only what is granted here.");
        if (!database.hasRole()) {
            lines.add("SELECT " + SqlQuoting.quoteLiteral("CREATE ROLE " + role + " LOGIN")
                    + " WHERE pg_catalog.to_regrole(" + SqlQuoting.quoteLiteral(role) + ") IS NULL \\gexec");
            lines.add("-- Set its password with: \\password " + role);
        }
        lines.add("GRANT CONNECT ON DATABASE " + database.name() + " TO " + role + ";");
        feeds.stream()
                .flatMap(feed -> Stream.of(
                                Stream.of(feed.table().sqlSchema()),
                                feed.checkedFeed().embeddedTables().stream().map(Table::sqlSchema),
                                feed.checkedFeed().membershipTables().stream().map(Table::sqlSchema),
                                feed.draft().relation().viewTables().stream().map(ViewTable::sqlSchema))
                        .flatMap(schemas -> schemas))
                .map(schema -> "GRANT USAGE ON SCHEMA " + schema + " TO " + role + ";")
                .forEach(lines::add);
        for (ProposedFeed feed : feeds) {
            String table = feed.table().sqlName();
            List<String> secret = secretColumnsOf(feed);
            if (!secret.isEmpty()) {
                lines.add("-- The role may already read " + String.join(", ", secret) + " of " + table
                        + ". If it has SELECT on the whole table, run this first: REVOKE SELECT ON " + table + " FROM "
                        + role + ";");
            }
            lines.add("GRANT SELECT" + columns(feed) + " ON " + table + " TO " + role + ";");
            for (int i = 0; i < feed.checkedFeed().embeddedTables().size(); i++) {
                Table embedded = feed.checkedFeed().embeddedTables().get(i);
                lines.add("GRANT SELECT"
                        + columns(
                                feed.draft(), feed.checkedFeed().feed().embeds().get(i), embedded) + " ON "
                        + embedded.sqlName() + " TO " + role + ";");
            }
            List<Membership> memberships =
                    feed.checkedFeed().feed().access().memberships().toList();
            for (int i = 0; i < memberships.size(); i++) {
                Table members = feed.checkedFeed().membershipTables().get(i);
                lines.add("GRANT SELECT" + columns(memberships.get(i), members) + " ON " + members.sqlName() + " TO "
                        + role + ";");
            }
        }
        return List.copyOf(lines);
    }

    /** Returns the columns of a membership's table to grant SELECT on, in parentheses. */
    private static String columns(Membership membership, Table members) {
        Set<String> used = Stream.concat(
                        Stream.of(membership.member()),
                        membership.where().stream().map(Access.ClaimScope::column))
                .map(Column::name)
                .collect(Collectors.toSet());
        return members.columns().stream()
                .filter(column -> used.contains(column.column().name()))
                .map(TableColumn::sqlName)
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Returns the columns of an embed's table to grant SELECT on, in parentheses. */
    private static String columns(FeedDraft draft, Embed embed, Table embedded) {
        Set<String> used = Stream.concat(embed.on().stream().map(Embed.Match::column), embed.columns().stream())
                .map(Column::name)
                .collect(Collectors.toSet());
        return Stream.concat(
                        embedded.columns().stream()
                                .filter(column -> used.contains(column.column().name()))
                                .map(TableColumn::sqlName),
                        draft.canHaveDelta() ? Feed.Delta.SYSTEM_COLUMNS.stream() : Stream.empty())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Returns the columns that look secret, and that the role may read before it gets the grants. */
    private static List<String> secretColumnsOf(ProposedFeed feed) {
        return feed.table().columns().stream()
                .filter(column -> ColumnNames.suggestsSecret(column.column().name())
                        && feed.draft()
                                .relation()
                                .column(column.column().name())
                                .readableByRole())
                .map(TableColumn::sqlName)
                .toList();
    }

    /** Returns the columns to grant SELECT on, in parentheses. */
    private static String columns(ProposedFeed feed) {
        Set<String> used =
                new LinkedHashSet<>(feed.checkedFeed().feed().usedColumns().keySet());
        feed.draft().visible().ifPresent(visible -> used.addAll(visible.columns()));
        return Stream.concat(
                        feed.table().columns().stream()
                                .filter(column -> used.contains(column.column().name()))
                                .map(TableColumn::sqlName),
                        // So that `delta`, which is proposed as a comment, can be declared without another grant.
                        feed.draft().canHaveDelta() ? Feed.Delta.SYSTEM_COLUMNS.stream() : Stream.empty())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Writes the missing indexes; those of small tables as comments, so that they are not created with the others. */
    private static List<String> indexes(List<ProposedFeed> feeds) {
        List<String> small = missingIndexes(feeds.stream().filter(OwnerSql::isSmall));
        List<String> large = missingIndexes(feeds.stream().filter(feed -> !isSmall(feed)));
        List<String> lines = new ArrayList<>();
        if (!large.isEmpty()) {
            lines.add("-- Missing indexes. Create those for the lists that clients use.");
            lines.addAll(large);
        }
        if (!small.isEmpty()) {
            lines.add(
                    "-- Not needed now: indexes on tables that have fewer than 1,000 rows. Their lists are fast without an index, and each");
            lines.add(
                    "-- index makes writes slower. Remove the dashes for tables that will grow. The command check warns about the others.");
            small.forEach(line -> lines.add(line.startsWith("-- ") ? line : "-- " + line));
        }
        return lines;
    }

    private static boolean isSmall(ProposedFeed feed) {
        return feed.draft().relation().small();
    }

    private static List<String> missingIndexes(Stream<ProposedFeed> feeds) {
        return feeds.flatMap(feed -> feed.checkedFeed().missingIndexes().stream()
                        // The order oldest uses the index of newest, scanned backward.
                        .filter(index -> !index.list().order().equals(FeedDraft.OLDEST))
                        .flatMap(index -> Stream.concat(
                                Stream.of("-- " + feed.draft().name() + ", " + index.description()),
                                index.script().stream())))
                .toList();
    }

    private static List<String> triggers(List<ProposedFeed> feeds) {
        List<NotifySql> missing = feeds.stream()
                .flatMap(feed -> Stream.of(
                                feed.draft().relation().missingTrigger().stream(),
                                feed.draft().declaredEmbeds().stream()
                                        .flatMap(embed -> embed.reference().missingTrigger().stream()),
                                feed.draft().relation().viewTables().stream()
                                        .flatMap(table -> table.missingTrigger().stream()))
                        .flatMap(triggers -> triggers))
                .toList();
        return missing.isEmpty()
                ? List.of()
                : Stream.of(
                                Stream.of(
                                        "-- Not needed: triggers that notify Tidemark of changes. Without them, it looks every 2 seconds for changes of lists",
                                        "-- that clients watch. The transactions that write to tables with triggers commit one after another. Remove the dashes",
                                        "-- for tables that together have at most some hundred such transactions per second."),
                                missing.stream()
                                        .map(NotifySql::function)
                                        .distinct()
                                        .map(line -> "-- " + line),
                                missing.stream()
                                        .map(NotifySql::trigger)
                                        .distinct()
                                        .map(line -> "-- " + line))
                        .flatMap(lines -> lines)
                        .toList();
    }
}
