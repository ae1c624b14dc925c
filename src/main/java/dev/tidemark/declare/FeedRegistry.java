package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.settings.FeedSource;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Resolves every declared feed before the server accepts requests. Startup fails with a list of all faults if there
 * are any.
 */
@Singleton
public class FeedRegistry {

    private static final Logger LOG = Logger.getLogger(FeedRegistry.class);

    /** The default time that startup waits for the database, which may be starting at the same time. */
    private static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The timeout for resolving the feeds. Resolving takes a few batches of catalogue queries, so a longer time
     * indicates a serious problem.
     */
    private static final Duration RESOLUTION_TIMEOUT = Duration.ofSeconds(60);

    private final FeedsConfig config;
    private final FeedCheck check;
    private final SmallRyeConfig properties;

    @SuppressWarnings("NullAway.Init") // feeds() sets it.
    private List<String> origins;

    @SuppressWarnings("NullAway.Init") // feeds() sets it.
    private List<ResolvedFeed> resolvedFeeds;

    @SuppressWarnings("NullAway.Init") // feeds() sets it.
    private Feeds feeds;

    FeedRegistry(FeedsConfig config, FeedCheck check, SmallRyeConfig properties) {
        this.config = config;
        this.check = check;
        this.properties = properties;
    }

    /** Returns the feeds, which the first call resolves. This call blocks its thread until they are resolved. */
    @Produces
    @Singleton
    public synchronized Feeds feeds() {
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

    /** Returns the files that declare the feeds, and the variable if it does. */
    public synchronized List<String> origins() {
        feeds();
        return origins;
    }

    /** Returns the feeds with their declarations and tables. */
    synchronized List<ResolvedFeed> resolvedFeeds() {
        feeds();
        return resolvedFeeds;
    }

    private List<ResolvedFeed> resolve() {
        List<FeedSource> sources = FeedSource.readAll(properties);
        origins = sources.stream().map(FeedSource::origin).distinct().toList();
        check.awaitDatabase(config.startTimeout().orElse(DEFAULT_START_TIMEOUT));
        CheckedFeeds checked =
                check.check(sources, config.requireAccess()).await().atMost(RESOLUTION_TIMEOUT);
        checked.rejectionReason(config.requireIndexes()).ifPresent(reason -> {
            throw new ConfigurationException("Tidemark cannot start: " + reason);
        });
        if (sources.isEmpty()) {
            warnWithoutFeeds(properties.getOptionalValue("quarkus.config.locations", String.class));
        }
        checked.feeds().stream().flatMap(feed -> feed.warnings().stream()).forEach(LOG::warn);
        return checked.feeds().stream().map(CheckedFeed::resolved).toList();
    }

    /** @param locations the files that can declare feeds; empty if the setting is missing */
    private static void warnWithoutFeeds(Optional<String> locations) {
        if (locations.isPresent()) {
            LOG.warnf(
                    "No feed is declared. The files of QUARKUS_CONFIG_LOCATIONS have nothing under tidemark.feeds: %s",
                    locations.get());
        } else {
            LOG.warn("No feed is declared. Set QUARKUS_CONFIG_LOCATIONS to the YAML files that declare feeds, under"
                    + " tidemark.feeds");
        }
    }

    /**
     * Serves a feed that was read again instead of its previous version.
     *
     * @return false if the previous version is no longer served
     */
    synchronized boolean replace(Feed previous, ResolvedFeed current) {
        if (!feeds.replace(previous, current.feed())) {
            return false;
        }
        resolvedFeeds = resolvedFeeds.stream()
                .map(resolved -> resolved.feed() == previous ? current : resolved)
                .toList();
        return true;
    }
}
