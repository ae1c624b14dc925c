package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.IndexReport;
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

/**
 * Resolves every declared feed before the server accepts requests. Startup fails with a list of all faults if there are
 * any.
 */
@Singleton
public class FeedRegistry {

    private static final Logger LOG = Logger.getLogger(FeedRegistry.class);

    private static final Pattern EDITED = Pattern.compile("updated|edited|modified", Pattern.CASE_INSENSITIVE);

    /** Resolving takes a few batches of catalogue queries; a longer time indicates a serious problem. */
    private static final Duration RESOLUTION_TIMEOUT = Duration.ofSeconds(60);

    private final FeedsConfig config;
    private final TokenVerification tokens;
    private final Catalogue catalogue;
    private List<ResolvedFeed> resolvedFeeds;
    private Feeds feeds;

    FeedRegistry(FeedsConfig config, TokenVerification tokens, Catalogue catalogue) {
        this.config = config;
        this.tokens = tokens;
        this.catalogue = catalogue;
    }

    /**
     * Runs after the observers that create tables (lower priorities) and before the HTTP port opens. Blocks the
     * starting thread.
     */
    void onStart(@Observes @Priority(2000) StartupEvent start) {
        feeds();
    }

    @Produces
    @Singleton
    synchronized Feeds feeds() {
        if (feeds == null) {
            resolvedFeeds = resolve();
            feeds = new Feeds(resolvedFeeds.stream().map(ResolvedFeed::feed).toList());
            LOG.infof(
                    "Feeds resolved: %s",
                    feeds.all().stream()
                            .map(Feed::name)
                            .collect(Collectors.joining(", ", "", feeds.all().isEmpty() ? "none" : "")));
        }
        return feeds;
    }

    /** The feeds with their declarations and tables. */
    synchronized List<ResolvedFeed> resolved() {
        feeds();
        return resolvedFeeds;
    }

    /**
     * The catalogue does not show that every edit changes a column, but the name of an order or column can suggest it.
     */
    private static void warnAboutUndeclaredLiveOrders(Feed feed) {
        feed.orders().all().stream()
                .filter(order -> !order.live()
                        && EDITED.matcher(order.name()
                                        + ' '
                                        + order.keys().get(0).column().name())
                                .find())
                .forEach(order -> LOG.warnf(
                        "Feed %s: order %s seems to sort by time of last edit. A scroll can return an item twice or miss it"
                                + " if the item moves meanwhile. If edits move items, declare the order in live-orders",
                        feed.name(), order.name()));
    }

    private void awaitDatabase() {
        Duration timeout = config.startTimeout();
        try {
            catalogue.awaitConnection(timeout).await().atMost(timeout.plus(RESOLUTION_TIMEOUT));
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
                        .add("access", "the feed has roles or a scope, but " + fault)));
        List<ResolvedFeed> found = resolve(declarations, faults).await().atMost(RESOLUTION_TIMEOUT);
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults.message());
        }
        List<InspectedFeed> inspected = inspectIndexes(found).await().atMost(RESOLUTION_TIMEOUT);
        List<String> missingIndexes =
                inspected.stream().flatMap(feed -> feed.warning().stream()).toList();
        if (declarations.isEmpty()) {
            LOG.warn("No feed is declared. QUARKUS_CONFIG_LOCATIONS lists the YAML files that declare feeds, under"
                    + " tidemark.feeds; missing files are ignored");
        }
        if (config.requireIndexes() && !missingIndexes.isEmpty()) {
            throw new ConfigurationException(
                    "Tidemark cannot start: tidemark.require-indexes is set, but indexes are missing.\n  "
                            + String.join("\n  ", missingIndexes));
        }
        missingIndexes.forEach(LOG::warn);
        found.forEach(feed -> warnAboutUndeclaredLiveOrders(feed.feed()));
        return inspected.stream().map(InspectedFeed::withIndexes).toList();
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

    /** A feed with the result of its index inspection. */
    private record InspectedFeed(ResolvedFeed resolved, IndexReport indexes) {

        ResolvedFeed withIndexes() {
            return new ResolvedFeed(
                    resolved.declaration(), resolved.feed().withIndexes(indexes.serving()), resolved.table());
        }

        Optional<String> warning() {
            return indexes.missing().isEmpty()
                    ? Optional.empty()
                    : Optional.of("Feed " + resolved.feed().name()
                            + ": no index serves these lists, so the whole list is sorted for each page."
                            + " Create an index for each list that clients use:\n    "
                            + String.join("\n    ", indexes.missing()));
        }
    }

    private Uni<List<InspectedFeed>> inspectIndexes(List<ResolvedFeed> found) {
        return catalogue
                .inspectIndexes(found.stream()
                        .map(feed -> new FeedOverTable(feed.feed(), feed.table()))
                        .toList())
                .map(reports -> IntStream.range(0, found.size())
                        .mapToObj(i -> new InspectedFeed(found.get(i), reports.get(i)))
                        .toList());
    }
}
