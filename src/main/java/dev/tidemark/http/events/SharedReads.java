package dev.tidemark.http.events;

import dev.tidemark.feed.read.FeedChanges.Watch;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The {@link SharedRead}s of one kind. Those with equal keys are one. Thread-safe. */
public final class SharedReads<K, R extends SharedRead> {

    private final Map<K, R> byKey = new ConcurrentHashMap<>();

    /**
     * Follows what the key stands for until the watch is closed.
     *
     * @param create called, on the caller's thread, if nobody follows it yet
     * @param enter adds the follower; called on the event loop of the shared read, unless the watch was closed before
     * @param leave removes the follower; called on the same event loop if {@code enter} was
     */
    public Watch follow(K key, Supplier<R> create, Consumer<R> enter, Consumer<R> leave) {
        Follower follower = new Follower(enter, leave);
        follower.enter(key, create);
        return follower;
    }

    /** Removes what was dropped. */
    public void remove(K key, R dropped) {
        byKey.remove(key, dropped);
    }

    public Collection<R> all() {
        return byKey.values();
    }

    private final class Follower implements Watch {

        private final Consumer<R> enter;
        private final Consumer<R> leave;
        private @Nullable R followed;
        private boolean closed;

        Follower(Consumer<R> enter, Consumer<R> leave) {
            this.enter = enter;
            this.leave = leave;
        }

        void enter(K key, Supplier<R> create) {
            if (isClosed()) {
                return;
            }
            R read = byKey.computeIfAbsent(key, absent -> create.get());
            read.run(() -> {
                if (read.isDropped()) {
                    enter(key, create);
                } else if (tryFollow(read)) {
                    enter.accept(read);
                } else {
                    // It may have been created for this follower alone.
                    read.readWhenDue();
                }
            });
        }

        private synchronized boolean isClosed() {
            return closed;
        }

        private synchronized boolean tryFollow(R read) {
            followed = closed ? null : read;
            return !closed;
        }

        @Override
        public void close() {
            R left = end();
            if (left != null) {
                left.run(() -> leave.accept(left));
            }
        }

        private synchronized @Nullable R end() {
            R left = followed;
            followed = null;
            closed = true;
            return left;
        }
    }
}
