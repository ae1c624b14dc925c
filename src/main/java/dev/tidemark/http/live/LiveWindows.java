package dev.tidemark.http.live;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.events.SharedReads;
import dev.tidemark.http.events.UnindexedReads;
import dev.tidemark.http.json.ItemTooLargeException;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/** The live windows of this process, and their streams. Streams of equal windows share one {@link LiveWindow}. */
@Singleton
class LiveWindows {

    private static final Logger LOG = Logger.getLogger(LiveWindows.class);

    private static final Problem TOO_MANY_WINDOWS = Problem.of(
            ProblemCode.OVERLOADED,
            "this server has reached its limit of different live windows; refresh with since instead");

    /** The maximum number of concurrent reads over all windows. */
    private static final int MAX_CONCURRENT_READS = 8;

    private final FeedReader reader;
    private final FeedChanges changes;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final KeyedHash hash;
    private final ReadProblems problems;
    private final LiveMetrics metrics;
    private final int maxWindows;
    private final int maxPageBytes;
    private final Vertx vertx;
    private final EventStreams.Kind kind;
    private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT_READS);

    /** The number of streams of each window that is followed. A window that nobody follows may still be read. */
    private final Map<WindowKey, Integer> followers = new HashMap<>();

    /** The windows of a feed whose statements are slow leave half of the reads to others. */
    private final Map<String, ConcurrencyLimit> limitsByFeed = new ConcurrentHashMap<>();

    private final UnindexedReads unindexed;

    private final SharedReads<WindowKey, LiveWindow> windows = new SharedReads<>();

    LiveWindows(
            FeedReader reader,
            FeedChanges changes,
            CursorSealer cursors,
            MomentSealer moments,
            KeyedHash hash,
            ReadProblems problems,
            LiveConfig config,
            PageConfig pageConfig,
            MeterRegistry registry,
            EventStreams streams,
            UnindexedReads unindexed,
            Vertx vertx) {
        this.reader = reader;
        this.changes = changes;
        this.cursors = cursors;
        this.moments = moments;
        this.hash = hash;
        this.problems = problems;
        this.metrics = new LiveMetrics(registry, windows::all);
        this.maxWindows = config.maxWindows();
        this.maxPageBytes = Math.toIntExact(pageConfig.maxPageBytes().asLongValue());
        this.vertx = vertx;
        this.unindexed = unindexed;
        this.kind = streams.kind(
                "tidemark.live.streams",
                "Streams of live windows that are open",
                config.maxStreams(),
                config.heartbeat(),
                "this server has reached its limit of live streams; refresh with since instead");
    }

    /**
     * Opens a stream, and emits it once its first event is known or the stream has ended. Must be called in the
     * context of the request, and the result must be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.live.max-streams} streams are open, or the server is
     *     stopping
     */
    Uni<EventStream> open(LiveRequest request, RoutingContext context) {
        LiveClient client = new LiveClient(request.since(), failure -> problems.recordAsJson(failure, context));
        return kind.open(
                request.served().feed(), request.caller(), context, client, stream -> join(request, client, stream));
    }

    /**
     * Sends events to a client until the watch is closed. If the window cannot be read before the first event, or if
     * {@code tidemark.live.max-windows} other windows are followed, the stream fails.
     */
    Watch join(LiveRequest request, LiveClient client, EventStream stream) {
        WindowKey key = request.window();
        if (!tryEnter(key)) {
            stream.fail(TOO_MANY_WINDOWS);
            return () -> {};
        }
        Watch watch = windows.follow(
                key,
                () -> new LiveWindow(request.served(), key, this, changes, vertx),
                window -> {
                    client.begin(stream, window);
                    window.add(client, request.floor());
                },
                window -> window.remove(client));
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (closed.compareAndSet(false, true)) {
                watch.close();
                leave(key);
            }
        };
    }

    private synchronized boolean tryEnter(WindowKey key) {
        boolean hasPlace = followers.containsKey(key) || followers.size() < maxWindows;
        if (hasPlace) {
            followers.merge(key, 1, Integer::sum);
        }
        return hasPlace;
    }

    private synchronized void leave(WindowKey key) {
        followers.computeIfPresent(key, (followed, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Reads a window when it is its turn.
     *
     * @param isWanted whether anybody still follows the window; called on any thread when it is the window's turn
     * @return the page; empty if the window was not read, because nobody follows it anymore
     */
    Uni<Optional<Page>> read(ListState state, PageRequest request, WindowRows rows, BooleanSupplier isWanted) {
        Uni<Optional<Page>> read = limit.applyAndRest(
                Uni.createFrom().deferred(() -> {
                    if (!isWanted.getAsBoolean()) {
                        return Uni.createFrom().item(Optional.empty());
                    }
                    metrics.recordRead();
                    return reader.readAfterChange(state, request, rows).map(Optional::of);
                }),
                false,
                Duration.ZERO,
                vertx);
        Uni<Optional<Page>> fair = limitsByFeed
                .computeIfAbsent(state.feed().name(), feed -> new ConcurrencyLimit(MAX_CONCURRENT_READS / 2))
                .apply(read);
        return (reader.isServedByIndex(state) ? fair : unindexed.apply(fair))
                .onFailure(failure -> !(failure instanceof ReadFailure || failure instanceof ItemTooLargeException))
                .invoke(failure -> LOG.errorf(failure, "Cannot read a live window of %s", state));
    }

    void remove(WindowKey key, LiveWindow dropped) {
        windows.remove(key, dropped);
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
