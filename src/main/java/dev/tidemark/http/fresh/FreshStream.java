package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.edge.StreamedBody;
import dev.tidemark.http.problem.Problem;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * An event stream that sends the number of new items to one client. Only one write is in progress at a time. Of the
 * numbers that arrive during a write, only the latest is kept, so a slow client needs no more memory than a fast one.
 *
 * <p>Everything runs in the context of the client's request; calls from other threads are dispatched to this context.
 */
final class FreshStream implements FreshListener, StreamedBody {

    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final Duration MAX_TIMER_DELAY = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final Context context;
    private final long heartbeatMillis;
    private final Consumer<FreshStream> onEnd;

    private UniEmitter<? super FreshStream> emitter;
    private Watch watch;
    private ServerHttpResponse response;
    private Runnable finishResponse;
    private Long heartbeatTimer;
    private Long expiryTimer;
    private FreshCount latestCount;
    private FreshCount lastSentCount;
    private byte[] lastEvent;
    private boolean writing;
    private boolean ended;

    /** @param onEnd called once when the stream has ended for any reason */
    FreshStream(Vertx vertx, Duration heartbeat, Consumer<FreshStream> onEnd) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.heartbeatMillis = heartbeat.toMillis();
        this.onEnd = onEnd;
    }

    /**
     * Emits the stream once its first number is known or the stream has ended. Fails if, before that, the first count
     * fails or the stream ends with a problem; the client then gets the same response as after the failure of any other
     * request.
     *
     * @param startWatch starts a watch that calls the given listener
     */
    Uni<FreshStream> begin(Function<FreshListener, Watch> startWatch) {
        return Uni.createFrom()
                .<FreshStream>emitter(created -> {
                    emitter = created;
                    watch = startWatch.apply(this);
                })
                .onCancellation()
                .invoke(this::end);
    }

    /** Ends the stream at a given time. Must be called before {@link #begin}, in the context of the request. */
    void endAt(Instant time) {
        long wait = Duration.between(Instant.now(), time).toMillis();
        // Waits in steps, because clocks can be adjusted and timers have a maximum delay.
        expiryTimer = vertx.setTimer(Math.max(1, Math.min(wait + 1, MAX_TIMER_DELAY.toMillis())), timer -> {
            if (Instant.now().isBefore(time)) {
                endAt(time);
            } else {
                end();
            }
        });
    }

    @Override
    public void onCount(FreshCount count) {
        context.runOnContext(now -> {
            if (ended) {
                return;
            }
            latestCount = count;
            if (heartbeatTimer == null) {
                heartbeatTimer = vertx.setPeriodic(heartbeatMillis, tick -> writeHeartbeat());
                emitter.complete(this);
            }
            send();
        });
    }

    @Override
    public void onFailure(Throwable failure) {
        context.runOnContext(now -> {
            emitter.fail(failure);
            end();
        });
    }

    /** Writes numbers until the client disconnects or the stream ends. */
    @Override
    public void writeTo(ServerHttpResponse to, Runnable finish) {
        response = to;
        finishResponse = finish;
        to.setChunked(true);
        to.addCloseHandler(this::end);
        if (ended || to.closed()) {
            end();
        } else {
            send();
        }
    }

    /**
     * Ends the stream with a problem: as its last event, or as the response if no number is known yet. Callable from
     * any thread.
     *
     * @param json returns the problem as JSON; called only if the problem is sent as an event
     */
    void end(Problem problem, Supplier<byte[]> json) {
        context.runOnContext(now -> {
            if (ended) {
                return;
            }
            if (heartbeatTimer == null) {
                emitter.fail(problem);
            } else {
                lastEvent = ("event: problem\ndata: " + new String(json.get(), StandardCharsets.UTF_8) + "\n\n")
                        .getBytes(StandardCharsets.UTF_8);
            }
            end();
        });
    }

    /** Ends the stream and releases its resources. Idempotent; callable from any thread. */
    void end() {
        context.runOnContext(now -> {
            if (!ended) {
                ended = true;
                watch.close();
                cancelTimer(heartbeatTimer);
                cancelTimer(expiryTimer);
                // If no number is known yet, the request would otherwise never be answered.
                emitter.complete(this);
                onEnd.accept(this);
            }
            finishResponse();
        });
    }

    private void cancelTimer(Long id) {
        if (id != null) {
            vertx.cancelTimer(id);
        }
    }

    private void finishResponse() {
        if (finishResponse != null) {
            Runnable finish = finishResponse;
            finishResponse = null;
            if (!response.closed()) {
                if (lastEvent == null) {
                    response.end();
                } else {
                    response.end(lastEvent);
                }
            }
            finish.run();
        }
    }

    private void send() {
        if (response != null && !writing && latestCount != lastSentCount) {
            lastSentCount = latestCount;
            write(lastSentCount.event());
        }
    }

    /**
     * Writes a heartbeat. Ends the stream instead if its response has not begun, or if the previous write is still in
     * progress.
     */
    private void writeHeartbeat() {
        if (response == null || writing) {
            end();
        } else {
            write(HEARTBEAT);
        }
    }

    private void write(byte[] bytes) {
        writing = true;
        response.write(bytes, failure -> {
            writing = false;
            if (failure != null) {
                end();
            } else if (!ended) {
                send();
            }
        });
    }
}
