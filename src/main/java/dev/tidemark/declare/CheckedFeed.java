package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.IndexReport;
import dev.tidemark.declare.Catalogue.ListName;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.feed.Order;
import dev.tidemark.naming.ColumnNames;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A feed without faults.
 *
 * @param listsAcrossShards the lists whose rows can be in all shards of a Citus table
 * @param membershipWarnings about memberships of which one caller can have too many
 * @param embedWarnings about embeds whose rows are updated often
 * @param missingTriggers the tables of {@code notify-on} that do not notify
 */
public record CheckedFeed(
        ResolvedFeed resolved,
        List<MissingIndex> missingIndexes,
        List<ListName> listsAcrossShards,
        List<String> membershipWarnings,
        List<String> embedWarnings,
        List<MissingTrigger> missingTriggers) {

    /**
     * A table that does not notify Tidemark of its changes.
     *
     * @param table the SQL name of the table
     * @param script the statements that create the trigger
     */
    public record MissingTrigger(String table, List<String> script) {

        public String description() {
            return "notify-on has " + table
                    + ", which does not send notifications about its changes, so the feed is polled while clients listen";
        }
    }

    static CheckedFeed of(
            ResolvedFeed resolved, IndexReport indexes, List<String> membershipWarnings, List<String> embedWarnings) {
        Feed feed = resolved.feed().withIndexes(indexes.servingIndexes());
        return new CheckedFeed(
                resolved.withFeed(feed),
                indexes.missingIndexes(),
                indexes.listsAcrossShards(),
                membershipWarnings,
                embedWarnings,
                List.of());
    }

    CheckedFeed withMissingTriggers(List<MissingTrigger> found) {
        return new CheckedFeed(resolved, missingIndexes, listsAcrossShards, membershipWarnings, embedWarnings, found);
    }

    public Feed feed() {
        return resolved.feed();
    }

    public Table table() {
        return resolved.table();
    }

    /** The tables of the feed's embeds, in their order. */
    public List<Table> embeddedTables() {
        return resolved.embeddedTables();
    }

    /** The tables of the memberships in the feed's scope, in their order. */
    public List<Table> membershipTables() {
        return resolved.membershipTables();
    }

    /** Returns the warnings to log. */
    List<String> warnings() {
        return Stream.of(
                        indexWarning().stream(),
                        shardsWarning().stream(),
                        membershipWarnings.stream().map(this::prefixWithName),
                        embedWarnings.stream().map(this::prefixWithName),
                        liveOrderWarnings().stream().map(this::prefixWithName),
                        missingTriggers.stream()
                                .map(missing -> prefixWithName(missing.description()
                                        + ". These two statements create the trigger:\n"
                                        + String.join("\n", missing.script()))))
                .flatMap(Function.identity())
                .toList();
    }

    Optional<String> indexWarning() {
        return missingIndexes.isEmpty()
                ? Optional.empty()
                : Optional.of(prefixWithName("no index serves these lists, so each page sorts rows."
                        + " Create an index for each list that clients use:\n    "
                        + missingIndexes.stream().map(CheckedFeed::describe).collect(Collectors.joining("\n    "))));
    }

    Optional<String> shardsWarning() {
        return unprefixedShardsWarning().map(this::prefixWithName);
    }

    private String prefixWithName(String warning) {
        return "Feed " + feed().name() + ": " + warning;
    }

    /**
     * Returns a warning, without the name of the feed, about the lists whose rows can be in all shards of a Citus
     * table. The warning says what these lists cost and which guarantees they lack.
     */
    public Optional<String> unprefixedShardsWarning() {
        return listsAcrossShards.isEmpty()
                ? Optional.empty()
                : Optional.of("lists are read from all shards of " + table().sqlName() + ": "
                        + listsAcrossShards.stream().map(ListName::description).collect(Collectors.joining(", "))
                        + ". Each page takes about 15 ms, and uses one of the few connections for slow lists. The shards are not read"
                        + " from one snapshot, so a refresh or the end of a list can miss rows that are written meanwhile. "
                        + table().storage()
                                .shards()
                                .flatMap(Shards::column)
                                .map(column ->
                                        "A scope or an equality filter on " + column + " restricts a list to one shard")
                                .orElse("Tidemark knows no column that restricts a list to one shard"));
    }

    private static String describe(MissingIndex missing) {
        return switch (missing.script().size()) {
            case 0 -> missing.description();
            case 1 -> missing.description() + ": " + missing.script().get(0);
            default -> missing.description() + ", with psql:\n      " + String.join("\n      ", missing.script());
        };
    }

    /**
     * Returns a warning for each order that seems to sort by time of last edit but is not live. The name of the order
     * or of its leading column decides, because the catalogue does not show which columns an edit changes.
     */
    public List<String> liveOrderWarnings() {
        return feed().orders().all().stream()
                .filter(order -> !order.live() && suggestsEdit(order))
                .map(order -> "order " + order.name()
                        + " seems to sort by time of last edit. A scroll can return an item twice or miss it"
                        + " if the item moves meanwhile. If edits move items, declare the order in live-orders")
                .toList();
    }

    private static boolean suggestsEdit(Order order) {
        return ColumnNames.suggestsEdit(order.name())
                || ColumnNames.suggestsEdit(order.keys().get(0).column().name());
    }
}
