package dev.tidemark.http.events;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.Queue;

/** Limits how many tasks run at the same time; further tasks wait in a queue. Thread-safe. */
public final class ConcurrencyLimit {

    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int freePermits;

    public ConcurrencyLimit(int permits) {
        freePermits = permits;
    }

    /** Returns a {@code Uni} that subscribes to the task once a permit is free. */
    public <T> Uni<T> apply(Uni<T> task) {
        return Uni.createFrom()
                .<Void>emitter(permit -> acquire(() -> permit.complete(null)))
                .chain(() -> task.onTermination().invoke(this::release));
    }

    private void acquire(Runnable onAcquired) {
        synchronized (this) {
            if (freePermits == 0) {
                queue.add(onAcquired);
                return;
            }
            freePermits--;
        }
        onAcquired.run();
    }

    private void release() {
        Runnable next;
        synchronized (this) {
            next = queue.poll();
            if (next == null) {
                freePermits++;
                return;
            }
        }
        next.run();
    }
}
