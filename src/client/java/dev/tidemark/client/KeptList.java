package dev.tidemark.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a list, which a {@link Store} keeps, so that it is shown at once, without network, when the program
 * starts again. It grows with {@link #loadMore}. A {@link #refresh} brings it up to date: if the feed is declared with
 * {@code delta}, the server sends only the items that were written since; otherwise the list begins again with its
 * first page. While a thread applies the {@link #events}, the list is what the server has: other people's new items,
 * edits, moves, and deletions arrive by themselves.
 *
 * <p>A list never has a gap. It holds at most as many items as the feed's {@code delta-max}: a refresh or an event
 * lets go of the last items beyond, which {@link #loadMore} reads again. If the server rejects the list's cursor or
 * moment, a refresh reads its first page again.
 *
 * <p>The server looks at a limited number of rows for each page of a search. So the first page and {@link #loadMore}
 * can find no items although {@link #hasMore} is true. If the feed is declared with {@code delta}, a refresh sends as
 * many requests as it needs to read the search as far as the list does.
 *
 * <p>All methods can be called from any thread. {@link #items} and {@link #hasMore} never wait; the others wait for
 * each other and for the server. If a read fails, they throw a {@link FeedException}, and the list stays as it is.
 *
 * @param <T> the type of the items
 */
public final class KeptList<T> {

    /**
     * Where a list is kept. A store keeps one list, and the list of one user: a program with several users needs a
     * store for each. What a list with another URL, order, filter, or fields has saved, and what is incomplete or
     * altered, counts as absent.
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
         * Returns a store in a file, which is replaced as a whole. During a save, there is another file with the
         * suffix {@code .tmp} next to it.
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

    /**
     * What a list holds: all items from its start to a cursor, which were read at the moment or later.
     *
     * @param bottom null at the end of the list
     * @param moment null if nothing was read yet, or if the feed is not declared with {@code delta}
     */
    record Part<T>(
            Window<T> window,
            @Nullable String bottom,
            @Nullable String moment) {}

    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");

    /** More than any feed allows, so the server lowers it to the feed's maximum. */
    private static final int MAX_DELTA_LIMIT = 10_000;

    private final FeedList<Copy<T>> list;
    private final Function<Copy<T>, List<String>> keyOf;
    private final KeptForm<Copy<T>> form;
    private final @Nullable Store store;
    private final Object lock = new Object();
    private volatile Part<Copy<T>> part = new Part<>(new Window<>(List.of(), Map.of()), null, null);

    // The lock guards the following fields.
    private Part<Copy<T>> saved;
    private @Nullable LiveEvents events;

    /** Whether the events are those of the window as the list holds it. */
    private boolean isFollowed;

    /** Where the window of the events ends; null at the end of the list. */
    private @Nullable String until;

    /** @param store null if the list is not kept */
    KeptList(FeedList<T> items, Function<T, List<String>> keyOfItem, @Nullable Store store) {
        ItemMapper<T> mapper = items.mapper();
        this.list = items.mapper(json -> new Copy<>(json, mapper.map(json)));
        this.keyOf = copy -> keyOfItem.apply(copy.item());
        this.form = new KeptForm<>(list, keyOf, Copy::json);
        this.store = store;
        load();
        this.saved = part;
    }

    private void load() {
        try {
            if (store != null) {
                store.load().flatMap(form::read).ifPresent(kept -> part = kept);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "A kept list cannot be loaded", e);
        }
    }

    /**
     * Returns the items that the list holds.
     *
     * @return the items in the list's order. An item that has not changed is the same object as before
     */
    public List<T> items() {
        Window<Copy<T>> window = part.window();
        return window.keys().stream()
                .map(window.items()::get)
                .filter(Objects::nonNull)
                .map(Copy::item)
                .toList();
    }

    /**
     * Whether {@link #loadMore} can read more items. If all items below the list are deleted, this stays true until
     * {@code loadMore} has found none.
     *
     * @return whether there are items below the last one; false if the list has read nothing yet
     */
    public boolean hasMore() {
        return part.bottom() != null;
    }

    /**
     * Brings the list up to date, and saves it. A list that has read nothing yet reads its first page. If the feed is
     * not declared with {@code delta}, every refresh reads the first page, and lets go of all other items.
     */
    public void refresh() {
        synchronized (lock) {
            replace(readAgain(part));
        }
    }

    private Part<Copy<T>> readAgain(Part<Copy<T>> before) {
        if (before.moment() != null) {
            try {
                FeedList<Copy<T>> since = list.where("since", before.moment());
                PageStart start = PageStart.first();
                start = before.bottom() == null ? start : start.until(before.bottom());
                Delta<Copy<T>> delta =
                        FeedList.await(since.limit(MAX_DELTA_LIMIT).delta(start));
                while (delta.page().partial()
                        && delta.keys().size() < delta.page().limit()) {
                    // Together, the pages of a search have at most as many items as one page can have.
                    int rest = delta.page().limit() - delta.keys().size();
                    PageStart further = start.after(delta.page()).orElseThrow();
                    delta = delta.append(FeedList.await(since.limit(rest).delta(further)));
                }
                return merge(before, delta, before.bottom());
            } catch (ProblemException e) {
                if (!mustStartAgain(e.problem())) {
                    throw e;
                }
            }
        }
        Page<Copy<T>> first = list.page();
        return new Part<>(
                Window.of(first.items(), keyOf),
                bottom(first, null),
                first.moment().orElse(null));
    }

    /** Whether the cursor or the moment is invalid, or the feed is no longer declared with delta. */
    private static boolean mustStartAgain(Problem problem) {
        return problem.mustStartAgain()
                || problem.code() == ProblemCode.INVALID_MOMENT
                || problem.code() == ProblemCode.NOT_SUPPORTED;
    }

    /**
     * Reads the page below the last item, and saves the list. Does nothing if {@link #hasMore} is false. In a search,
     * this can find no items: call it again while {@code hasMore} is true to search further.
     */
    public void loadMore() {
        synchronized (lock) {
            Part<Copy<T>> before = part;
            if (before.bottom() != null) {
                Page<Copy<T>> page = list.page(PageStart.cursor(before.bottom()));
                // The moment stays, because the items above were not read again.
                replace(new Part<>(before.window().append(page.items(), keyOf), bottom(page, null), before.moment()));
            }
        }
    }

    /** Changes what the list holds other than by an event, so that the next event must be one of another window. */
    private void replace(Part<Copy<T>> changed) {
        part = changed;
        isFollowed = false;
        if (events != null) {
            events.disconnect();
        }
        save();
    }

    /** Saves the list if it has changed since the last save. Events are saved only in this way. */
    public void save() {
        synchronized (lock) {
            if (store != null && !part.equals(saved)) {
                try {
                    store.save(form.write(part));
                } catch (IOException e) {
                    throw new FeedException("the list cannot be saved: " + e, e);
                }
                saved = part;
            }
        }
    }

    /**
     * Follows the list. Pass each event to {@link #apply}. The feed must be declared with {@code delta}, and the
     * fields must include the key.
     *
     * <p>The stream waits for events, so it needs a thread of its own, and it has no end: if the connection breaks, is
     * silent for twice the client's timeout, or is ended by the server, the stream connects again, and the events lead
     * on from what the list holds. So do they after {@link #refresh} and {@link #loadMore}, which other threads can
     * call meanwhile. The stream throws a {@link FeedException} if {@link Retry} allows no further attempt to connect,
     * or if the server rejects it. Attempts are counted from the last event.
     *
     * <p>A list that has read nothing yet is refreshed first. A list has one stream: this method closes that of an
     * earlier call.
     *
     * @return a stream that must be closed. If another thread closes it, it ends
     */
    public Stream<LiveEvent> events() {
        LiveEvents opened = new LiveEvents(this, list.transport());
        synchronized (lock) {
            if (events != null) {
                events.close();
            }
            events = opened;
            if (part.moment() == null) {
                refresh();
            }
        }
        return StreamSupport.stream(opened, false).onClose(opened::close);
    }

    /** Opens a connection to the window as the list holds it. */
    void connect(LiveEvents opening) {
        synchronized (lock) {
            if (opening == events) {
                isFollowed = true;
                until = part.bottom();
                opening.open(liveUri());
            }
        }
    }

    private URI liveUri() {
        FeedList<Copy<T>> live = list.where("limit");
        if (part.moment() != null) {
            live = live.where("since", part.moment());
        }
        return live.liveUri(
                until == null ? PageStart.first() : PageStart.first().until(until));
    }

    /**
     * Makes the list what the window is after an event. Each event must be applied before the next one is taken from
     * {@link #events}; one that was sent before the last {@link #refresh} or {@link #loadMore} is ignored.
     *
     * @param event the event
     * @throws FeedException if the event cannot be read, does not fit to the one before, or names items that cannot be
     *     read. The list stays as it is. After a failure that can be temporary, the stream continues with what the
     *     list lacks; otherwise it ends with this exception
     */
    public void apply(LiveEvent event) {
        synchronized (lock) {
            if (!isFollowed) {
                return;
            }
            try {
                switch (event.name()) {
                    case "page" -> part = merge(part, Delta.parse(event.data(), list.mapper()), until);
                    case "change" -> part = merge(part, WindowChange.parse(event.data(), list.mapper()), event.id());
                    default -> {
                        // An event of a newer server.
                    }
                }
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw rejected(new FeedException("the event cannot be read: " + e.getMessage(), e));
            } catch (FeedException e) {
                throw rejected(e);
            }
        }
    }

    /** Following events would be applied to a list that lacks this one. */
    private FeedException rejected(FeedException failure) {
        isFollowed = false;
        if (events != null) {
            events.reject(failure);
        }
        return failure;
    }

    private Part<Copy<T>> merge(Part<Copy<T>> before, Delta<Copy<T>> delta, @Nullable String end) {
        Map<List<String>, Copy<T>> known = new HashMap<>(before.window().items());
        Set<List<String>> keys = new HashSet<>(delta.keys());
        for (Copy<T> item : delta.page().items()) {
            List<String> key = keyOf.apply(item);
            FeedList.requireKey(keys.contains(key), key);
            known.put(key, item);
        }
        FeedList.await(list.readMissing(delta.keys(), known, keyOf));
        return new Part<>(
                before.window().replace(delta.keys(), known),
                bottom(delta.page(), end),
                delta.page().moment().orElse(null));
    }

    private Part<Copy<T>> merge(Part<Copy<T>> before, WindowChange<Copy<T>> change, String moment) {
        // A full window ends before the gap that the request names.
        return new Part<>(
                before.window().apply(change, keyOf),
                change.hasMore() ? change.last().orElse(until) : until,
                moment);
    }

    /** @param end where the window ends unless it is full; null at the end of the list */
    private static @Nullable String bottom(Page<?> page, @Nullable String end) {
        // The last item of a partial page can be far above the end of the page, or missing.
        return page.next().isEmpty() ? end : (page.partial() ? page.next() : page.last()).orElse(end);
    }
}
