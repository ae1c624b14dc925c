package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.ListName;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.DeclarationResolver.Attempt;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.tokens.TokenSettings;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.feed.Order;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.settings.SourceLines;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Parses declarations and checks them against the database. */
@Singleton
public class FeedCheck {

    /** The end of the message about an order by time of last edit that is not live. It follows the order's name. */
    public static final String NOT_LIVE =
            " seems to sort by time of last edit. A scroll can return an item twice or miss it"
                    + " if the item moves meanwhile. If edits move items, declare the order in live-orders";

    private static final Duration CONNECT_GRACE = Duration.ofSeconds(60);

    /**
     * The timeout for commands. It is far above the statement timeout, because commands read the catalogue of many
     * tables.
     */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(5);

    private final TokenSettings tokens;
    private final Catalogue catalogue;

    public FeedCheck(TokenSettings tokens, Catalogue catalogue) {
        this.tokens = tokens;
        this.catalogue = catalogue;
    }

    /**
     * The result of a check.
     *
     * @param feeds the feeds without faults
     */
    public record CheckedFeeds(Faults faults, List<CheckedFeed> feeds) {

        /** Why the feeds cannot be served, with line numbers in the current files; empty if they can. */
        public Optional<String> rejectionReason(boolean requireIndexes) {
            if (!faults.isEmpty()) {
                return Optional.of(faults.message(SourceLines.ofConfiguration()));
            }
            return requireIndexes
                    ? rejectionReason("indexes are missing", CheckedFeed::indexWarning)
                            .or(() -> rejectionReason(
                                    "lists are read from all shards of a table", CheckedFeed::shardsWarning))
                    : Optional.empty();
        }

        private Optional<String> rejectionReason(String reason, Function<CheckedFeed, Optional<String>> warning) {
            List<String> warnings =
                    feeds.stream().flatMap(feed -> warning.apply(feed).stream()).toList();
            return warnings.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "tidemark.require-indexes is set, but " + reason + ".\n  " + String.join("\n  ", warnings));
        }
    }

    /**
     * A feed without faults.
     *
     * @param missingIndexes the lists that no index serves
     */
    public record CheckedFeed(
            ResolvedFeed resolved, List<MissingIndex> missingIndexes, List<ListName> listsAcrossShards) {

        private static CheckedFeed of(ResolvedFeed resolved, Catalogue.IndexReport indexes) {
            Feed feed = resolved.feed().withIndexes(indexes.serving());
            return new CheckedFeed(
                    new ResolvedFeed(resolved.declaration(), feed, resolved.table()),
                    indexes.missing(),
                    indexes.acrossShards());
        }

        public Feed feed() {
            return resolved.feed();
        }

        public Table table() {
            return resolved.table();
        }

        /** Returns the warnings to log. */
        List<String> warnings() {
            return Stream.of(indexWarning().stream(), shardsWarning().stream(), liveOrderWarnings())
                    .flatMap(Function.identity())
                    .toList();
        }

        Optional<String> indexWarning() {
            return missingIndexes.isEmpty()
                    ? Optional.empty()
                    : Optional.of("Feed " + feed().name()
                            + ": no index serves these lists, so the whole list is sorted for each page."
                            + " Create an index for each list that clients use:\n    "
                            + missingIndexes.stream().map(CheckedFeed::describe).collect(Collectors.joining("\n    ")));
        }

        private Optional<String> shardsWarning() {
            return listsInAllShards().map(lists -> "Feed " + feed().name() + ": " + lists);
        }

        /**
         * Warns about the lists whose rows can be in all shards of a Citus table, with their costs and missing
         * guarantees.
         */
        public Optional<String> listsInAllShards() {
            return listsAcrossShards.isEmpty()
                    ? Optional.empty()
                    : Optional.of("lists are read from all shards of " + table().sqlName() + ": "
                            + listsAcrossShards.stream()
                                    .map(ListName::description)
                                    .collect(Collectors.joining(", "))
                            + ". Each page takes about 15 ms and one of the few connections for slow lists. The shards are not read"
                            + " at one moment, so a refresh or the end of a list can miss rows that are written meanwhile. "
                            + table().storage()
                                    .shards()
                                    .flatMap(Shards::column)
                                    .map(column -> "A scope or an equality filter on " + column
                                            + " restricts a list to one shard")
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
         * Warns about orders whose name, or whose column's name, suggests that every edit changes the column. The
         * catalogue does not show this.
         */
        private Stream<String> liveOrderWarnings() {
            return ordersByEdit().stream().map(order -> "Feed " + feed().name() + ": order " + order + NOT_LIVE);
        }

        /** The names of orders that seem to sort by time of last edit, but are not live. */
        public List<String> ordersByEdit() {
            return feed().orders().all().stream()
                    .filter(order -> !order.live()
                            && (ColumnNames.suggestsEdit(order.name())
                                    || ColumnNames.suggestsEdit(
                                            order.keys().get(0).column().name())))
                    .map(Order::name)
                    .toList();
        }
    }

    /**
     * Blocks until the database accepts a connection.
     *
     * @throws ConfigurationException if it rejects the connection, or after {@code timeout}
     */
    public void awaitDatabase(Duration timeout) {
        try {
            catalogue.awaitConnection(timeout).await().atMost(timeout.plus(CONNECT_GRACE));
        } catch (RuntimeException failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            throw new ConfigurationException("Tidemark cannot start, because of the database: " + cause.getMessage());
        }
    }

    /** Blocks until the result of a command's queries is known. */
    public static <T> T await(Uni<T> result) {
        return result.await().atMost(COMMAND_TIMEOUT);
    }

    /**
     * Parses declarations and checks them against the database.
     *
     * @param properties as under {@code tidemark.feeds}, such as {@code messages.table}
     */
    public Uni<CheckedFeeds> check(Map<String, String> properties) {
        Faults faults = new Faults();
        List<FeedDeclaration> declarations = DeclarationReader.read(properties, faults);
        declarations.stream()
                .filter(declaration -> !declaration.access().isPublic())
                .forEach(declaration -> tokens.faults().forEach(fault -> faults.forFeed(declaration.name())
                        .add("access", "the feed has roles or a scope, but " + fault)));
        List<Attempt> attempts = declarations.stream()
                .filter(declaration -> !declaration.table().isEmpty())
                .map(declaration -> new Attempt(declaration, declaration.table(), faults.forFeed(declaration.name())))
                .toList();
        return new DeclarationResolver(catalogue)
                .resolve(attempts)
                .chain(found ->
                        inspectIndexes(found.stream().flatMap(Optional::stream).toList()))
                .map(feeds -> new CheckedFeeds(faults, feeds));
    }

    private Uni<List<CheckedFeed>> inspectIndexes(List<ResolvedFeed> found) {
        return catalogue
                .inspectIndexes(found.stream()
                        .map(feed -> new FeedOverTable(feed.feed(), feed.table()))
                        .toList())
                .map(reports -> IntStream.range(0, found.size())
                        .mapToObj(i -> CheckedFeed.of(found.get(i), reports.get(i)))
                        .toList());
    }
}
