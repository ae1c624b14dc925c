package dev.tidemark.postgres.changes;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.postgres.catalogue.NotifyTrigger;
import dev.tidemark.postgres.connection.Database;
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

/**
 * Reports a change to a table when a notification arrives, and assumes a change at every poll. A table is polled less
 * often while it has the {@link NotifyTrigger} and a connection is listening.
 */
@Singleton
public class PgFeedChanges implements FeedChanges {

    private static final Logger LOG = Logger.getLogger(PgFeedChanges.class);

    /**
     * The factor by which tables with the trigger are polled less often than others. These tables are polled too,
     * because a {@code visible} condition can depend on the time, rows can be written directly to a partition, and the
     * trigger can be disabled.
     */
    private static final int TRIGGER_POLL_FACTOR = 15;

    /** How long to wait for a response on the listening connection. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Pool pool;
    private final Vertx vertx;
    private final Duration pollInterval;
    private final NotificationListener listener;
    private final Map<String, WatchedRelation> byPayload = new HashMap<>();
    private final Set<String> loggedAdvice = ConcurrentHashMap.newKeySet();
    private boolean isListening;

    PgFeedChanges(Database database, Pool pool, ChangesConfig config, Vertx vertx) {
        this.pool = pool;
        this.vertx = vertx;
        this.pollInterval = config.pollInterval();
        this.listener = new NotificationListener(vertx, database::connectForListen, new Handler(), TIMEOUT);
        database.onNewPrimary(listener::retry);
    }

    @Override
    public Watch watch(Feed feed, Runnable onChange) {
        return watch(feed.relation().schema(), feed.relation().name(), onChange);
    }

    @Override
    public Watch watchWithEmbeds(Feed feed, Runnable onChange) {
        if (feed.embeds().isEmpty()) {
            return watch(feed, onChange);
        }
        List<Watch> watches = Stream.concat(
                        Stream.of(watch(feed, onChange)),
                        feed.embeds().stream().map(embed -> watch(embed.schema(), embed.table(), onChange)))
                .toList();
        return () -> watches.forEach(Watch::close);
    }

    private Watch watch(String schema, String name, Runnable onChange) {
        listener.start();
        String payload = NotifyTrigger.payload(schema, name);
        Object watcher = new Object();
        synchronized (this) {
            WatchedRelation watchedRelation = byPayload.get(payload);
            if (watchedRelation == null) {
                watchedRelation = new WatchedRelation(schema, name);
                byPayload.put(payload, watchedRelation);
                watchedRelation.startPolling(pollInterval);
                checkTrigger(payload, watchedRelation);
            }
            watchedRelation.watchers.put(watcher, onChange);
        }
        return () -> unwatch(payload, watcher);
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

    private synchronized void unwatch(String payload, Object watcher) {
        WatchedRelation watchedRelation = byPayload.get(payload);
        if (watchedRelation != null
                && watchedRelation.watchers.remove(watcher) != null
                && watchedRelation.watchers.isEmpty()) {
            watchedRelation.stopPolling();
            byPayload.remove(payload);
        }
    }

    /**
     * Checks whether the relation has the trigger. Until the result is known, or if the check fails, the relation is
     * polled at the interval for relations without the trigger.
     */
    private void checkTrigger(String payload, WatchedRelation watchedRelation) {
        NotifyTrigger.inspect(pool, watchedRelation.schema, watchedRelation.name)
                .subscribe()
                .with(
                        trigger -> {
                            if (trigger.isMissing() && loggedAdvice.add(payload)) {
                                LOG.infof(
                                        "%s does not send notifications about its changes, so it is polled while clients listen."
                                                + " These two statements create the trigger:%n%s",
                                        trigger.table(), trigger.statements());
                            }
                            setHasTrigger(payload, watchedRelation, trigger.isPossible() && trigger.isPresent());
                        },
                        failure -> LOG.debugf(failure, "Cannot determine whether %s sends notifications", payload));
    }

    /** Has no effect if the relation is no longer watched. */
    private synchronized void setHasTrigger(String payload, WatchedRelation watchedRelation, boolean hasTrigger) {
        if (byPayload.get(payload) == watchedRelation && watchedRelation.hasTrigger != hasTrigger) {
            watchedRelation.hasTrigger = hasTrigger;
            watchedRelation.restartPolling();
        }
    }

    private void notifyWatchers(WatchedRelation watchedRelation) {
        watchedRelation.watchers.values().forEach(Runnable::run);
    }

    /** Adapts the poll intervals to whether a connection is listening. Returns the watched relations. */
    private synchronized List<WatchedRelation> setListening(boolean listening) {
        isListening = listening;
        byPayload.values().forEach(WatchedRelation::restartPolling);
        return List.copyOf(byPayload.values());
    }

    private final class Handler implements NotificationListener.Handler {

        /**
         * Notifies the watchers. If the relation had no trigger, the notification suggests that the trigger has been
         * created since, so the relation is checked again.
         */
        @Override
        public void onNotification(String payload) {
            WatchedRelation watchedRelation;
            synchronized (PgFeedChanges.this) {
                watchedRelation = byPayload.get(payload);
            }
            if (watchedRelation != null) {
                if (!watchedRelation.hasTrigger) {
                    checkTrigger(payload, watchedRelation);
                }
                notifyWatchers(watchedRelation);
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

        private final String schema;
        private final String name;
        private final Map<Object, Runnable> watchers = new ConcurrentHashMap<>();
        private volatile boolean hasTrigger;
        private long timer;

        WatchedRelation(String schema, String name) {
            this.schema = schema;
            this.name = name;
        }

        void restartPolling() {
            stopPolling();
            startPolling(hasTrigger && isListening ? pollInterval.multipliedBy(TRIGGER_POLL_FACTOR) : pollInterval);
        }

        void stopPolling() {
            vertx.cancelTimer(timer);
        }

        private void startPolling(Duration interval) {
            timer = vertx.setPeriodic(interval.toMillis(), tick -> notifyWatchers(this));
        }
    }
}
