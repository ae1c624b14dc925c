package dev.tidemark.http.fresh;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.Queue;

/** Limits how many {@code Uni}s are subscribed to at the same time; others wait in a queue. Thread-safe. */
final class ConcurrencyLimit {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    ConcurrencyLimit(int permits) {
        free = permits;
    }

    /** Returns a {@code Uni} that subscribes to the task once a permit is free. */
    <T> Uni<T> apply(Uni<T> task) {
        return Uni.createFrom()
                .<Void>emitter(turn -> acquire(() -> turn.complete(null)))
                .chain(() -> task.onTermination().invoke(this::release));
    }

    private void acquire(Runnable turn) {
        synchronized (this) {
            if (free == 0) {
                waiting.add(turn);
                return;
            }
            free--;
        }
        turn.run();
    }

    private void release() {
        Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free++;
                return;
            }
        }
        next.run();
    }
}
