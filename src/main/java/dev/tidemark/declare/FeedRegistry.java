package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.DeclarationResolver.Attempt;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/** Resolves every declared feed before the first request is taken, or stops the start with all that is wrong. */
@Singleton
public class FeedRegistry {

    private static final Logger LOG = Logger.getLogger(FeedRegistry.class);

    private static final Pattern EDITED = Pattern.compile("updated|edited|modified", Pattern.CASE_INSENSITIVE);

    /** The catalogue is asked a few times; past this something is badly wrong. */
    private static final Duration LONGEST_RESOLUTION = Duration.ofSeconds(60);

    private final FeedsConfig config;
    private final TokenVerification tokens;
    private final Catalogue catalogue;
    private List<ResolvedFeed> found;
    private Feeds feeds;

    FeedRegistry(FeedsConfig config, TokenVerification tokens, Catalogue catalogue) {
        this.config = config;
        this.tokens = tokens;
        this.catalogue = catalogue;
    }

    /** Runs after those who make the tables (lower priorities), and before HTTP is open; blocks the starting thread. */
    void onStart(@Observes @Priority(2000) StartupEvent start) {
        feeds();
    }

    @Produces
    @Singleton
    synchronized Feeds feeds() {
        if (feeds == null) {
            found = resolve();
            feeds = new Feeds(found.stream().map(ResolvedFeed::feed).toList());
            LOG.infof(
                    "Feeds resolved: %s",
                    feeds.all().stream()
                            .map(Feed::name)
                            .collect(Collectors.joining(", ", "", feeds.all().isEmpty() ? "none" : "")));
        }
        return feeds;
    }

    /** The feeds with what they were made of. */
    synchronized List<ResolvedFeed> resolved() {
        feeds();
        return found;
    }

    /** Nothing in the catalogue tells that a column changes with every edit; its name may. */
    private static void warnOfEdits(Feed feed) {
        feed.orders().all().stream()
                .filter(order -> !order.live()
                        && EDITED.matcher(order.name()
                                        + ' '
                                        + order.keys().get(0).column().name())
                                .find())
                .forEach(order -> LOG.warnf(
                        "Feed %s: order %s looks as if edits moved its items, and an item that moves during a scroll may be"
                                + " shown twice or missed; if they do, declare it under live-orders",
                        feed.name(), order.name()));
    }

    private void awaitDatabase() {
        Duration within = config.startTimeout();
        try {
            catalogue.awaitConnection(within).await().atMost(within.plus(LONGEST_RESOLUTION));
        } catch (RuntimeException failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            throw new ConfigurationException("Tidemark cannot start, because of the database: " + cause.getMessage());
        }
    }

    private List<ResolvedFeed> resolve() {
        awaitDatabase();
        Faults faults = new Faults();
        List<FeedDeclaration> declarations = DeclarationReader.read(config.feeds(), faults);
        declarations.stream()
                .filter(declaration -> !declaration.access().isPublic())
                .forEach(declaration -> tokens.faults().forEach(fault -> faults.forFeed(declaration.name())
                        .add("access", "has roles or a scope, and " + fault)));
        List<ResolvedFeed> found = resolve(declarations, faults).await().atMost(LONGEST_RESOLUTION);
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults.message());
        }
        List<String> missingIndexes = missingIndexes(found).await().atMost(LONGEST_RESOLUTION);
        if (declarations.isEmpty()) {
            LOG.warn("No feed is declared. QUARKUS_CONFIG_LOCATIONS names the YAML files that declare them, under"
                    + " tidemark.feeds; a file that is not there is passed over");
        }
        if (config.requireIndexes() && !missingIndexes.isEmpty()) {
            throw new ConfigurationException(
                    "Tidemark cannot start: tidemark.require-indexes is set, and\n  " + String.join("\n  ", missingIndexes));
        }
        missingIndexes.forEach(LOG::warn);
        found.forEach(feed -> warnOfEdits(feed.feed()));
        return found;
    }

    private Uni<List<ResolvedFeed>> resolve(List<FeedDeclaration> declarations, Faults faults) {
        List<Attempt> attempts = declarations.stream()
                .filter(declaration -> !declaration.table().isEmpty())
                .map(declaration -> new Attempt(declaration, declaration.table(), faults.forFeed(declaration.name())))
                .toList();
        return new DeclarationResolver(catalogue)
                .resolve(attempts)
                .map(found -> found.stream().flatMap(Optional::stream).toList());
    }

    /**
     * One text for each feed that has lists without an index. Without a key there is no keyset for an index to serve: what is
     * ranked by a function is sorted each time.
     */
    private Uni<List<String>> missingIndexes(List<ResolvedFeed> found) {
        List<FeedOverTable> feeds = found.stream()
                .filter(feed -> feed.feed().relation().hasKey())
                .map(feed -> new FeedOverTable(feed.feed(), feed.table()))
                .toList();
        return catalogue.missingIndexes(feeds).map(lists -> IntStream.range(0, feeds.size())
                .filter(i -> !lists.get(i).isEmpty())
                .mapToObj(i -> "Feed " + feeds.get(i).feed().name()
                        + ": no index serves these lists, and their pages are sorted anew each time."
                        + " This would, for those that are asked for:\n    "
                        + String.join("\n    ", lists.get(i)))
                .toList());
    }
}
