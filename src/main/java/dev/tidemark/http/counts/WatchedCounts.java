package dev.tidemark.http.counts;

import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.feed.read.FeedCounter.ValueCounts;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.events.SharedReads;
import dev.tidemark.http.events.UnindexedReads;
import dev.tidemark.http.fresh.FreshStreams;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * The counts by value of this process that event streams follow. Streams of equal counts share one
 * {@link SharedCounts}.
 */
@Singleton
class WatchedCounts {

    private static final Logger LOG = Logger.getLogger(WatchedCounts.class);

    /** The maximum number of concurrent statements over all counts. */
    private static final int MAX_CONCURRENT_STATEMENTS = 8;

    private final FeedCounter counter;
    private final FeedChanges changes;
    private final Vertx vertx;
    private final EventStreams.Kind kind;
    private final Counter reads;
    private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT_STATEMENTS);

    private final UnindexedReads unindexed;

    private final SharedReads<CountsByValue, SharedCounts> shared = new SharedReads<>();

    WatchedCounts(
            FeedCounter counter,
            FeedChanges changes,
            FreshStreams streams,
            MeterRegistry registry,
            UnindexedReads unindexed,
            Vertx vertx) {
        this.counter = counter;
        this.changes = changes;
        this.vertx = vertx;
        this.unindexed = unindexed;
        this.kind = streams.kind();
        this.reads = Counter.builder("tidemark.counts.reads")
                .description("Counts by value for event streams")
                .register(registry);
        Gauge.builder("tidemark.counts.lists", () -> shared.all().size())
                .description("Different counts by value that event streams follow")
                .register(registry);
    }

    /**
     * Opens a stream, and emits it once its first event is known or the stream has ended. Must be called in the
     * context of the request, and the result must be subscribed to.
     *
     * @throws dev.tidemark.http.problem.Problem {@code overloaded}, if {@code tidemark.fresh.max-streams} streams are
     *     open, or the server is stopping
     */
    Uni<EventStream> open(CountsByValue counts, Caller caller, RoutingContext context) {
        CountsClient client = new CountsClient();
        return kind.open(counts.list().feed(), caller, context, client, stream -> {
            client.sendTo(stream);
            return shared.follow(
                    counts,
                    () -> new SharedCounts(counts, this, changes, vertx),
                    followed -> followed.add(client),
                    followed -> followed.remove(client));
        });
    }

    /** Counts when it is its turn. */
    Uni<ValueCounts> count(CountsByValue counts, boolean isAwaited) {
        Uni<ValueCounts> statement = limit.applyAndRest(
                Uni.createFrom().deferred(() -> {
                    reads.increment();
                    return counter.countByValueAfterChange(counts);
                }),
                isAwaited,
                Duration.ZERO,
                vertx);
        return (counter.isServedByIndex(counts) ? statement : unindexed.apply(statement))
                .onFailure(failure -> !(failure instanceof ReadFailure))
                .invoke(failure -> LOG.errorf(
                        failure, "Cannot count by %s in %s", counts.by().name(), counts.list()));
    }

    void remove(CountsByValue counts, SharedCounts dropped) {
        shared.remove(counts, dropped);
    }
}
