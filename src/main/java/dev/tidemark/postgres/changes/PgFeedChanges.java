package dev.tidemark.postgres.changes;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.TableName;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.catalogue.NotifyTrigger;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reports a change to a table when a notification arrives, unless its {@link ChangeNotice} excludes that the change
 * concerns the list, and assumes a change at every poll. A table is polled less
 * often while it has the {@link NotifyTrigger} and a connection is listening. Between these polls, the catalogue is
 * asked whether the table still has the trigger, and whether it is still the same table.
 */
@Singleton
public class PgFeedChanges implements FeedChanges {

    private static final Logger LOG = Logger.getLogger(PgFeedChanges.class);

    /**
     * The factor by which tables with the trigger are polled less often than others. These tables are polled too,
     * because a {@code visible} condition can depend on the time, and rows can be written directly to a partition.
     */
    private static final int TRIGGER_POLL_FACTOR = 15;

    /** How long to wait for a response on the listening connection. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Pool pool;
    private final Vertx vertx;
    private final Duration pollInterval;
    private final NotificationListener listener;
    private final boolean maySleep;
    private final Map<String, WatchedRelation> byPayload = new HashMap<>();
    private final Set<String> loggedAdvice = ConcurrentHashMap.newKeySet();
    private boolean isListening;

    PgFeedChanges(Database database, Pool pool, ChangesConfig config, Vertx vertx) {
        this.pool = pool;
        this.vertx = vertx;
        this.pollInterval = config.pollInterval();
        this.maySleep = database.maySleep();
        this.listener = new NotificationListener(vertx, database::connectForListen, new Handler(), TIMEOUT);
        database.onNewPrimary(listener::retry);
    }

    @Override
    public Watch watch(ListState list, Runnable onChange) {
        return watch(list, Stream.empty(), onChange);
    }

    @Override
    public Watch watchWithEmbeds(ListState list, Runnable onChange) {
        return watch(
                list,
                list.feed().embeds().stream().map(embed -> new TableName(embed.schema(), embed.table())),
                onChange);
    }

    private Watch watch(ListState list, Stream<TableName> embeds, Runnable onChange) {
        Feed feed = list.feed();
        TableName own = new TableName(feed.relation().schema(), feed.relation().name());
        Stream<TableName> members =
                feed.access().memberships().map(member -> new TableName(member.schema(), member.table()));
        List<TableName> others = Stream.of(members, feed.notifyOn().stream(), embeds)
                .flatMap(tables -> tables)
                .distinct()
                .toList();
        // The list's conditions say nothing about rows of other tables, or about rows of its own one in another role.
        List<Condition.AnyOf> conditions = others.contains(own) ? List.of() : ChangeNotice.conditionsOf(list);
        List<Watch> watches = Stream.concat(
                        Stream.of(watch(own, new Watcher(onChange, conditions))),
                        others.stream()
                                .filter(table -> !table.equals(own))
                                .map(table -> watch(table, new Watcher(onChange, List.of()))))
                .toList();
        // If it listened earlier, a watcher could miss the call when listening has begun.
        listener.start();
        return watches.size() == 1 ? watches.get(0) : () -> watches.forEach(Watch::close);
    }

    private Watch watch(TableName table, Watcher watcher) {
        String payload = NotifyTrigger.payload(table.schema(), table.name());
        synchronized (this) {
            WatchedRelation watchedRelation = byPayload.get(payload);
            if (watchedRelation == null) {
                watchedRelation = new WatchedRelation(payload, table.schema(), table.name());
                byPayload.put(payload, watchedRelation);
                watchedRelation.startPolling();
                checkTrigger(payload, watchedRelation);
            }
            watchedRelation.watchers.add(watcher);
        }
        return () -> unwatch(payload, watcher);
    }

    /** Equal only to itself, because a list can be watched several times. */
    private static final class Watcher {

        private final Runnable onChange;
        private final List<Condition.AnyOf> conditions;

        /** @param conditions the conditions of the list that limit which rows of the table concern it */
        Watcher(Runnable onChange, List<Condition.AnyOf> conditions) {
            this.onChange = onChange;
            this.conditions = conditions;
        }
    }

    /** Whether no relation is watched and therefore no relation is polled; for tests. */
    synchronized boolean isIdle() {
        return byPayload.isEmpty();
    }

    /**
     * Stops listening and polling. Called before the pool closes its connections, so that no warning about a lost
     * connection is logged.
     */
    void close(@Observes ShutdownEvent stop) {
        listener.close();
        synchronized (this) {
            byPayload.values().forEach(WatchedRelation::stopPolling);
            byPayload.clear();
        }
    }

    private void unwatch(String payload, Watcher watcher) {
        if (forget(payload, watcher) && maySleep) {
            listener.stop();
            if (!isIdle()) {
                listener.start();
            }
        }
    }

    /** @return whether no relation is watched any more */
    private synchronized boolean forget(String payload, Watcher watcher) {
        WatchedRelation watchedRelation = byPayload.get(payload);
        if (watchedRelation != null && watchedRelation.watchers.remove(watcher) && watchedRelation.watchers.isEmpty()) {
            watchedRelation.stopPolling();
            byPayload.remove(payload);
            return byPayload.isEmpty();
        }
        return false;
    }

