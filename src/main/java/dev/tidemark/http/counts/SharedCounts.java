package dev.tidemark.http.counts;

import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.http.events.SharedRead;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Counts by value, which are repeated after changes for all clients that follow them. */
final class SharedCounts extends SharedRead {

    /** The minimum time from a count that failed to the start of the next. */
    private static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(2);

    private final CountsByValue counts;
    private final WatchedCounts owner;
    private final Watch watch;
    private final Set<CountsClient> clients = new LinkedHashSet<>();

    /** Whether something may have changed since the last count began. */
    private final AtomicBoolean changed = new AtomicBoolean();

    /** Null before the first count. */
    private byte @Nullable [] latest;

    SharedCounts(CountsByValue counts, WatchedCounts owner, FeedChanges changes, Vertx vertx) {
        super(vertx);
        this.counts = counts;
        this.owner = owner;
        this.watch = changes.watch(counts.list(), this::onChange);
    }

    /** Adds a client, and sends it the counts at once if they are known. */
    void add(CountsClient client) {
        assertOnEventLoop();
        clients.add(client);
        if (latest != null) {
            client.send(latest);
        }
        readWhenDue();
    }

    void remove(CountsClient client) {
        assertOnEventLoop();
        clients.remove(client);
        readWhenDue();
    }

    private void onChange() {
        if (changed.compareAndSet(false, true)) {
            run(this::readWhenDue);
        }
    }

    @Override
    protected boolean isIdle() {
        return clients.isEmpty();
    }

    @Override
    protected boolean isOutdated() {
        return latest == null || changed.get();
    }

    @Override
    protected void onDrop() {
        owner.remove(counts, this);
        watch.close();
    }

    @Override
    protected void read() {
        // Changes that are noticed from now on may be missing from the counts, and lead to another read.
        changed.set(false);
        owner.count(counts, latest == null)
                .map(found -> CountsJson.event(counts, found))
                .emitOn(this::run)
                .subscribe()
                .with(this::onCounted, this::onFailure);
    }

    private void onCounted(byte[] event) {
        if (!Arrays.equals(event, latest)) {
            latest = event;
            clients.forEach(client -> client.send(event));
        }
        endRead();
    }

    /** Fails the clients that have no counts yet. The others keep theirs until a count succeeds. */
    private void onFailure(Throwable failure) {
        delayNextRead(MIN_INTERVAL_AFTER_FAILURE);
        if (latest == null) {
            List<CountsClient> failed = List.copyOf(clients);
            clients.clear();
            failed.forEach(client -> client.fail(failure));
        } else {
            changed.set(true);
        }
        endRead();
    }
}
