package dev.tidemark.http.fresh;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.Queue;

/** Lets so many things be under way at once; what comes then waits for its turn. Thread-safe. */
final class Lanes {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    Lanes(int lanes) {
        free = lanes;
    }

    /** The same, subscribed to when a lane is free. */
    <T> Uni<T> through(Uni<T> what) {
        return Uni.createFrom()
                .<Void>emitter(turn -> take(() -> turn.complete(null)))
                .chain(() -> what.onTermination().invoke(this::release));
    }

    private void take(Runnable turn) {
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
