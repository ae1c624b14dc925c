package dev.tidemark.http.events;

import dev.tidemark.framework.Contexts;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * What several event streams follow: it is read for all of them together, first when somebody follows it, and again
 * after changes, at most four times a second. It is dropped when nobody has followed it for that long, so that a
 * client that reconnects causes no extra read.
 *
 * <p>Not thread-safe except for {@link #run}: everything runs on the event loop of the request that was the first to
 * follow it.
 */
public abstract class SharedRead {

    /** The minimum time from the start of one read to the start of the next. */
    public static final Duration MIN_INTERVAL = Duration.ofMillis(250);

    private final Vertx vertx;
    private final Context context;
    private long nextReadNanos = System.nanoTime();
    private boolean waiting;
    private boolean reading;
    private boolean dropped;

    /** Must be called on the thread of the request. */
    protected SharedRead(Vertx vertx) {
        this.vertx = vertx;
        this.context = VertxContext.getRootContext(vertx.getOrCreateContext());
    }

    /** Whether nobody follows it. */
    protected abstract boolean isIdle();

    /** Whether somebody waits for a read, or a change has been noticed since the last one. */
    protected abstract boolean isOutdated();

    /** Reads, and calls {@link #endRead}. Changes that are noticed from now on must lead to another read. */
    protected abstract void read();

    /** Releases what the reads need. */
    protected abstract void onDrop();

    /** Runs a task on the event loop. Callable from any thread. */
    public final void run(Runnable task) {
        context.runOnContext(now -> task.run());
    }

    boolean isDropped() {
        return dropped;
    }

    protected final void assertOnEventLoop() {
        assert Contexts.isOnEventLoopOf(context) : "a shared read stays on one event loop";
    }

    /** Reads if that is wanted and due, or drops this if nobody follows it; otherwise, waits until it is due. */
    protected final void readWhenDue() {
        assertOnEventLoop();
        if (waiting || reading || dropped || !(isIdle() || isOutdated())) {
            return;
        }
        long wait = nextReadNanos - System.nanoTime();
        if (wait > 0) {
            waiting = true;
            // Adds 1 ms, because toMillis() truncates and the task must never run early.
            vertx.setTimer(
                    Duration.ofNanos(wait).toMillis() + 1,
                    timer -> run(() -> {
                        waiting = false;
                        readWhenDue();
                    }));
        } else if (isIdle()) {
            dropped = true;
            onDrop();
        } else {
            reading = true;
            nextReadNanos = System.nanoTime() + MIN_INTERVAL.toNanos();
            read();
        }
    }

    /** Does not begin the next read before this time from now. */
    protected final void delayNextRead(Duration delay) {
        nextReadNanos = Math.max(nextReadNanos, System.nanoTime() + delay.toNanos());
    }

    protected final void endRead() {
        reading = false;
        readWhenDue();
    }
}
