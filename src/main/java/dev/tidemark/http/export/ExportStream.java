package dev.tidemark.http.export;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.http.edge.StreamedBody;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * An export to one client. It writes a page, and waits until the socket has accepted the page before it reads the next
 * one, after a pause that {@link ExportPauses} determines. Between two pages, it holds no database connection. For a
 * client that reads slowly, it keeps only one page in memory.
 *
 * <p>After the first page, temporary failures are retried for a limited time; if a page still cannot be read, the last
 * line of the export is a problem.
 *
 * <p>Everything runs in the context of the client's request; calls from other threads are dispatched to this context.
 */
final class ExportStream implements StreamedBody {

    /** How an export ended. */
    enum Outcome {
        /** The export ended with its end line. */
        COMPLETE,
        /** The export ended with a line that contains a problem. */
        PROBLEM,
        /** The client disconnected. */
        DISCONNECTED,
        /** The client stopped reading. */
        STALLED,
        /** The server is shutting down. */
        STOPPED
    }

    private static final Set<Reason> TEMPORARY = EnumSet.of(Reason.UNAVAILABLE, Reason.OVERLOADED, Reason.LOCKED);

    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);

    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(50);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context = Vertx.currentContext();
    private final HttpServerRequest request;
    private final boolean isGzipWanted;
    private final ExportWalk walk;
    private final ExportPauses pauses;
    private final Duration stalledTimeout;
    private final Function<Throwable, byte[]> toProblemJson;
    private final Consumer<ExportStream> onEnd;

    private final CompletableFuture<Void> whenEnded = new CompletableFuture<>();
    private @Nullable ExportClient client;
    private @Nullable Cancellable subscription;
    private @Nullable Runnable finishResponse;
    private @Nullable Long checkTimer;

    /** When the first page was read; {@code null} before that. */
    private @Nullable Long firstReadNanos;

    /** How the export has ended or, before its end, the outcome if it ends now. */
    private Outcome outcome = Outcome.DISCONNECTED;

    /** Volatile, because other exports read it on their own threads. */
    private volatile boolean reading = true;

    private boolean failed;
    private boolean isStopRequested;
    private boolean ended;

    /**
     * @param stalledTimeout how long the client may read nothing, and how long failed reads are retried
     * @param toProblemJson converts a failure to a problem in JSON
     * @param onEnd called once when the export has ended for any reason
     */
    ExportStream(
            Vertx vertx,
            HttpServerRequest request,
            boolean isGzipWanted,
            ExportWalk walk,
            ExportPauses pauses,
            Duration stalledTimeout,
            Function<Throwable, byte[]> toProblemJson,
            Consumer<ExportStream> onEnd) {
        this.vertx = vertx;
        this.request = request;
        this.isGzipWanted = isGzipWanted;
        this.walk = walk;
        this.pauses = pauses;
        this.stalledTimeout = stalledTimeout;
        this.toProblemJson = toProblemJson;
        this.onEnd = onEnd;
    }

    /**
     * Emits the stream once its first page has been read. Fails if the first page cannot be read; the client then gets
     * the same response as after the failure of any other request.
     */
    Uni<ExportStream> begin() {
        long interval = Math.max(1, Math.min(MAX_CHECK_INTERVAL.toMillis(), stalledTimeout.toMillis() / 4));
        checkTimer = vertx.setPeriodic(interval, tick -> check());
        return walk.begin()
                .emitOn(this::runInContext)
                .invoke(() -> firstReadNanos = System.nanoTime())
                .replaceWith(this)
                .onFailure()
                .invoke(this::end)
                .onCancellation()
                .invoke(this::end);
    }

    @Override
    public void writeTo(ServerHttpResponse response, Runnable finish) {
        finishResponse = finish;
        ExportClient created = new ExportClient(request, response, isGzipWanted);
        client = created;
        response.addCloseHandler(this::end);
        if (ended || response.closed()) {
            end();
        } else {
            subscription = Multi.createBy()
                    .repeating()
                    .uni(() -> writeThenRead(created))
                    .whilst(more -> more)
                    .collect()
                    .last()
                    .chain(created::writeEnd)
                    .subscribe()
                    .with(written -> end(), failure -> end());
        }
    }

    /** Writes the lines, then reads the next page. Emits whether the export continues. */
    private Uni<Boolean> writeThenRead(ExportClient to) {
        reading = false;
        return to.write(walk.takeLines()).chain(() -> {
            reading = true;
            if (!walk.hasNext()) {
                outcome = failed ? Outcome.PROBLEM : Outcome.COMPLETE;
                return Uni.createFrom().item(false);
            }
            return isStopRequested
                    ? Uni.createFrom().item(false)
                    : pause().chain(this::readNext).replaceWith(true);
        });
    }

    private Uni<Void> pause() {
        long millis = pauses.remainingMillis(System.nanoTime());
        return millis == 0
                ? Uni.createFrom().voidItem()
                : Uni.createFrom().emitter(over -> vertx.setTimer(millis, now -> over.complete(null)));
    }

    /** Reads the next page. Never fails: after a failed read, the last line is a problem. */
    private Uni<Void> readNext() {
        long startNanos = System.nanoTime();
        return walk.next()
                .runSubscriptionOn(this::runInContext)
                .onFailure()
                .retry()
                .withBackOff(MIN_RETRY_DELAY, MAX_RETRY_DELAY)
                .until(failure -> isTemporary(failure)
                        && !isStopRequested
                        && System.nanoTime() - startNanos < stalledTimeout.toNanos())
                .emitOn(this::runInContext)
                .invoke(() -> pauses.recordRead(startNanos, System.nanoTime()))
                .onFailure()
                .recoverWithItem(failure -> {
                    failed = true;
                    walk.fail(toProblemJson.apply(failure));
                    return null;
                });
    }

    private static boolean isTemporary(Throwable failure) {
        return failure instanceof ReadFailure read && TEMPORARY.contains(read.reason());
    }

    /**
     * Cuts off the export if its client does not read, and otherwise restarts the idle timeout. Before the body has
     * begun, only ends the export if the body does not begin in time.
     */
    private void check() {
        if (client == null) {
            if (firstReadNanos != null && System.nanoTime() - firstReadNanos > stalledTimeout.toNanos()) {
                end();
            }
        } else if (client.isStalledFor(stalledTimeout)) {
            outcome = Outcome.STALLED;
            client.abort();
            end();
        } else {
            client.restartIdleTimeout();
        }
    }

    /**
     * Ends the export after the current page. The export has an end line only if this page is the last one. Callable
     * from any thread.
     */
    void requestStop() {
        context.runOnContext(now -> {
            isStopRequested = true;
            if (outcome == Outcome.DISCONNECTED) {
                outcome = Outcome.STOPPED;
            }
        });
    }

    /** Ends the export and releases its resources. Idempotent; callable from any thread. */
    void end() {
        context.runOnContext(now -> {
            if (!ended) {
                ended = true;
                if (checkTimer != null) {
                    vertx.cancelTimer(checkTimer);
                }
                if (subscription != null) {
                    subscription.cancel();
                }
                if (client != null) {
                    client.release();
                }
                onEnd.accept(this);
            }
            finishResponse();
            whenEnded.complete(null);
        });
    }

    /** Completes when the export has ended. */
    CompletableFuture<Void> whenEnded() {
        return whenEnded;
    }

    private void finishResponse() {
        Runnable finish = finishResponse;
        if (finish != null && client != null) {
            finishResponse = null;
            client.end();
            finish.run();
        }
    }

    boolean isGzipWanted() {
        return isGzipWanted;
    }

    /** Returns whether the body has begun. It never begins if the first page fails or the request is HEAD. */
    boolean hasBodyBegun() {
        return client != null;
    }

    /**
     * Returns false while the export waits for its client, and true while it reads a page or pauses between two pages.
     * Callable from any thread.
     */
    boolean isReading() {
        return reading;
    }

    Outcome outcome() {
        return outcome;
    }

    /** Returns the number of items that have been read. */
    long itemCount() {
        return walk.itemCount();
    }

    private void runInContext(Runnable task) {
        context.runOnContext(now -> task.run());
    }
}
