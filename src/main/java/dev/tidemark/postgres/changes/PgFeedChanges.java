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
    private static final int SELDOM = 15;

    /** How long the database may take to answer on the connection that listens. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Pool pool;
    private final Vertx vertx;
    private final Duration interval;
    private final Listening listening;
    private final Map<String, Watched> byPayload = new HashMap<>();
    private final Set<String> advised = ConcurrentHashMap.newKeySet();
    private boolean hears;

    PgFeedChanges(FeedPools pools, Pool pool, ChangesConfig config, Vertx vertx) {
        this.pool = pool;
        this.vertx = vertx;
        this.interval = config.pollInterval();
        this.listening = new Listening(vertx, pools::connect, new Ear(), PATIENCE);
    }

    @Override
    public Watch watch(Feed feed, Runnable changed) {
        listening.start();
        String payload = NotifyTrigger.payload(feed.relation());
        Object watcher = new Object();
        synchronized (this) {
            Watched watched = byPayload.get(payload);
            if (watched == null) {
                watched = new Watched(feed.relation());
                byPayload.put(payload, watched);
                watched.wait(interval);
                inspect(payload, watched);
            }
            watched.watchers.put(watcher, changed);
        }
        return () -> leave(payload, watcher);
    }

    /** Whether nothing is watched, so that no timer runs; for tests. */
    synchronized boolean isIdle() {
        return byPayload.isEmpty();
    }

    /** Before connections are closed, so that their end is no loss. */
    void close(@Observes ShutdownEvent stop) {
        listening.close();
        synchronized (this) {
            byPayload.values().forEach(Watched::stop);
            byPayload.clear();
        }
    }

    private synchronized void leave(String payload, Object watcher) {
        Watched watched = byPayload.get(payload);
        if (watched != null && watched.watchers.remove(watcher) != null && watched.watchers.isEmpty()) {
            watched.stop();
            byPayload.remove(payload);
        }
    }

    /** Finds out whether the relation notifies. Until that is known, and where it cannot be, it is looked at. */
    private void inspect(String payload, Watched watched) {
        NotifyTrigger.inspect(pool, watched.relation)
                .subscribe()
                .with(
                        trigger -> {
                            if (trigger.possible() && !trigger.present() && advised.add(payload)) {
                                LOG.infof(
                                        "%s does not tell of its changes, so it is looked at again and again for those who"
                                                + " listen. These two statements make it tell:%n%s",
                                        trigger.table(), trigger.statements());
                            }
                            notifies(watched, trigger.possible() && trigger.present());
                        },
                        failure -> LOG.debugf(failure, "Whether %s notifies is not known", payload));
    }

    private synchronized void notifies(Watched watched, boolean notifies) {
        if (watched.notifies != notifies) {
            watched.notifies = notifies;
            watched.restart();
        }
    }

    private void changed(Watched watched) {
        watched.watchers.values().forEach(Runnable::run);
    }

    private synchronized List<Watched> hears(boolean now) {
        hears = now;
        byPayload.values().forEach(Watched::restart);
        return List.copyOf(byPayload.values());
    }

    private final class Ear implements Listening.Ear {

        /** Who notifies has the trigger, also where it had none when it was looked for. */
        @Override
        public void notification(String payload) {
            Watched watched;
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
        public void listens() {
            hears(true).forEach(PgFeedChanges.this::changed);
        }

        @Override
        public void deaf() {
            hears(false);
        }
    }

    /** A relation that someone watches, and the timer after which a change is supposed. Guarded by the one around it. */
    private final class Watched {

        private final Relation relation;
        private final Map<Object, Runnable> watchers = new ConcurrentHashMap<>();
        private volatile boolean notifies;
        private long timer;

        Watched(Relation relation) {
            this.relation = relation;
        }

        void restart() {
            stop();
            wait(notifies && hears ? interval.multipliedBy(SELDOM) : interval);
        }

        void stop() {
            vertx.cancelTimer(timer);
        }

        private void wait(Duration time) {
            timer = vertx.setPeriodic(time.toMillis(), tick -> changed(this));
        }
    }
}
