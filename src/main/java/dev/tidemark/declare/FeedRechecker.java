package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.Attempt;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.Feeds;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/**
 * Resolves the declarations again when {@link #recheck} is called, and compares the results with the feeds that are
 * being served.
 */
@Singleton
public class FeedRechecker implements FeedHealth {

    private static final Logger LOG = Logger.getLogger(FeedRechecker.class);

    /**
     * The timeout for checking all feeds. A check can block while a table is locked, for example by a rewrite. After the
     * timeout, the feeds that have not been checked keep their previous results.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final FeedRegistry registry;
    private final DeclarationResolver resolver;
    private final Duration interval;

    private volatile Map<String, String> broken = Map.of();
    private volatile Optional<String> reloadRejection = Optional.empty();
    private Uni<Map<String, String>> runningCheck;
    private long lastCheckNanos;

    FeedRechecker(FeedsConfig config, FeedRegistry registry, Catalogue catalogue) {
        this.registry = registry;
        this.resolver = new DeclarationResolver(catalogue);
        this.interval = config.recheckInterval();
        this.lastCheckNanos = System.nanoTime() - interval.toNanos();
    }

    @Override
    public Map<String, String> brokenFeeds() {
        return broken;
    }

    @Override
    public Optional<String> reloadRejection() {
        return reloadRejection;
    }

    /** @param reason why the changed declarations were rejected; empty if the current declarations are being served */
    public void setReloadRejection(Optional<String> reason) {
        reloadRejection = reason;
    }

    /**
     * Discards the results for feeds that were removed or changed. A result applies only to the version of the feed that
     * was checked.
     */
    synchronized void onReplaced(@Observes @Priority(Feeds.Replacement.LIST_PRIORITY) Feeds.Replacement replacement) {
        Map<String, String> now = new TreeMap<>(broken);
        replacement.removedOrChanged().forEach(removed -> now.remove(removed.name()));
        broken = Collections.unmodifiableMap(now);
    }

    @Override
    public synchronized Uni<Map<String, String>> recheck() {
        if (runningCheck == null && System.nanoTime() - lastCheckNanos >= interval.toNanos()) {
            runningCheck = recheckAll()
                    .ifNoItem()
                    .after(TIMEOUT)
                    .fail()
                    .onFailure()
                    .invoke(failure -> LOG.debugf(failure, "The feeds could not be checked against the database"))
                    .onFailure()
                    .recoverWithItem(() -> broken)
                    .eventually(this::finish)
                    .memoize()
                    .indefinitely();
        }
        return runningCheck == null ? Uni.createFrom().item(broken) : runningCheck;
    }

    private synchronized void finish() {
        lastCheckNanos = System.nanoTime();
        runningCheck = null;
    }

    private Uni<Map<String, String>> recheckAll() {
        return Multi.createFrom()
                .iterable(registry.resolvedFeeds())
                .onItem()
                .transformToUniAndConcatenate(servedFeed -> differences(servedFeed)
                        .invoke(differences -> update(servedFeed.feed(), String.join("; ", differences)))
                        // One failed check must not prevent the checks of the other feeds.
                        .onFailure()
                        .invoke(failure -> LOG.debugf(
                                failure,
                                "Feed %s could not be checked against the database",
                                servedFeed.feed().name()))
                        .onFailure()
                        .recoverWithNull())
                .collect()
                .last()
                .map(done -> broken);
    }

    private Uni<List<String>> differences(ResolvedFeed servedFeed) {
        Faults faults = new Faults();
        Faults.FeedFaults feedFaults = faults.forFeed(servedFeed.feed().name());
        return resolver.resolve(List.of(
                        new Attempt(servedFeed.declaration(), servedFeed.table().sqlName(), feedFaults)))
                .map(now -> now.get(0)
                        .map(resolved -> SchemaDrift.differences(servedFeed.feed(), resolved.feed()))
                        .orElseGet(feedFaults::all));
    }

    /** @param reason why the feed does not match its table; an empty string if it matches */
    private synchronized void update(Feed checkedFeed, String reason) {
        if (!registry.feeds().contains(checkedFeed)) {
            return;
        }
        String feed = checkedFeed.name();
        Optional<String> before = Optional.ofNullable(broken.get(feed));
        Map<String, String> now = new TreeMap<>(broken);
        if (reason.isEmpty()) {
            now.remove(feed);
            before.ifPresent(was -> LOG.infof("Feed %s matches its table again and is served", feed));
        } else {
            now.put(feed, reason);
            if (!before.equals(Optional.of(reason))) {
                LOG.warnf("Feed %s no longer matches its table and is not served until it does: %s", feed, reason);
            }
        }
        broken = Collections.unmodifiableMap(now);
    }
}
