package dev.tidemark.http.export;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads the pages of one export, with pauses between the pages, as {@link ExportPauses} determines. After the first
 * page, temporary failures are retried for a limited time; if a page still cannot be read, the last line of the export
 * is a problem. Runs in the context of the client's request; not thread-safe.
 */
final class ExportPages {

    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(50);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context = Vertx.currentContext();
    private final ExportWalk walk;
    private final ExportPauses pauses;
    private final Duration retryTimeout;
    private final Function<Throwable, byte[]> toProblemJson;
    private boolean failed;
    private boolean isStopRequested;

    /** @param toProblemJson converts a failure to a problem in JSON */
    ExportPages(
            Vertx vertx,
            ExportWalk walk,
            ExportPauses pauses,
            Duration retryTimeout,
            Function<Throwable, byte[]> toProblemJson) {
        this.vertx = vertx;
        this.walk = walk;
        this.pauses = pauses;
        this.retryTimeout = retryTimeout;
        this.toProblemJson = toProblemJson;
    }

    /** Reads the first page, without a pause or a retry. */
    Uni<Void> begin() {
        return walk.begin().emitOn(contextExecutor());
    }

    /** Reads the next page after the pause. Never fails: after a failed read, the last line is a problem. */
    Uni<Void> next() {
        long millis = pauses.remainingMillis(System.nanoTime());
        Uni<Void> pause = millis == 0
                ? Uni.createFrom().voidItem()
                : Uni.createFrom().emitter(ended -> vertx.setTimer(millis, now -> ended.complete(null)));
        return pause.chain(this::read);
    }

    private Uni<Void> read() {
        long startNanos = System.nanoTime();
        return walk.next()
                .runSubscriptionOn(contextExecutor())
                .onFailure()
                .retry()
                .withBackOff(MIN_RETRY_DELAY, MAX_RETRY_DELAY)
                .until(failure -> isTemporary(failure)
                        && !isStopRequested
                        && System.nanoTime() - startNanos < retryTimeout.toNanos())
                .emitOn(contextExecutor())
                .invoke(() -> pauses.recordRead(startNanos, System.nanoTime()))
                .onFailure()
                .recoverWithItem(failure -> {
                    failed = true;
                    walk.fail(toProblemJson.apply(failure));
                    return null;
                });
    }

    private static boolean isTemporary(Throwable failure) {
        return failure instanceof ReadFailure read
                && (read.reason() == Reason.UNAVAILABLE || read.reason() == Reason.OVERLOADED);
    }

    /** Stops the retries of a failed read. */
    void requestStop() {
        isStopRequested = true;
    }

    boolean isStopRequested() {
        return isStopRequested;
    }

    /** Returns whether a page could not be read, so that the last line is a problem. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * Returns whether another page can be read: the end of the requested part and the limit have not been reached, and
     * the export has not failed.
     */
    boolean hasNext() {
        return walk.hasNext();
    }

    /** Returns and removes the lines of the page that was read last. */
    byte[] takeLines() {
        return walk.takeLines();
    }

    long itemCount() {
        return walk.itemCount();
    }

    private Executor contextExecutor() {
        return task -> context.runOnContext(now -> task.run());
    }
}
