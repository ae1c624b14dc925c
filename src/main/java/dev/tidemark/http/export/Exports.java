package dev.tidemark.http.export;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.edge.ContentCoding;
import dev.tidemark.http.export.ExportStream.Outcome;
import dev.tidemark.http.export.ExportWalk.ExportQuery;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of exports that run in this process, counts them, and ends them at shutdown. {@link ExportPauses} leaves time
 * for the pages of other clients.
 */
@Singleton
class Exports {

    /** The maximum time that shutdown waits for the exports to end. */
    private static final Duration MAX_STOP_WAIT = Duration.ofSeconds(1);

    private static final Problem TOO_MANY =
            Problem.of(ProblemCode.OVERLOADED, "this server has reached its limit of exports; try again later");

    private final ServedFeeds feeds;
    private final QueryOpener opener;
    private final FeedReader reader;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final ReadProblems problems;
    private final ExportConfig config;
    private final int maxPageBytes;
    private final Counter items;
    private final Map<Outcome, Counter> endedByOutcome = new EnumMap<>(Outcome.class);
    private final Vertx vertx;
    private final Semaphore free;
    private final Set<ExportStream> runningExports = ConcurrentHashMap.newKeySet();

    Exports(
            ServedFeeds feeds,
            QueryOpener opener,
            FeedReader reader,
            CursorSealer cursors,
            MomentSealer moments,
            ReadProblems problems,
            ExportConfig config,
            PageConfig pageConfig,
            MeterRegistry metrics,
            Vertx vertx) {
        this.feeds = feeds;
        this.opener = opener;
        this.reader = reader;
        this.cursors = cursors;
        this.moments = moments;
        this.problems = problems;
        this.config = config;
        this.maxPageBytes = Math.toIntExact(pageConfig.maxPageBytes().asLongValue());
        this.vertx = vertx;
        this.free = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.export.streams", runningExports, Set::size)
                .description("Exports that are running")
                .register(metrics);
        this.items = Counter.builder("tidemark.export.items")
                .description("Items that were read for exports that have ended")
                .register(metrics);
        for (Outcome outcome : Outcome.values()) {
            endedByOutcome.put(
                    outcome,
                    Counter.builder("tidemark.exports")
                            .description("Exports that have ended")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(metrics));
        }
    }

    /**
     * Emits the export once its first page is read. Must be called in the context of the request, and the result must
     * be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.export.max-streams} exports are running
     */
    Uni<ExportStream> open(ServedFeed served, ExportQuery query, RoutingContext context) {
        ExportWalk walk = new ExportWalk(served, query, opener, reader, cursors, moments, maxPageBytes);
        ExportStream stream = new ExportStream(
                vertx,
                context.request(),
                ContentCoding.isGzipWanted(context),
                walk,
                new ExportPauses(feeds::pageCount, this::readingExportCount),
                config.stalledTimeout(),
                failure -> problems.recordAsJson(failure, context),
                this::onEnd);
        if (!free.tryAcquire()) {
            throw TOO_MANY;
        }
        runningExports.add(stream);
        return stream.begin();
    }

    private long readingExportCount() {
        return runningExports.stream().filter(ExportStream::isReading).count();
    }

    /**
     * A request that was answered without lines, because it was a HEAD request or got a problem instead, is not counted
     * as an ended export.
     */
    private void onEnd(ExportStream stream) {
        if (runningExports.remove(stream)) {
            free.release();
            if (stream.hasBodyBegun()) {
                Objects.requireNonNull(endedByOutcome.get(stream.outcome())).increment();
                items.increment((double) stream.itemCount());
            }
        }
    }

    /**
     * Ends each export after its current page, so that clients can continue with another process. Waits at most
     * {@link #MAX_STOP_WAIT}.
     */
    void end(@Observes ShutdownEvent stop) {
        runningExports.forEach(ExportStream::requestStop);
        CompletableFuture.allOf(
                        runningExports.stream().map(ExportStream::whenEnded).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, MAX_STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
