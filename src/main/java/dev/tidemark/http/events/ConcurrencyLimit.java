package dev.tidemark.http.events;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Limits how many tasks run at the same time; further tasks wait in a queue. Thread-safe. */
public final class ConcurrencyLimit {

    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int freePermits;

    /** Whether a thread is in the loop that starts tasks. */
    private boolean starting;

    public ConcurrencyLimit(int permits) {
        freePermits = permits;
    }

    /** Returns a {@code Uni} that subscribes to the task once a permit is free. */
    public <T> Uni<T> apply(Uni<T> task) {
        return apply(task, Runnable::run);
    }

    /**
     * Like {@link #apply(Uni)}, but the permit is not free as soon as the task has ended.
     *
     * @param rest called when the task has ended; runs what it is given when the permit may be used again
     */
    public <T> Uni<T> apply(Uni<T> task, Consumer<Runnable> rest) {
        return Uni.createFrom()
                .<Void>emitter(permit -> acquire(() -> permit.complete(null)))
                .chain(() -> task.onTermination().invoke(() -> rest.accept(this::release)));
    }

    private void acquire(Runnable onAcquired) {
        synchronized (this) {
            queue.add(onAcquired);
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
        if (freePermits == 0 || queue.isEmpty()) {
            starting = false;
            return null;
        }
        freePermits--;
        return queue.remove();
    }
}
