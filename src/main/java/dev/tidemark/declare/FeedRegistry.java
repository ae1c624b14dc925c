package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.FeedCheck.CheckedFeed;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.settings.SourceLines;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Resolves every declared feed before the server accepts requests. Startup fails with a list of all faults if there are
 * any.
 */
@Singleton
public class FeedRegistry {

    private static final Logger LOG = Logger.getLogger(FeedRegistry.class);

    /** Resolving takes a few batches of catalogue queries; a longer time indicates a serious problem. */
    private static final Duration RESOLUTION_TIMEOUT = Duration.ofSeconds(60);

    private final FeedsConfig config;
    private final FeedCheck check;
    private List<ResolvedFeed> resolvedFeeds;
    private Feeds feeds;

    FeedRegistry(FeedsConfig config, FeedCheck check) {
        this.config = config;
        this.check = check;
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

    private List<ResolvedFeed> resolve() {
        check.awaitDatabase(config.startTimeout());
        CheckedFeeds checked = check.check(config.feeds()).await().atMost(RESOLUTION_TIMEOUT);
        if (!checked.faults().isEmpty()) {
            throw new ConfigurationException(checked.faults().message(SourceLines.ofConfiguration()));
        }
        if (config.feeds().isEmpty()) {
            LOG.warn("No feed is declared. QUARKUS_CONFIG_LOCATIONS lists the YAML files that declare feeds, under"
                    + " tidemark.feeds");
        }
        List<String> missingIndexes = checked.feeds().stream()
                .flatMap(feed -> feed.indexWarning().stream())
                .toList();
        if (config.requireIndexes() && !missingIndexes.isEmpty()) {
            throw new ConfigurationException(
                    "Tidemark cannot start: tidemark.require-indexes is set, but indexes are missing.\n  "
                            + String.join("\n  ", missingIndexes));
        }
        checked.feeds().stream().flatMap(feed -> feed.warnings().stream()).forEach(LOG::warn);
        return checked.feeds().stream().map(CheckedFeed::resolved).toList();
    }
}
