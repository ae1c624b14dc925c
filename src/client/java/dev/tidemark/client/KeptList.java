package dev.tidemark.client;

import dev.tidemark.client.LiveList.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that a {@link Store} keeps, so that it is shown at once, without network, when the program starts
 * again. Then the list is brought up to date: the server sends only the items that were written since the list was read.
 *
 * <p>The list is a {@link LiveList} that can pause. It begins paused, with the items of the store, and reads nothing. A
 * {@link #refresh} brings it up to date once, for example in a background job; between {@link #follow} and {@link
 * #pause}, it follows the changes, for example while it is on the screen. The states, the threads, and the limit of
 * {@code delta-max} items are those of a {@link LiveList}.
 *
 * <p>The store is given the list when a refresh has read it, within about a second after a change of the state, and when
 * the list is closed. Each time, the store is given the whole list, with the time at which it was read. If the process
 * dies in between, the next refresh begins at the earlier time, and nothing is lost.
 *
 * <p>After a long absence, more items can be new than the list can hold. Then it lets go of its last items: it never has
 * a gap. If the list cannot be refreshed, because the server rejects its cursors or its moment, or because the feed is no
 * longer declared with {@code delta}, it starts again with its first page. Until that page has been read, the old items
 * are shown. A feed without {@code delta} can be refreshed in this way only, and cannot be followed.
 *
 * @param <T> the type of the items
 */
public final class KeptList<T> implements Flow.Publisher<LiveState<T>>, AutoCloseable {

    /**
     * Where a list is kept. A store keeps one list, and the list of one user: a program with several users needs a store
     * for each. What a list with another URL, order, filter, or fields has saved, and what is incomplete or altered,
     * counts as absent.
     */
    public interface Store {

        /**
         * Returns what was saved last.
         *
         * @return the bytes; empty if there are none
         * @throws IOException if the bytes cannot be read; the list is then empty
         */
        Optional<byte[]> load() throws IOException;

        /**
         * Replaces what was saved. Calls do not overlap, but come from several threads.
         *
         * @param list the bytes
         * @throws IOException if the bytes cannot be saved
         */
        void save(byte[] list) throws IOException;

        /**
         * Returns a store in a file, which is replaced as a whole. During a save, there is another file with the suffix
         * {@code .tmp} next to it.
         *
         * @param file the file. It need not exist, but its directory must
         * @return the store
         */
        static Store file(Path file) {
            return new FileStore(file);
        }
    }

    /** An item with the JSON text that it was made of, in which it is saved. */
    record Copy<T>(String json, T item) {}

    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");

    /** The time between a change and the save, in which there can be more changes. */
    private static final Duration SAVE_PAUSE = Duration.ofSeconds(1);

    private final LiveList<Copy<T>> live;
    private final KeptForm<Copy<T>> form;
    private final Store store;
    private final Object saving = new Object();

    // The lock "saving" guards the following fields.
    private Optional<Part<Copy<T>>> saved;
    private boolean closed;

    private KeptList(LiveList<Copy<T>> live, KeptForm<Copy<T>> form, Store store, Optional<Part<Copy<T>>> saved) {
        this.live = live;
        this.form = form;
        this.store = store;
        this.saved = saved;
    }

    static <T> KeptList<T> load(LiveList.Builder<T> builder, Store store) {
        ItemMapper<T> mapper = builder.list().mapper();
        FeedList<Copy<T>> copies = builder.list().mapper(json -> new Copy<>(json, mapper.map(json)));
        LiveList.Builder<Copy<T>> options = builder.wrap(copies, Copy::item);
        KeptForm<Copy<T>> form = new KeptForm<>(copies, options.keyOf(), Copy::json);
        Optional<Part<Copy<T>>> kept = load(store, form);
        KeptList<T> list = new KeptList<>(options.paused(kept), form, store, kept);
        list.live.subscribe(list.new Saver());
        return list;
    }

    private static <C> Optional<Part<C>> load(Store store, KeptForm<C> form) {
        try {
            return store.load().flatMap(form::read);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "A kept list cannot be loaded", e);
            return Optional.empty();
        }
    }

    /**
     * Returns the present state.
     *
     * @return the state that subscribers get, or would get
     */
    public LiveState<T> state() {
        return unwrap(live.state());
    }

    @Override
    public void subscribe(Flow.Subscriber<? super LiveState<T>> subscriber) {
        live.subscribe(new Unwrapper<>(subscriber));
    }

    /**
     * Brings the list up to date once, also while it is paused. Calls during a refresh share it. If it fails, the items
     * stay as they are, and a list that is paused makes no further attempt, except for the {@linkplain Retry retries} of
     * the request.
     *
     * @return completes when the state has the items and the store has been given them; fails with a
     *     {@link FeedException} if they cannot be read or saved
     */
    public CompletableFuture<Void> refresh() {
        return live.refresh().thenRunAsync(() -> {
            try {
                save();
            } catch (IOException e) {
                throw new FeedException("the list cannot be saved: " + e, e);
            }
        });
    }

    /** Begins to follow changes, as a {@link LiveList} does. Has no effect on a list that follows them. */
    public void follow() {
        live.follow();
    }

    /** Stops following changes, and closes the connection. Has no effect on a list that is paused. */
    public void pause() {
        live.pause();
    }

    /**
     * Reads the page below the last item, as {@link LiveList#loadMore} does, also while the list is paused.
     *
     * @return completes when the state has the items; fails with a {@link FeedException} if they cannot be read
     */
    public CompletableFuture<Void> loadMore() {
        return live.loadMore();
    }

    /**
     * Reads the page above the first item, as {@link LiveList#loadPrevious} does, also while the list is paused.
     *
     * @return completes when the state has the items; fails with a {@link FeedException} if they cannot be read
     */
    public CompletableFuture<Void> loadPrevious() {
        return live.loadPrevious();
    }

    /** Shows the items that wait above the first one, and removes the items that are only marked. */
    public void showNew() {
        live.showNew();
    }

    /**
     * Stops following changes, completes the subscribers, and gives the list to the store if it has changed. Waits for
     * the store. If the store cannot save the list, a warning is logged.
     */
    @Override
    public void close() {
        live.close();
        synchronized (saving) {
            saveOrLog();
            closed = true;
        }
    }

    private void save() throws IOException {
        synchronized (saving) {
            Optional<Part<Copy<T>>> part = live.part();
            if (!closed && part.isPresent() && !part.equals(saved)) {
                store.save(form.write(part.get()));
                saved = part;
            }
        }
    }

    private void saveOrLog() {
        try {
            save();
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "A kept list cannot be saved", e);
        }
    }

    private static <T> LiveState<T> unwrap(LiveState<Copy<T>> state) {
        List<LiveItem<T>> items = state.items().stream()
                .map(copy -> new LiveItem<>(copy.value().item(), copy.mark()))
                .toList();
        return new LiveState<>(
                items, state.newAbove(), state.hasMore(), state.hasPrev(), state.status(), state.error());
    }

    private record Unwrapper<T>(Flow.Subscriber<? super LiveState<T>> subscriber)
            implements Flow.Subscriber<LiveState<Copy<T>>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscriber.onSubscribe(subscription);
        }

        @Override
        public void onNext(LiveState<Copy<T>> state) {
            subscriber.onNext(unwrap(state));
        }

        @Override
        public void onError(Throwable failure) {
            subscriber.onError(failure);
        }

        @Override
        public void onComplete() {
            subscriber.onComplete();
        }
    }

    /** Saves the list some time after a state, and requests the next state only then. */
    private final class Saver implements Flow.Subscriber<LiveState<Copy<T>>> {

        private Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription started) {
            subscription = started;
            started.request(1);
        }

        @Override
        public void onNext(LiveState<Copy<T>> state) {
            LiveList.runAfter(SAVE_PAUSE, () -> {
                saveOrLog();
                if (subscription != null) {
                    subscription.request(1);
                }
            });
        }

        @Override
        public void onError(Throwable failure) {
            // A last save is pending, or close() makes it.
        }

        @Override
        public void onComplete() {
            // As in onError().
        }
    }
}
