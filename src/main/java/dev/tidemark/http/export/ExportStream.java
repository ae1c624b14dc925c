package dev.tidemark.http.export;

import dev.tidemark.http.edge.StreamedBody;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * An export to one client. It writes a page, and waits until the socket has accepted the page before it reads the next
 * one. Between two pages, it holds no database connection. For a client that reads slowly, it keeps only one page in
 * memory.
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

    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context = Vertx.currentContext();
    private final HttpServerRequest request;
    private final ExportPages pages;
    private final Optional<GzipCoding> gzip;
    private final Duration stalledTimeout;
    private final Consumer<ExportStream> onEnd;

    private final CompletableFuture<Void> whenEnded = new CompletableFuture<>();
    private ExportClient client;
    private Cancellable subscription;
    private Runnable finishResponse;
    private Long checkTimer;

    /** When the first page was read; {@code null} before that. */
    private Long firstReadNanos;

    /** How the export has ended or, before its end, the outcome if it ends now. */
    private Outcome outcome = Outcome.DISCONNECTED;

    /** Volatile, because other exports read it on their own threads. */
    private volatile boolean reading = true;

    private boolean ended;

    /** @param onEnd called once when the export has ended for any reason */
    ExportStream(
            Vertx vertx,
            HttpServerRequest request,
            ExportPages pages,
            Optional<GzipCoding> gzip,
            Duration stalledTimeout,
            Consumer<ExportStream> onEnd) {
        this.vertx = vertx;
        this.request = request;
        this.pages = pages;
        this.gzip = gzip;
        this.stalledTimeout = stalledTimeout;
        this.onEnd = onEnd;
    }

    /**
     * Emits the stream once its first page has been read. Fails if the first page cannot be read; the client then gets
     * the same response as after the failure of any other request.
     */
    Uni<ExportStream> begin() {
        long interval = Math.max(1, Math.min(MAX_CHECK_INTERVAL.toMillis(), stalledTimeout.toMillis() / 4));
        checkTimer = vertx.setPeriodic(interval, tick -> check());
        return pages.begin()
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
        client = new ExportClient(request, response);
        response.addCloseHandler(this::end);
        if (ended || response.closed()) {
            end();
        } else {
            subscription = Multi.createBy()
                    .repeating()
                    .uni(this::writeThenRead)
                    .whilst(more -> more)
                    .collect()
                    .last()
                    .chain(this::writeGzipEnd)
                    .subscribe()
                    .with(written -> end(), failure -> end());
        }
    }

    /** Writes the lines, then reads the next page. Emits whether the export continues. */
    private Uni<Boolean> writeThenRead() {
        return write(pages.takeLines()).chain(() -> {
            if (!pages.hasNext()) {
                outcome = pages.hasFailed() ? Outcome.PROBLEM : Outcome.COMPLETE;
                return Uni.createFrom().item(false);
            }
            return pages.isStopRequested()
                    ? Uni.createFrom().item(false)
                    : pages.next().replaceWith(true);
        });
    }

    private Uni<Void> write(byte[] lines) {
        reading = false;
        return client.write(gzip.isPresent() ? gzip.get().encode(lines) : lines).invoke(() -> reading = true);
    }

    private Uni<Void> writeGzipEnd() {
        return gzip.isPresent()
                ? client.write(gzip.get().finish())
                : Uni.createFrom().voidItem();
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
            pages.requestStop();
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
                vertx.cancelTimer(checkTimer);
                if (subscription != null) {
                    subscription.cancel();
                }
                gzip.ifPresent(GzipCoding::close);
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
        if (finishResponse != null) {
            Runnable finish = finishResponse;
            finishResponse = null;
            client.end();
            finish.run();
        }
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
        return pages.itemCount();
    }
}
