package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.CheckedFeed.MissingTrigger;
import dev.tidemark.declare.DeclarationResolver.Attempt;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.tokens.TokenSettings;
import dev.tidemark.feed.Feed;
import dev.tidemark.settings.FeedSource;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Parses declarations and checks them against the database. */
@Singleton
public class FeedCheck {

    /** The extra time to wait after a timeout, so that the catalogue can report the timeout itself, with its cause. */
    private static final Duration CONNECT_GRACE = Duration.ofSeconds(60);

    /**
     * The timeout of {@link #await}. It is far above the statement timeout, because commands read the catalogue of
     * many tables.
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

        /**
         * Returns why the feeds cannot be served, with the places of the faults; empty if the feeds can be served.
         */
        public Optional<String> rejectionReason(boolean requireIndexes) {
            if (!faults.isEmpty()) {
                return Optional.of(faults.message());
            }
            return requireIndexes
                    ? rejectionFor("indexes are missing", CheckedFeed::indexWarning)
                            .or(() -> rejectionFor(
                                    "lists are read from all shards of a table", CheckedFeed::shardsWarning))
                    : Optional.empty();
        }

        private Optional<String> rejectionFor(String reason, Function<CheckedFeed, Optional<String>> warning) {
            List<String> warnings =
                    feeds.stream().flatMap(feed -> warning.apply(feed).stream()).toList();
            return warnings.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "tidemark.require-indexes is set, but " + reason + ".\n  " + String.join("\n  ", warnings));
        }
    }

    /**
     * Blocks until the database accepts a connection.
     *
     * @throws ConfigurationException if the database rejects the connection, or cannot be reached within {@code
     *     timeout}
     */
    public void awaitDatabase(Duration timeout) {
        try {
            catalogue.awaitConnection(timeout).await().atMost(timeout.plus(CONNECT_GRACE));
        } catch (RuntimeException failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            throw new ConfigurationException("Tidemark cannot start because of the database: " + cause.getMessage());
        }
    }

    /**
     * Blocks until the result of a query with a statement timeout of its own is available.
     *
     * @param timeout the statement timeout
     */
    public static <T> T await(Uni<T> result, Duration timeout) {
        return result.await().atMost(timeout.plus(CONNECT_GRACE));
    }

    /** Blocks until the result of a command's queries is available. */
    public static <T> T await(Uni<T> result) {
        return result.await().atMost(COMMAND_TIMEOUT);
    }

    /**
     * Like {@link #check(List, boolean)}, for declarations that need not say who may read a feed, on a server whose
     * settings for tokens may still be missing.
     */
    public Uni<CheckedFeeds> checkBeforeAccess(List<FeedSource> sources) {
        Faults faults = new Faults();
        return check(DeclarationReader.read(sources, faults), faults);
    }

    /** Like {@link #check(List, boolean)}, for declarations that need not say who may read a feed. */
    public Uni<CheckedFeeds> check(List<FeedSource> sources) {
        return check(sources, false);
    }

    /**
     * Parses declarations and checks them against the database.
     *
     * @param requireAccess whether a feed that anybody may read must say so
     */
    public Uni<CheckedFeeds> check(List<FeedSource> sources, boolean requireAccess) {
        Faults faults = new Faults();
        List<FeedDeclaration> declarations = DeclarationReader.read(sources, faults);
        declarations.stream()
                .filter(declaration -> requireAccess
                        && declaration.access().isPublic()
                        && !declaration.access().declaredPublic())
                .forEach(declaration -> faults.forFeed(declaration.name())
                        .add(
                                "access",
                                "the feed has neither roles nor a scope, but tidemark.require-access is set;"
                                        + " if anybody may read it, say public: true"));
        declarations.stream()
                .filter(declaration -> !declaration.access().isPublic())
                .forEach(declaration -> tokens.faults().forEach(fault -> faults.forFeed(declaration.name())
                        .add("access", "the feed has roles or a scope, but " + fault)));
        return check(declarations, faults);
    }

    private Uni<CheckedFeeds> check(List<FeedDeclaration> declarations, Faults faults) {
        List<Attempt> attempts = declarations.stream()
                .filter(declaration -> !declaration.table().isEmpty())
                .map(declaration -> new Attempt(declaration, faults.forFeed(declaration.name())))
                .toList();
        return new DeclarationResolver(catalogue)
                .resolve(attempts)
                .chain(found ->
                        inspectIndexes(found.stream().flatMap(Optional::stream).toList()))
                .chain(this::findMissingTriggers)
                .map(feeds -> new CheckedFeeds(faults, feeds));
    }

    private Uni<List<CheckedFeed>> findMissingTriggers(List<CheckedFeed> feeds) {
        List<Table> tables = feeds.stream()
                .flatMap(feed -> feed.resolved().notifyingTables().stream())
                .distinct()
                .toList();
        return catalogue.findMissingTriggers(tables).map(scripts -> feeds.stream()
                .map(feed -> feed.withMissingTriggers(feed.resolved().notifyingTables().stream()
                        .map(table -> new MissingTrigger(table.sqlName(), scripts.get(tables.indexOf(table))))
                        .filter(trigger -> !trigger.script().isEmpty())
                        .toList()))
                .toList());
    }

    /** Inspects the indexes of feeds that match their tables. */
    Uni<List<CheckedFeed>> inspectIndexes(List<ResolvedFeed> resolvedFeeds) {
        List<Feed> feeds = resolvedFeeds.stream().map(ResolvedFeed::feed).toList();
        return Uni.combine()
                .all()
                .unis(
                        catalogue.inspectIndexes(resolvedFeeds.stream()
                                .map(feed -> new FeedOverTable(feed.feed(), feed.table()))
                                .toList()),
                        catalogue.findLargeMemberships(feeds),
                        catalogue.findUpdatedEmbeds(feeds))
                .with((reports, memberships, embeds) -> IntStream.range(0, resolvedFeeds.size())
                        .mapToObj(i ->
                                CheckedFeed.of(resolvedFeeds.get(i), reports.get(i), memberships.get(i), embeds.get(i)))
                        .toList());
    }
}
