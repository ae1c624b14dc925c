package dev.tidemark.postgres.changes;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.FeedChanges;
import dev.tidemark.postgres.connection.FeedPools;
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
import org.jboss.logging.Logger;

/**
 * Hears of changes by {@code NOTIFY}, where a table has the trigger and the database lets one listen, and supposes one at
 * the configured interval elsewhere.
 */
@Singleton
public class PgFeedChanges implements FeedChanges {

    private static final Logger LOG = Logger.getLogger(PgFeedChanges.class);

    /**
     * Also a table that notifies is looked at, so many times less often: a condition may depend on the time, a partition may be
     * written to by itself, a trigger may be switched off.
     */
    private static final int NOTIFIED_POLL_FACTOR = 15;

    /** How long the database may take to answer on the connection that listens. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Pool pool;
    private final Vertx vertx;
    private final Duration interval;
    private final NotificationListener listener;
    private final Map<String, WatchedRelation> byPayload = new HashMap<>();
    private final Set<String> loggedAdvice = ConcurrentHashMap.newKeySet();
    private boolean isListening;

    PgFeedChanges(FeedPools pools, Pool pool, ChangesConfig config, Vertx vertx) {
        this.pool = pool;
        this.vertx = vertx;
        this.interval = config.pollInterval();
        this.listener = new NotificationListener(vertx, pools::connect, new Handler(), TIMEOUT);
    }

    @Override
    public Watch watch(Feed feed, Runnable changed) {
        listener.start();
        String payload = NotifyTrigger.payload(feed.relation());
        Object watcher = new Object();
        synchronized (this) {
            WatchedRelation watched = byPayload.get(payload);
            if (watched == null) {
                watched = new WatchedRelation(feed.relation());
                byPayload.put(payload, watched);
                watched.poll(interval);
                inspect(payload, watched);
            }
            watched.watchers.put(watcher, changed);
        }
        return () -> unwatch(payload, watcher);
    }

    /** Whether nothing is watched, so that no timer runs; for tests. */
    synchronized boolean isIdle() {
        return byPayload.isEmpty();
    }

    /** Before connections are closed, so that their end is no loss. */
    void close(@Observes ShutdownEvent stop) {
        listener.close();
        synchronized (this) {
            byPayload.values().forEach(WatchedRelation::stop);
            byPayload.clear();
        }
    }

    private synchronized void unwatch(String payload, Object watcher) {
        WatchedRelation watched = byPayload.get(payload);
        if (watched != null && watched.watchers.remove(watcher) != null && watched.watchers.isEmpty()) {
            watched.stop();
            byPayload.remove(payload);
        }
    }

    /** Finds out whether the relation notifies. Until that is known, and where it cannot be, it is looked at. */
    private void inspect(String payload, WatchedRelation watched) {
        NotifyTrigger.inspect(pool, watched.relation)
                .subscribe()
                .with(
                        trigger -> {
                            if (trigger.possible() && !trigger.present() && loggedAdvice.add(payload)) {
                                LOG.infof(
                                        "%s does not tell of its changes, so it is looked at again and again for those who"
                                                + " listen. These two statements make it tell:%n%s",
                                        trigger.table(), trigger.statements());
                            }
                            setNotifies(watched, trigger.possible() && trigger.present());
                        },
                        failure -> LOG.debugf(failure, "Whether %s notifies is not known", payload));
    }

    private synchronized void setNotifies(WatchedRelation watched, boolean notifies) {
        if (watched.notifies != notifies) {
            watched.notifies = notifies;
            watched.restart();
        }
    }

    private void changed(WatchedRelation watched) {
        watched.watchers.values().forEach(Runnable::run);
    }

    private synchronized List<WatchedRelation> setListening(boolean listening) {
        isListening = listening;
        byPayload.values().forEach(WatchedRelation::restart);
        return List.copyOf(byPayload.values());
    }

    private final class Handler implements NotificationListener.Handler {

        /** Who notifies has the trigger, also where it had none when it was looked for. */
        @Override
        public void onNotification(String payload) {
            WatchedRelation watched;
            synchronized (PgFeedChanges.this) {
                watched = byPayload.get(payload);
            }
            if (watched != null) {
                if (!watched.notifies) {
                    inspect(payload, watched);
                }
                changed(watched);
            }
        }

        @Override
        public void onListening() {
            setListening(true).forEach(PgFeedChanges.this::changed);
        }

        @Override
        public void onConnectionLost() {
            setListening(false);
        }
    }

    /** A relation that someone watches, and the timer after which a change is supposed. Guarded by the one around it. */
    private final class WatchedRelation {

        private final Relation relation;
        private final Map<Object, Runnable> watchers = new ConcurrentHashMap<>();
        private volatile boolean notifies;
        private long timer;

        WatchedRelation(Relation relation) {
            this.relation = relation;
        }

        void restart() {
            stop();
            poll(notifies && isListening ? interval.multipliedBy(NOTIFIED_POLL_FACTOR) : interval);
        }

        void stop() {
            vertx.cancelTimer(timer);
        }

        private void poll(Duration time) {
            timer = vertx.setPeriodic(time.toMillis(), tick -> changed(this));
        }
    }
}
