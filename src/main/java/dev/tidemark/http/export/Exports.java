package dev.tidemark.http.export;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.connections.IncompleteResponse;
import dev.tidemark.http.export.ExportStream.Outcome;
import dev.tidemark.http.export.ExportWalk.ExportQuery;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ReadProblems;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/** Limits the number of exports that run in this process, and counts them. */
@Singleton
class Exports {

    private static final Problem TOO_MANY =
            Problem.of(ProblemCode.OVERLOADED, "this server has reached its limit of exports; try again later");

    private final QueryOpener opener;
    private final FeedReader reader;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final ReadProblems problems;
    private final int maxPageBytes;
    private final Semaphore free;
    private final Counter items;
    private final Map<Outcome, Counter> endedByOutcome = new EnumMap<>(Outcome.class);

    Exports(
            QueryOpener opener,
            FeedReader reader,
            CursorSealer cursors,
            MomentSealer moments,
            ReadProblems problems,
            ExportConfig config,
            PageConfig pageConfig,
            MeterRegistry metrics) {
        this.opener = opener;
        this.reader = reader;
        this.cursors = cursors;
        this.moments = moments;
        this.problems = problems;
        this.maxPageBytes = Math.toIntExact(pageConfig.maxPageBytes().asLongValue());
        this.free = new Semaphore(config.maxStreams());
        Gauge.builder("tidemark.export.streams", free, places -> config.maxStreams() - places.availablePermits())
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
     * Emits the export once its first read has ended. The export takes a place until its response ends or its
     * client goes. Must be called in the context of the request.
     *
     * @throws Problem {@code overloaded}, if {@code tidemark.export.max-streams} exports are running
     */
    Uni<ExportStream> open(
            ServedFeed served, ExportFormat format, ExportQuery query, boolean isGzipWanted, RoutingContext context) {
        if (!free.tryAcquire()) {
            throw TOO_MANY;
        }
        ExportLines lines = format.lines(served, query.first().fields(), maxPageBytes);
        ExportWalk walk = new ExportWalk(served, query, opener, reader, cursors, moments, lines);
        ExportStream stream = new ExportStream(
                walk,
                isGzipWanted,
                failure -> problems.recordAsJson(failure, context),
                () -> IncompleteResponse.cut(context.request()));
        context.addEndHandler(ended -> end(stream, walk));
        if (context.response().closed()) {
            // The client has gone before, so that the handler is not called.
            end(stream, walk);
        }
        // The request can be tried again after a change of the table.
        return stream.begin().onFailure().invoke(failure -> end(stream, walk));
    }

    private void end(ExportStream stream, ExportWalk walk) {
        if (stream.close()) {
            free.release();
            stream.outcome().ifPresent(outcome -> {
                Objects.requireNonNull(endedByOutcome.get(outcome)).increment();
                items.increment((double) walk.itemCount());
            });
        }
    }
}
