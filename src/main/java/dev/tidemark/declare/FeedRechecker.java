package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.read.RejectedStatements;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the declarations again when a table has changed or {@link #recheck} is called, and compares the results
 * with the feeds that are being served. If a table still matches its feed, but the feed's statements no longer fit the
 * table, the feed is replaced by the one that was resolved.
 */
@Singleton
public class FeedRechecker implements FeedHealth {

    private static final Logger LOG = Logger.getLogger(FeedRechecker.class);

    /**
     * The timeout for checking all feeds. A check can block while a table is locked, for example by a rewrite. After
     * the timeout, the feeds that have not been checked keep their previous results.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The maximum time that shutdown waits for a poll and a check. */
    private static final Duration MAX_STOP_WAIT = Duration.ofSeconds(1);

    /** Comparing the versions of all tables takes one cheap query, so it is done more often than a check. */
    private static final int POLLS_PER_INTERVAL = 5;

    private static final long MIN_POLL_MILLIS = 50;

    private final FeedRegistry registry;
    private final RejectedStatements rejected;
    private final DeclarationResolver resolver;
    private final Duration interval;

    private final Catalogue catalogue;
    private final FeedCheck feedCheck;
    private final long pollMillis;

    /** The versions of each feed's tables when the feed was last checked. */
    private final Map<Feed, List<String>> checkedVersions = Collections.synchronizedMap(new IdentityHashMap<>());

    private volatile boolean stopped;
    private volatile Map<String, String> broken = Map.of();

    /** The latest poll; completed when it has ended. */
    private volatile CompletableFuture<Void> polling = CompletableFuture.completedFuture(null);

    private @Nullable Uni<Map<String, String>> runningCheck;

    /** A comparison that was requested and has not started yet. */
    private @Nullable Uni<Void> requestedComparison;

    private long lastCheckNanos;

    FeedRechecker(
            FeedsConfig config,
            FeedRegistry registry,
            Catalogue catalogue,
            FeedCheck feedCheck,
            RejectedStatements rejected) {
        this.registry = registry;
        this.rejected = rejected;
        this.catalogue = catalogue;
        this.feedCheck = feedCheck;
        this.resolver = new DeclarationResolver(catalogue);
        this.interval = config.recheckInterval();
        this.pollMillis = Math.max(MIN_POLL_MILLIS, interval.toMillis() / POLLS_PER_INTERVAL);
        this.lastCheckNanos = System.nanoTime() - interval.toNanos();
    }

    @Override
    public Map<String, String> brokenFeeds() {
        return broken;
    }

    /** Starts polling the versions of the tables. */
    public void start() {
        schedulePoll();
    }

    /**
     * Waits until the running poll and the running check have ended. When the connections of the pool are closed,
     * their statements fail, and Mutiny logs an error for each but the first.
     */
    void onStop(@Observes ShutdownEvent stop) {
        stopped = true;
        CompletableFuture.allOf(polling, checkEnd())
                .completeOnTimeout(null, MAX_STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private synchronized CompletableFuture<?> checkEnd() {
        return runningCheck == null
                ? CompletableFuture.completedFuture(null)
                : runningCheck.subscribeAsCompletionStage();
    }

    private void schedulePoll() {
        if (!stopped) {
            Infrastructure.getDefaultWorkerPool().schedule(this::poll, pollMillis, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Checks the feeds whose tables were changed since they were last checked, and once per interval those that do not
     * match their tables. A role can regain a privilege by a membership, which changes no version.
     */
    private void poll() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        polling = ended;
        if (stopped || mayFallAsleep()) {
            ended.complete(null);
            schedulePoll();
            return;
        }
        compare()
                .ifNoItem()
                .after(TIMEOUT)
                .fail()
                .onTermination()
                .invoke(() -> {
                    ended.complete(null);
                    schedulePoll();
                })
                .subscribe()
                .with(done -> {}, failure -> LOG.debugf(failure, "The tables of the feeds could not be compared"));
    }

    /** Nobody reads a feed that does not match its table, so nothing else would notice that it does again. */
    private boolean mayFallAsleep() {
        return broken.isEmpty() && catalogue.mayFallAsleep();
    }

    @Override
    public synchronized Uni<Void> recheckChanged() {
        if (requestedComparison == null) {
            // A check that is running can have read the tables before they changed.
            Uni<?> previous = runningCheck == null ? Uni.createFrom().nullItem() : runningCheck;
            requestedComparison = previous.chain(() -> {
                        synchronized (this) {
                            requestedComparison = null;
                        }
                        return compare();
                    })
                    .ifNoItem()
                    .after(TIMEOUT)
                    .fail()
                    .onFailure()
                    .invoke(failure -> LOG.debugf(failure, "The tables of the feeds could not be compared"))
                    .onFailure()
                    .recoverWithNull()
                    .replaceWithVoid()
                    .memoize()
                    .indefinitely();
        }
        return requestedComparison;
    }

    /** Compares the versions of all tables, and checks the feeds whose tables have changed. */
    private Uni<?> compare() {
        List<ResolvedFeed> served = registry.resolvedFeeds();
        return served.isEmpty()
                ? Uni.createFrom().nullItem()
                : catalogue
                        .findVersions(served.stream()
                                .flatMap(feed -> feed.tables().stream())
                                .toList())
                        .chain(versions -> checkChanged(served, versions));
    }

    /** @param versions the current version of each table of each feed */
    private synchronized Uni<?> checkChanged(List<ResolvedFeed> served, List<String> versions) {
        boolean isIntervalOver = System.nanoTime() - lastCheckNanos >= interval.toNanos();
        Map<Feed, List<String>> changed = new IdentityHashMap<>();
        int next = 0;
        for (ResolvedFeed feed : served) {
            int end = next + feed.tables().size();
            List<String> current = List.copyOf(versions.subList(next, end));
            if (!current.equals(checkedVersions.get(feed.feed()))
                    || isIntervalOver && broken.containsKey(feed.feed().name())) {
                changed.put(feed.feed(), current);
            }
            next = end;
        }
        checkedVersions
                .keySet()
                .retainAll(served.stream().map(ResolvedFeed::feed).toList());
        if (changed.isEmpty()) {
            return Uni.createFrom().nullItem();
        }
        // Another check may have read the tables before the change.
        return runningCheck != null
                ? runningCheck.chain(this::compare)
                : start(
                        served.stream()
                                .filter(feed -> changed.containsKey(feed.feed()))
                                .toList(),
                        feed -> checkedVersions.put(feed, changed.get(feed)));
    }

    @Override
    public synchronized Uni<Map<String, String>> recheck() {
        if (mayFallAsleep()) {
            return Uni.createFrom().item(broken);
        }
        if (runningCheck == null && System.nanoTime() - lastCheckNanos >= interval.toNanos()) {
            return start(registry.resolvedFeeds(), feed -> {});
        }
        return runningCheck == null ? Uni.createFrom().item(broken) : runningCheck;
    }

    /** @param onChecked called for each feed that could be checked */
    private synchronized Uni<Map<String, String>> start(List<ResolvedFeed> feeds, Consumer<Feed> onChecked) {
        Uni<Map<String, String>> started = check(feeds, onChecked)
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
        runningCheck = started;
        return started;
    }

    private synchronized void finish() {
        lastCheckNanos = System.nanoTime();
        runningCheck = null;
    }

    private Uni<Map<String, String>> check(List<ResolvedFeed> feeds, Consumer<Feed> onChecked) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToUniAndConcatenate(servedFeed -> differences(servedFeed)
                        .invoke(differences -> {
                            update(servedFeed.feed(), String.join("; ", differences));
                            onChecked.accept(servedFeed.feed());
                        })
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
        return resolver.resolve(List.of(servedFeed.attemptAgain(feedFaults))).chain(now -> now.get(0)
                .map(resolved -> differences(servedFeed, resolved))
                .orElseGet(() -> Uni.createFrom().item(feedFaults.all())));
    }

    private Uni<List<String>> differences(ResolvedFeed served, ResolvedFeed current) {
        List<String> differences = SchemaDrift.differences(served.feed(), current.feed());
        List<String> compatibleChanges =
                differences.isEmpty() ? SchemaDrift.compatibleChanges(served, current) : List.of();
        return compatibleChanges.isEmpty()
                ? Uni.createFrom().item(differences)
                : feedCheck
                        .inspectIndexes(List.of(current))
                        // Describing all feeds anew takes too long for an event loop.
                        .emitOn(Infrastructure.getDefaultWorkerPool())
                        .invoke(checked -> serve(served.feed(), checked.get(0), compatibleChanges))
                        .map(done -> differences);
    }

    private void serve(Feed previous, CheckedFeed current, List<String> changes) {
        if (registry.replace(previous, current.resolved())) {
            forget(previous.name());
            LOG.infof(
                    "Feed %s is served with the changes to its table: %s", previous.name(), String.join("; ", changes));
        }
    }

    /** Discards the result for the version of a feed that is no longer served. */
    private synchronized void forget(String feed) {
        Map<String, String> now = new TreeMap<>(broken);
        now.remove(feed);
        broken = Collections.unmodifiableMap(now);
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
            before.ifPresent(was -> {
                rejected.forget(feed);
                LOG.infof("Feed %s matches its table again and is served", feed);
            });
        } else {
            now.put(feed, reason);
            if (!before.equals(Optional.of(reason))) {
                LOG.warnf("Feed %s no longer matches its table and is not served until it does: %s", feed, reason);
            }
        }
        broken = Collections.unmodifiableMap(now);
    }
}