    /**
     * Assumes a change, unless the relation has the trigger and this tick is not among those at which it is polled
     * nevertheless.
     */
    private void poll(WatchedRelation watchedRelation) {
        boolean isChangeAssumed;
        synchronized (this) {
            isChangeAssumed = !watchedRelation.hasTrigger
                    || !isListening
                    || ++watchedRelation.skippedPolls == TRIGGER_POLL_FACTOR;
            watchedRelation.skippedPolls = isChangeAssumed ? 0 : watchedRelation.skippedPolls;
        }
        if (watchedRelation.hasTrigger) {
            checkTrigger(watchedRelation.payload, watchedRelation);
        }
        if (isChangeAssumed) {
            notifyWatchers(watchedRelation);
        }
    }

    /**
     * Checks whether the relation has the trigger. Until the result is known, or if the first check fails, the
     * relation is polled at the interval for relations without the trigger.
     */
    private void checkTrigger(String payload, WatchedRelation watchedRelation) {
        synchronized (this) {
            if (watchedRelation.checking) {
                return;
            }
            watchedRelation.checking = true;
        }
        NotifyTrigger.inspect(pool, watchedRelation.schema, watchedRelation.name)
                .onTermination()
                .invoke(() -> watchedRelation.checking = false)
                .subscribe()
                .with(
                        trigger -> {
                            if (trigger.isMissing() && loggedAdvice.add(payload)) {
                                LOG.infof(
                                        "%s does not send notifications about its changes, so it is polled while clients listen."
                                                + " These two statements create the trigger. The transactions that write to tables"
                                                + " with triggers commit one after another:%n%s",
                                        trigger.table(), trigger.statements());
                            }
                            if (isChanged(watchedRelation, trigger)) {
                                notifyWatchers(watchedRelation);
                            }
                        },
                        failure -> LOG.debugf(failure, "Cannot determine whether %s sends notifications", payload));
    }

    /**
     * Returns whether changes may have been missed since the previous check, because the relation has lost the
     * trigger, or is another one or has other columns or partitions.
     */
    private synchronized boolean isChanged(WatchedRelation watchedRelation, NotifyTrigger trigger) {
        boolean hasTrigger = trigger.isPossible() && trigger.isPresent();
        boolean isOther = watchedRelation.version != null && !watchedRelation.version.equals(trigger.version());
        boolean isChanged = isOther || watchedRelation.hasTrigger && !hasTrigger;
        watchedRelation.version = trigger.version();
        watchedRelation.hasTrigger = hasTrigger;
        watchedRelation.looseColumns = trigger.looseColumns();
        return isChanged;
    }

    private void notifyWatchers(WatchedRelation watchedRelation) {
        watchedRelation.watchers.forEach(watcher -> watcher.onChange.run());
    }

    /** Records whether a connection is listening. Returns the watched relations. */
    private synchronized List<WatchedRelation> setListening(boolean listening) {
        isListening = listening;
        return List.copyOf(byPayload.values());
    }

    private final class Handler implements NotificationListener.Handler {

        /**
         * Notifies the watchers that the change may concern. If the relation had no trigger, the notification suggests
         * that the trigger has been created since, so the relation is checked again.
         */
        @Override
        public void onNotification(String payload) {
            WatchedRelation watchedRelation;
            ChangeNotice notice = ChangeNotice.ofTable(payload);
            synchronized (PgFeedChanges.this) {
                watchedRelation = byPayload.get(payload);
                if (watchedRelation == null) {
                    notice = ChangeNotice.parse(payload);
                    watchedRelation = byPayload.get(notice.table());
                }
            }
            if (watchedRelation != null) {
                if (!watchedRelation.hasTrigger) {
                    checkTrigger(notice.table(), watchedRelation);
                }
                watchedRelation.onNotice(notice);
            }
        }

        @Override
        public void onListening() {
            setListening(true).forEach(PgFeedChanges.this::notifyWatchers);
        }

        @Override
        public void onConnectionLost() {
            setListening(false);
        }
    }

    /** A watched relation with its poll timer. Guarded by the enclosing instance. */
    private final class WatchedRelation {

        private final String payload;
        private final String schema;
        private final String name;
        private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
        private volatile boolean hasTrigger;

        /** As in {@link NotifyTrigger}; null before the first check. */
        private volatile @Nullable Set<String> looseColumns;

        /** The version of the relation at the latest check; null before the first one. */
        private @Nullable String version;

        private int skippedPolls;
        private volatile boolean checking;
        private long timer;

        WatchedRelation(String payload, String schema, String name) {
            this.payload = payload;
            this.schema = schema;
            this.name = name;
        }

        void onNotice(ChangeNotice notice) {
            Set<String> loose = looseColumns;
            for (Watcher watcher : watchers) {
                if (loose == null || notice.mayConcern(watcher.conditions, loose)) {
                    watcher.onChange.run();
                }
            }
        }

        void startPolling() {
            timer = vertx.setPeriodic(pollInterval.toMillis(), tick -> poll(this));
        }

        void stopPolling() {
            vertx.cancelTimer(timer);
        }
    }
}
