package dev.tidemark.http.events;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Limits how many tasks run at the same time; further tasks wait in a queue. Thread-safe. */
public final class ConcurrencyLimit {

    /** Otherwise, tasks would wait for another six seconds after the database was silent for six. */
    private static final Duration MAX_REST = Duration.ofMillis(500);

    private final Queue<Runnable> urgent = new ArrayDeque<>();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private boolean wasUrgent;
    private int freePermits;

    /** Whether a thread is in the loop that starts tasks. */
    private boolean starting;

    public ConcurrencyLimit(int permits) {
        freePermits = permits;
    }

    /** Returns a {@code Uni} that subscribes to the task once a permit is free. */
    public <T> Uni<T> apply(Uni<T> task) {
        return Uni.createFrom()
                .<Void>emitter(permit -> acquire(() -> permit.complete(null), false))
                .chain(() -> task.onTermination().invoke(this::release));
    }

    /**
     * Like {@link #apply}, but the permit is free again only when as much time has passed after the task as it has
     * taken, at most {@link #MAX_REST}. So the statements of event streams leave at least half of the database's time
     * to pages.
     *
     * @param isUrgent whether the task goes before those that are not, though never two one after the other
     */
    public <T> Uni<T> applyAndRest(Uni<T> task, boolean isUrgent, Duration minRest, Vertx vertx) {
        return Uni.createFrom()
                .<Void>emitter(permit -> acquire(() -> permit.complete(null), isUrgent))
                .chain(() -> {
                    long start = System.nanoTime();
                    return task.onTermination()
                            .invoke(() -> rest(Duration.ofNanos(System.nanoTime() - start), minRest, vertx));
                });
    }

    private void rest(Duration taken, Duration minRest, Vertx vertx) {
        long millis = Math.max(minRest.toMillis(), Math.min(taken.toMillis(), MAX_REST.toMillis()));
        if (millis == 0) {
            release();
        } else {
            vertx.setTimer(millis, timer -> release());
        }
    }

    private void acquire(Runnable onAcquired, boolean isUrgent) {
        synchronized (this) {
            (isUrgent ? urgent : queue).add(onAcquired);
        }
        startQueued();
    }

    private void release() {
        synchronized (this) {
            freePermits++;
        }
        startQueued();
    }

    /**
     * Starts queued tasks while permits are free. A task that ends at once calls this method again; that call returns
     * immediately, and the loop goes on, because a queue of such tasks would otherwise overflow the stack.
     */
    private void startQueued() {
        synchronized (this) {
            if (starting) {
                return;
            }
            starting = true;
        }
        for (Runnable next = nextOrStop(); next != null; next = nextOrStop()) {
            try {
                next.run();
            } catch (RuntimeException | Error thrown) {
                // The task has not begun, so it does not end.
                synchronized (this) {
                    freePermits++;
                }
                Infrastructure.handleDroppedException(thrown);
            }
        }
    }

    private synchronized @Nullable Runnable nextOrStop() {
        Runnable next = freePermits == 0 ? null : poll();
        starting = next != null;
        freePermits -= starting ? 1 : 0;
        return next;
    }

    private @Nullable Runnable poll() {
        wasUrgent = !urgent.isEmpty() && !(wasUrgent && !queue.isEmpty());
        return wasUrgent ? urgent.poll() : queue.poll();
    }
}
