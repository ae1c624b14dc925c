package dev.tidemark.http.live;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.framework.Contexts;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.json.ItemTooLargeException;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The live windows of this process. Streams of equal windows share one {@link LiveWindow}.
 *
 * <p>Windows are modified in a single Vert.x context, so they need no locks.
 */
@Singleton
class LiveWindows {

    private static final Logger LOG = Logger.getLogger(LiveWindows.class);

    private static final Problem TOO_MANY_WINDOWS = Problem.of(
            ProblemCode.OVERLOADED,
            "this server has reached its limit of different live windows; refresh with since instead");

    /**
     * The maximum number of concurrent reads over all windows. After each read, as much time passes before another one
     * takes its turn as the read has taken. So the reads leave at least half of the database's time to pages when many
     * windows change.
     */
    private static final int MAX_CONCURRENT_READS = 8;

    /** Otherwise, the windows would wait for another six seconds after the database was silent for six. */
    private static final Duration MAX_REST = Duration.ofMillis(500);

    private final FeedReader reader;
    private final FeedChanges changes;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;
    private final LiveMetrics metrics;
    private final int maxWindows;
    private final int maxPageBytes;
    private final Vertx vertx;
    private final Context context;
    private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT_READS);

    /** The windows that no index serves take turns, and leave half of the connections for such lists to pages. */
    private final ConcurrencyLimit unindexedLimit;

    private final Map<WindowKey, LiveWindow> windows = new ConcurrentHashMap<>();

    LiveWindows(
            FeedReader reader,
            FeedChanges changes,
            CursorSealer cursors,
            MomentSealer moments,
            KeyedHash hash,
            LiveConfig config,
            PageConfig pageConfig,
            MeterRegistry registry,
            Vertx vertx,
            @ConfigProperty(name = "tidemark.free-connections", defaultValue = "4") int freeConnections) {
        this.reader = reader;
        this.changes = changes;
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
        this.metrics = new LiveMetrics(registry, windows);
        this.maxWindows = config.maxWindows();
        this.maxPageBytes = Math.toIntExact(pageConfig.maxPageBytes().asLongValue());
        this.vertx = vertx;
        this.unindexedLimit = new ConcurrencyLimit(Math.max(1, freeConnections / 2));
        this.context = VertxContext.getRootContext(vertx.getOrCreateContext());
    }

    /**
     * Sends events to a client until the watch is closed. If the window cannot be read before the first event, or if
     * {@code tidemark.live.max-windows} other windows are open, the stream fails.
     */
    Watch join(LiveRequest request, LiveClient client, EventStream stream) {
        WindowKey key = request.window();
        run(() -> {
            LiveWindow window = windows.get(key);
            if (window == null) {
                if (windows.size() >= maxWindows) {
                    windows.values().forEach(LiveWindow::dropIfIdle);
                }
                if (windows.size() >= maxWindows) {
                    stream.fail(TOO_MANY_WINDOWS);
                    return;
                }
                window = new LiveWindow(request.served(), key, this, changes);
                windows.put(key, window);
            }
            client.begin(stream, window);
            window.add(client, request.floor());
        });
        return () -> run(() -> {
            LiveWindow window = windows.get(key);
            if (window != null) {
                window.remove(client);
            }
        });
    }

    /** Runs the task in the shared context. Callable from any thread. */
    void run(Runnable task) {
        context.runOnContext(now -> task.run());
    }

    /** Whether the current thread is that of the shared context. */
    boolean isInContext() {
        return Contexts.isOnEventLoopOf(context);
    }

    /** Runs the task in the shared context after the delay. */
    void runAfter(Duration delay, Runnable task) {
        // Adds 1 ms, because toMillis() truncates and the task must never run early.
        vertx.setTimer(delay.toMillis() + 1, timer -> run(task));
    }

    /**
     * Reads a window when it is its turn. Emits in the shared context.
     *
     * @param isWanted whether anybody still follows the window; called on any thread when it is the window's turn
     * @return the page; empty if the window was not read, because nobody follows it anymore
     */
    Uni<Optional<Page>> read(ListState state, PageRequest request, WindowRows rows, BooleanSupplier isWanted) {
        AtomicLong tookNanos = new AtomicLong();
        Uni<Optional<Page>> read = limit.apply(
                Uni.createFrom().deferred(() -> {
                    if (!isWanted.getAsBoolean()) {
                        return Uni.createFrom().item(Optional.empty());
                    }
                    metrics.recordRead();
                    long start = System.nanoTime();
                    return reader.readAfterChange(state, request, rows)
                            .onTermination()
                            .invoke(() -> tookNanos.set(System.nanoTime() - start))
                            .map(Optional::of);
                }),
                release -> rest(Duration.ofNanos(Math.min(tookNanos.get(), MAX_REST.toNanos())), release));
        return (reader.isServedByIndex(state) ? read : unindexedLimit.apply(read))
                .onFailure(failure -> !(failure instanceof ReadFailure || failure instanceof ItemTooLargeException))
                .invoke(failure -> LOG.errorf(failure, "Cannot read a live window of %s", state))
                .emitOn(this::run);
    }

    private void rest(Duration time, Runnable release) {
        if (time.toMillis() == 0) {
            release.run();
        } else {
            vertx.setTimer(time.toMillis(), timer -> release.run());
        }
    }

    /** Drops a window that has no clients left. */
    void drop(WindowKey key, LiveWindow window) {
        windows.remove(key, window);
    }

    CursorSealer cursors() {
        return cursors;
    }

    MomentSealer moments() {
        return moments;
    }

    KeyedHash hash() {
        return hash;
    }

    int maxPageBytes() {
        return maxPageBytes;
    }

    LiveMetrics metrics() {
        return metrics;
    }
}
