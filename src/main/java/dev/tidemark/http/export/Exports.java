package dev.tidemark.http.export;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.edge.ContentCoding;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.page.PageRequestResolver;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of exports that run in this process, and ends them at shutdown. {@link ExportPauses} leaves time
 * for the pages of other clients.
 */
@Singleton
class Exports {

    /** The maximum time that shutdown waits for the exports to end. */
    private static final Duration MAX_STOP_WAIT = Duration.ofSeconds(1);

    private final ServedFeeds feeds;
    private final PageRequestResolver requests;
    private final FeedReader reader;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final ReadProblems problems;
    private final ExportConfig config;
    private final int maxPageBytes;
    private final ExportMetrics metrics;
    private final Vertx vertx;
    private final Semaphore permits;
    private final Set<ExportStream> runningExports = ConcurrentHashMap.newKeySet();

    Exports(
            ServedFeeds feeds,
            PageRequestResolver requests,
            FeedReader reader,
            CursorSealer cursors,
            MomentSealer moments,
            ReadProblems problems,
            ExportConfig config,
            PageConfig pageConfig,
            MeterRegistry metrics,
            Vertx vertx) {
        this.feeds = feeds;
        this.requests = requests;
        this.reader = reader;
        this.cursors = cursors;
        this.moments = moments;
        this.problems = problems;
        this.config = config;
        this.maxPageBytes = Math.toIntExact(pageConfig.maxPageBytes().asLongValue());
        this.metrics = new ExportMetrics(metrics, runningExports);
        this.vertx = vertx;
        this.permits = new Semaphore(config.maxStreams());
    }

    /**
     * Emits the export once its first page is read. Must be called in the context of the request, and the result must
     * be subscribed to.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.export.max-streams} exports are running
     */
    Uni<ExportStream> open(ServedFeed served, ExportQuery query, RoutingContext context) {
        boolean isGzipWanted = ContentCoding.isGzipWanted(context);
        ExportWalk walk = new ExportWalk(served, query, requests, reader, cursors, moments, maxPageBytes);
        if (!permits.tryAcquire()) {
            throw Problem.of(ProblemCode.OVERLOADED, "this server has reached its limit of exports; try again later");
        }
        ExportStream stream = new ExportStream(
                vertx,
                context.request(),
                new ExportPages(
                        vertx,
                        walk,
                        new ExportPauses(feeds::pageCount, this::readingExportCount),
                        // The timeout for stalled clients also limits how long failed reads are retried.
                        config.stalledTimeout(),
                        failure -> problems.recordAsJson(failure, context)),
                isGzipWanted ? Optional.of(new GzipCoding()) : Optional.empty(),
                config.stalledTimeout(),
                this::onEnd);
        runningExports.add(stream);
        return stream.begin();
    }

    private long readingExportCount() {
        return runningExports.stream().filter(ExportStream::isReading).count();
    }

    private void onEnd(ExportStream stream) {
        if (runningExports.remove(stream)) {
            permits.release();
            metrics.recordEnd(stream);
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
