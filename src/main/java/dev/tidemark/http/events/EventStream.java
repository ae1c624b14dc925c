package dev.tidemark.http.events;

import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.bodies.StreamedBody;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The response of server-sent events to one client. Only one write is in progress at a time: the next event is taken
 * from the {@link EventSource} when the client has accepted the previous one, so a slow client needs no more memory
 * than a fast one.
 *
 * <p>Everything runs in the context of the client's request; calls from other threads are dispatched to this context.
 */
public final class EventStream implements StreamedBody {

    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final Duration MAX_TIMER_DELAY = Duration.ofMinutes(1);

    /** Browsers that lose their streams together must not come back together. */
    private static final int MIN_RETRY_MILLIS = 1_000;

    private static final int MAX_RETRY_MILLIS = 5_000;

    private final Vertx vertx;
    private final Context context;
    private final EventSource source;
    private final long heartbeatMillis;
    private final Runnable abort;
    private final Consumer<EventStream> onEnd;

    @SuppressWarnings("NullAway.Init") // begin() sets it before anything can call the other methods.
    private UniEmitter<? super EventStream> emitter;

    private Watch watch = () -> {};

    private @Nullable ServerHttpResponse response;
    private @Nullable Runnable finishResponse;
    private @Nullable Long heartbeatTimer;
    private @Nullable Long expiryTimer;
    private byte @Nullable [] last;
    private boolean writing;
    private boolean aborted;
    private boolean ended;

    /**
     * @param abort aborts the response of a client that does not read
     * @param onEnd called once when the stream has ended for any reason
     */
    public EventStream(
            Vertx vertx, EventSource source, Duration heartbeat, Runnable abort, Consumer<EventStream> onEnd) {
        this.vertx = vertx;
        this.source = source;
        this.context = vertx.getOrCreateContext();
        this.heartbeatMillis = heartbeat.toMillis();
        this.abort = abort;
        this.onEnd = onEnd;
    }

    /**
     * Emits the stream once its first event is known or the stream has ended. Fails if, before that, {@link #fail} is
     * called; the client then gets the same response as after the failure of any other request.
     *
     * @param startWatch starts what calls {@link #wake} and {@link #fail}
     */
    public Uni<EventStream> begin(Function<EventStream, Watch> startWatch) {
        return Uni.createFrom()
                .<EventStream>emitter(created -> {
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

    /** Announces that the source has an event. Callable from any thread. */
    public void wake() {
        context.runOnContext(now -> {
            if (ended) {
                return;
            }
            if (heartbeatTimer == null) {
                heartbeatTimer = vertx.setPeriodic(heartbeatMillis, tick -> writeHeartbeat());
                emitter.complete(this);
            }
            send();
        });
    }

    /** Ends the stream because its first event cannot be made. Callable from any thread. */
    public void fail(Throwable failure) {
        context.runOnContext(now -> {
            emitter.fail(failure);
            end();
        });
    }

    /**
     * Ends the stream as {@link #fail(Throwable)} does or, if its first event is already known, after one more
     * event. Callable from any thread.
     *
     * @param lastEvent makes the event; called in the context of the request
     */
    public void fail(Throwable failure, Supplier<byte[]> lastEvent) {
        context.runOnContext(now -> {
            if (heartbeatTimer == null) {
                emitter.fail(failure);
                end();
            } else if (!ended && last == null) {
                last = lastEvent.get();
                send();
            }
        });
    }

    /** Writes events until the client disconnects or the stream ends. */
    @Override
    public void writeTo(ServerHttpResponse to, Runnable finish) {
        response = to;
        finishResponse = finish;
        to.setChunked(true);
        to.addCloseHandler(this::end);
        if (ended || to.closed()) {
            end();
        } else {
            // The first event follows.
            write(to, retry());
        }
    }

    /** Tells a browser how long it waits before it connects again. */
    private static byte[] retry() {
        int millis = ThreadLocalRandom.current().nextInt(MIN_RETRY_MILLIS, MAX_RETRY_MILLIS + 1);
        return ("retry: " + millis + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Ends the stream and releases its resources. Idempotent; callable from any thread. */
    public void end() {
        context.runOnContext(now -> {
            if (!ended) {
                ended = true;
                watch.close();
                cancelTimer(heartbeatTimer);
                cancelTimer(expiryTimer);
                // If no event is known yet, the request would otherwise never be answered.
                emitter.complete(this);
                onEnd.accept(this);
            }
            finishResponse();
        });
    }

    private void cancelTimer(@Nullable Long id) {
        if (id != null) {
            vertx.cancelTimer(id);
        }
    }

    private void finishResponse() {
        Runnable finish = finishResponse;
        if (response != null && finish != null) {
            finishResponse = null;
            if (!aborted && !response.closed()) {
                response.end();
            }
            finish.run();
        }
    }

    private void send() {
        if (response != null && !writing) {
            byte[] event = source.next();
            if (event == null) {
                event = last;
            }
            if (event != null) {
                write(response, event);
            }
        }
    }

    /**
     * Writes a heartbeat. Ends the stream instead if its response has not begun, or if the previous write is still in
     * progress. In the latter case, aborts the response, because its end would wait behind the bytes that the client
     * does not read.
     */
    private void writeHeartbeat() {
        if (response == null) {
            end();
        } else if (writing) {
            aborted = true;
            abort.run();
            end();
        } else {
            write(response, HEARTBEAT);
        }
    }

    private void write(ServerHttpResponse to, byte[] bytes) {
        writing = true;
        to.write(bytes, failure -> {
            writing = false;
            if (failure != null || bytes == last) {
                end();
            } else if (!ended) {
                send();
            }
        });
    }
}
