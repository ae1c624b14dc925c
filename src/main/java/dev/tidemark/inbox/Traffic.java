package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.vertx.http.HttpServerStart;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Simulates other users, who insert, edit and delete messages at configured rates. Each tick waits for the previous
 * one, so that a slow database receives fewer changes instead of a growing queue.
 */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class Traffic {

    private static final Logger LOG = Logger.getLogger(Traffic.class);

    private static final Duration TICK = Duration.ofMillis(50);

    private final Pool pool;
    private final int initialRate;
    private final Duration attention;
    private volatile Rates rates = Rates.NONE;
    private volatile boolean attended;
    private volatile long lastAttention = System.nanoTime();
    private Cancellable tickSubscription = () -> {};
    private final AtomicLong changesMade = new AtomicLong();
    private boolean isFailing;

    Traffic(@ReactiveDataSource("inbox") Pool pool, InboxConfig config) {
        this.pool = pool;
        this.initialRate = config.traffic();
        this.attention = config.trafficAttention();
    }

    void onHttp(@ObservesAsync HttpServerStart started) {
        if (initialRate > 0) {
            setRates(Rates.of(initialRate));
        }
    }

    Rates rates() {
        return rates;
    }

    /** Whether the traffic stops once no page asks for its rates. */
    boolean isAttended() {
        return attended;
    }

    /** How long attended traffic goes on after a page has asked for its rates. */
    Duration attention() {
        return attention;
    }

    /** Notes that a page has asked for the rates. */
    void attend() {
        lastAttention = System.nanoTime();
    }

    /** The number of changes since the process started. */
    long changesMade() {
        return changesMade.get();
    }

    /** Applies new rates. */
    void setRates(Rates newRates) {
        setRates(newRates, false);
    }

    /**
     * Applies new rates.
     *
     * @param whileAttended whether the traffic stops once no page asks for its rates, so that it ends with the page
     *     that has started it, or if several pages are open, with the last one
     */
    synchronized void setRates(Rates newRates, boolean whileAttended) {
        tickSubscription.cancel();
        attend();
        attended = whileAttended;
        rates = newRates;
        if (newRates.sum() > 0) {
            var accumulator = new RateAccumulator(newRates);
            tickSubscription = Multi.createFrom()
                    .ticks()
                    .every(TICK)
                    .onOverflow()
                    .drop()
                    .onItem()
                    .transformToUniAndConcatenate(tick -> makeChanges(accumulator.takeDue(System.nanoTime())))
                    .subscribe()
                    .with(done -> {}, failure -> LOG.error("The simulated traffic has stopped", failure));
        }
    }

    private Uni<Void> makeChanges(Rates changes) {
        if (attended && System.nanoTime() - lastAttention > attention.toNanos()) {
            setRates(Rates.NONE);
            return Uni.createFrom().voidItem();
        }
        return TrafficSql.insert(pool, changes.inserts())
                .chain(() -> TrafficSql.edit(pool, changes.edits()))
                .chain(() -> TrafficSql.delete(pool, changes.deletes()))
                .invoke(() -> {
                    changesMade.addAndGet(changes.sum());
                    isFailing = false;
                })
                .onFailure()
                .recoverWithUni(failure -> warnAndPause(failure));
    }

    /** Logs one warning for each outage of the database, and waits a second after each failure. */
    private Uni<Void> warnAndPause(Throwable failure) {
        if (!isFailing) {
            isFailing = true;
            LOG.warnf("The simulated traffic is waiting for the database: %s", failure.getMessage());
        }
        return Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofSeconds(1));
    }

    @PreDestroy
    synchronized void stop() {
        tickSubscription.cancel();
    }
}
