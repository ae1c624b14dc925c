package dev.tidemark.client;

import dev.tidemark.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Applies the events of a list on a thread of its own. */
final class Follower<T> implements AutoCloseable {

    /** The items after each event. */
    final List<List<T>> states = new CopyOnWriteArrayList<>();

    /** Completes when the stream ends. */
    final CompletableFuture<Void> end = new CompletableFuture<>();

    private final KeptList<T> list;
    private final Stream<LiveEvent> events;

    Follower(KeptList<T> list) {
        this.list = list;
        events = list.events();
        new Thread(this::follow, "follower").start();
    }

    private void follow() {
        try {
            events.forEach(event -> {
                list.apply(event);
                states.add(list.items());
            });
            end.complete(null);
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }

    /** Waits for an event after which the items meet the condition. */
    void await(Predicate<List<T>> condition) {
        try {
            Await.until("the items", () -> condition.test(list.items()) || end.isDone());
        } catch (AssertionError e) {
            throw new AssertionError("the items are " + list.items(), e);
        }
        if (!condition.test(list.items())) {
            end.join();
            throw new AssertionError("the stream has ended with " + list.items());
        }
    }

    @Override
    public void close() {
        events.close();
        Await.until("the stream has ended", end::isDone);
    }
}
