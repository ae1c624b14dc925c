package dev.tidemark.declare.reload;

import dev.tidemark.declare.FeedCheck;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.declare.FeedRechecker;
import dev.tidemark.declare.FeedRegistry;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.settings.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Reads the declaration files again at intervals, checks changed declarations, and then serves the declared feeds.
 * Declarations with faults are rejected: the previous feeds are still served, and the check is repeated, because the
 * database may be the cause of a fault.
 *
 * <p>The files are compared by content. A file watcher can miss changes on network file systems, and changes that
 * Kubernetes makes to a mounted ConfigMap by replacing a symbolic link.
 */
@Singleton
public class FeedsReload {

    private static final Logger LOG = Logger.getLogger(FeedsReload.class);

    /** The interval at which the files are polled. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(60);

    private final SmallRyeConfig startupConfig;
    private final Settings settings;
    private final FeedsConfig config;
    private final FeedCheck check;
    private final FeedRegistry registry;
    private final FeedRechecker health;
    private final MeterRegistry metrics;

    @SuppressWarnings("NullAway.Init") // start() sets it before the first poll.
    private DeclarationFiles files;

    @SuppressWarnings("NullAway.Init") // start() sets it before the first poll.
    private SettledContents settled;

    @SuppressWarnings("NullAway.Init") // start() sets it before the first poll.
    private ReloadedSettings served;

    private volatile boolean stopped;

    /** The settings that a reload applies. */
    private record ReloadedSettings(Map<String, String> feeds, boolean requireAccess, boolean requireIndexes) {
        static ReloadedSettings of(FeedsConfig config) {
            return new ReloadedSettings(config.feeds(), config.requireAccess(), config.requireIndexes());
        }
    }

    FeedsReload(
            SmallRyeConfig startupConfig,
            Settings settings,
            FeedsConfig config,
            FeedCheck check,
            FeedRegistry registry,
            FeedRechecker health,
            MeterRegistry metrics) {
        this.startupConfig = startupConfig;
        this.settings = settings;
        this.config = config;
        this.check = check;
        this.registry = registry;
        this.health = health;
        this.metrics = metrics;
    }

    /** Starts polling the files, if reload is on. */
    public void start() {
        if (!config.feedsReload()) {
            return;
        }
        files = new DeclarationFiles(startupConfig, settings);
        if (files.contents().isEmpty()) {
            LOG.warn("tidemark.feeds-reload is on, but QUARKUS_CONFIG_LOCATIONS lists no file");
        } else {
            served = ReloadedSettings.of(config);
            settled = new SettledContents();
            Gauge.builder("tidemark.feeds.reload.rejected", health, gauged -> gauged.reloadRejection()
                            .map(reason -> 1)
                            .orElse(0))
                    .description("1 while changed declarations of feeds are rejected")
                    .register(metrics);
            schedulePoll();
        }
    }

    void onStop(@Observes ShutdownEvent stop) {
        stopped = true;
    }

    private void schedulePoll() {
        Infrastructure.getDefaultWorkerPool().schedule(this::poll, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Compares the files with those of the last poll, and reloads the feeds if needed. Blocks its thread during
     * queries. Never runs twice at the same time.
     */
    private void poll() {
        if (stopped) {
            return;
        }
        try {
            settled.next(files.contents(), health.reloadRejection().isPresent())
                    .filter(contents -> !reload(contents))
                    .ifPresent(changed -> settled.forget());
        } catch (RuntimeException bug) {
            LOG.error("The changed declarations could not be served", bug);
        } finally {
            schedulePoll();
        }
    }

    /** @return false if the files have changed meanwhile, so that their current contents have not been checked */
    private boolean reload(Map<Path, Optional<ByteBuffer>> contents) {
        List<String> faults = files.faults(contents);
        if (!faults.isEmpty()) {
            return reject(contents, String.join("\n  ", faults));
        }
        FeedsConfig changedConfig;
        try {
            changedConfig = files.read();
        } catch (ConfigurationException invalid) {
            return reject(contents, String.valueOf(invalid.getMessage()));
        } catch (RuntimeException unreadable) {
            return reject(
                    contents,
                    "the files cannot be read: "
                            + ExceptionUtil.getRootCause(unreadable).getMessage());
        }
        if (changedConfig.feeds().isEmpty() && !served.feeds().isEmpty()) {
            return reject(contents, "no feed is declared");
        }
        return ReloadedSettings.of(changedConfig).equals(served)
                ? keepServed(contents)
                : checkAndServe(changedConfig, contents);
    }

    private boolean keepServed(Map<Path, Optional<ByteBuffer>> contents) {
        if (!files.contents().equals(contents)) {
            return false;
        }
        if (health.reloadRejection().isPresent()) {
            health.setReloadRejection(Optional.empty());
            LOG.info("The declared feeds match the served feeds again");
        }
        return true;
    }

    private boolean checkAndServe(FeedsConfig changedConfig, Map<Path, Optional<ByteBuffer>> contents) {
        CheckedFeeds checked;
        try {
            checked = check.check(changedConfig.feeds(), changedConfig.requireAccess())
                    .ifNoItem()
                    .after(CHECK_TIMEOUT)
                    .failWith(() -> new TimeoutException("no answer within " + CHECK_TIMEOUT.toSeconds() + " s"))
                    .await()
                    .indefinitely();
        } catch (RuntimeException failure) {
            return reject(
                    contents,
                    "they cannot be checked against the database: "
                            + ExceptionUtil.getRootCause(failure).getMessage());
        }
        Optional<String> reason = checked.rejectionReason(changedConfig.requireIndexes());
        if (reason.isPresent()) {
            return reject(contents, reason.get());
        }
        if (!files.contents().equals(contents)) {
            return false;
        }
        served = ReloadedSettings.of(changedConfig);
        Feeds.Replacement replacement = registry.replace(checked.feeds());
        health.setReloadRejection(Optional.empty());
        log(replacement);
        return true;
    }

    private static void log(Feeds.Replacement replacement) {
        Set<String> added = names(replacement.addedOrChanged());
        Set<String> removed = names(replacement.removedOrChanged());
        Set<String> changed = new TreeSet<>(added);
        changed.retainAll(removed);
        added.removeAll(changed);
        removed.removeAll(changed);
        LOG.infof("Feeds reloaded. Added: %s; changed: %s; removed: %s", join(added), join(changed), join(removed));
    }

    private static Set<String> names(List<Feed> feeds) {
        return feeds.stream().map(Feed::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String join(Set<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    /**
     * Keeps the current feeds. Logs why the changed declarations are rejected, unless the reason is the same as before.
     *
     * @return false if the files have changed since they were read; the reason is then neither logged nor kept
     */
    private boolean reject(Map<Path, Optional<ByteBuffer>> contents, String reason) {
        if (!files.contents().equals(contents)) {
            return false;
        }
        Optional<String> now = Optional.of(reason);
        if (!stopped && !health.reloadRejection().equals(now)) {
            health.setReloadRejection(now);
            LOG.warnf("The changed declarations are rejected, and the previous feeds are still served: %s", reason);
        }
        return true;
    }
}
