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
 * Others at work: simulated messages, edits and deletions, so many a second. Each tick waits for the one before, so that a
 * database that is slow gets fewer of them and no queue.
 */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class Traffic {

    private static final Logger LOG = Logger.getLogger(Traffic.class);

    private static final Duration TICK = Duration.ofMillis(50);

    private final Pool pool;
    private final int atStart;
    private volatile Rates rates = new Rates(0, 0, 0);
    private Cancellable ticking = () -> {};
    private final AtomicLong done = new AtomicLong();
    private boolean failing;

    Traffic(@ReactiveDataSource("inbox") Pool pool, InboxConfig config) {
        this.pool = pool;
        this.atStart = config.traffic();
    }

    void onHttp(@ObservesAsync HttpServerStart started) {
        if (atStart > 0) {
            turn(Rates.of(atStart));
        }
    }

    Rates rates() {
        return rates;
    }

    /** Changes made since the process began. */
    long done() {
        return done.get();
    }

    /** From now on at these rates, until told otherwise. */
    synchronized void turn(Rates wanted) {
        ticking.cancel();
        rates = wanted;
        if (wanted.sum() > 0) {
            var due = new RateAccumulator(wanted);
            ticking = Multi.createFrom()
                    .ticks()
                    .every(TICK)
                    .onOverflow()
                    .drop()
                    .onItem()
                    .transformToUniAndConcatenate(tick -> run(due.at(System.nanoTime())))
                    .subscribe()
                    .with(done -> {}, failure -> LOG.error("The simulated traffic has ended", failure));
        }
    }

    private Uni<Void> run(Rates changes) {
        return TrafficSql.insert(pool, changes.inserts())
                .chain(() -> TrafficSql.edit(pool, changes.edits()))
                .chain(() -> TrafficSql.delete(pool, changes.deletes()))
                .invoke(() -> {
                    done.addAndGet(changes.sum());
                    failing = false;
                })
                .onFailure()
                .recoverWithUni(failure -> pause(failure));
    }

    /** Told once for each time that the database is away. */
    private Uni<Void> pause(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.warnf("The simulated traffic waits for the database: %s", failure.getMessage());
        }
        return Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofSeconds(1));
    }

    @PreDestroy
    synchronized void stop() {
        ticking.cancel();
    }
}
