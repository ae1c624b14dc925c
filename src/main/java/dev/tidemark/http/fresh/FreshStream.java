package dev.tidemark.http.fresh;

import dev.tidemark.feed.FeedChanges.Watch;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * One client that listens. One write is under way at a time, and of the numbers that come meanwhile only the latest is
 * kept, so that a slow client costs no more than another.
 *
 * <p>Everything happens in the context of the client's request; what is called from elsewhere goes there.
 */
final class FreshStream implements FreshListener {

    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final Context context;
    private final long heartbeatMillis;
    private final Consumer<FreshStream> onEnd;

    private UniEmitter<? super FreshStream> begun;
    private Watch watch;
    private ServerHttpResponse response;
    private Runnable finishResponse;
    private Long timer;
    private Long expiry;
    private FreshCount latest;
    private FreshCount sent;
    private boolean writing;
    private boolean ended;

    /** @param onEnd called once, whatever ends the stream */
    FreshStream(Vertx vertx, Duration heartbeat, Consumer<FreshStream> onEnd) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.heartbeatMillis = heartbeat.toMillis();
        this.onEnd = onEnd;
    }

    /**
     * Emits the stream when its first number is there, so that what fails until then is answered as any other failure.
     *
     * @param watching begins to tell the listener it is given
     */
    Uni<FreshStream> begin(Function<FreshListener, Watch> watching) {
        return Uni.createFrom()
                .<FreshStream>emitter(emitter -> {
                    begun = emitter;
                    watch = watching.apply(this);
                })
                .onCancellation()
                .invoke(this::end);
    }

    /** To be called before it begins, in the context of the request. */
    void endAt(Instant time) {
        long wait = Duration.between(Instant.now(), time).toMillis();
        // In steps: clocks are set, and timers have a longest time.
        expiry = vertx.setTimer(Math.max(1, Math.min(wait + 1, LONGEST_WAIT.toMillis())), timer -> {
            if (Instant.now().isBefore(time)) {
                endAt(time);
            } else {
                end();
            }
        });
    }

    @Override
    public void number(FreshCount count) {
        context.runOnContext(now -> {
            if (ended) {
                return;
            }
            latest = count;
            if (timer == null) {
                timer = vertx.setPeriodic(heartbeatMillis, tick -> beat());
                begun.complete(this);
            }
            send();
        });
    }

    @Override
    public void failed(Throwable failure) {
        context.runOnContext(now -> {
            begun.fail(failure);
            end();
        });
    }

    /**
     * Writes what is there and what comes, until the client goes or the stream ends.
     *
     * @param finish called when there is nothing more to write
     */
    void writeTo(ServerHttpResponse to, Runnable finish) {
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

    /** Lets go of everything; from any thread, and as often as one likes. */
    void end() {
        context.runOnContext(now -> {
            if (!ended) {
                ended = true;
                watch.close();
                cancel(timer);
                cancel(expiry);
                // Where no number has come yet, or the request would never be answered.
                begun.complete(this);
                onEnd.accept(this);
            }
            finish();
        });
    }

    private void cancel(Long running) {
        if (running != null) {
            vertx.cancelTimer(running);
        }
    }

    private void finish() {
        if (finishResponse != null) {
            Runnable last = finishResponse;
            finishResponse = null;
            if (!response.closed()) {
                response.end();
            }
            last.run();
        }
    }

    private void send() {
        if (response != null && !writing && latest != sent) {
            sent = latest;
            write(sent.event());
        }
    }

    /** Who has not taken the last write since the last heartbeat is gone, or as good as gone. */
    private void beat() {
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
