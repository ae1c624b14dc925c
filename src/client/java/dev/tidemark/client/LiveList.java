package dev.tidemark.client;

import dev.tidemark.client.LiveState.Status;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that stays true while it is shown: other people's new items, edits, moves, and deletions arrive by
 * themselves. It begins with one page, and grows with {@link #loadMore} and {@link #loadPrevious}.
 *
 * <p>The list publishes its {@linkplain LiveState states} until it is closed. A subscriber gets the present state first;
 * if states change faster than it requests them, it skips states, but always gets the latest one. Signals arrive on the
 * thread that subscribes, requests states, or calls a method of the list, or on a thread of a pool. All methods can be
 * called from any thread, and none of them blocks.
 *
 * <p>The list follows an event stream, which it opens again when it breaks, from the moment that it had reached. If no
 * stream can be opened, because the server has too many or because a proxy withholds events, the list is read again at
 * intervals. After a failure that another attempt cannot repair, the last state is {@link Status#FAILED}, and subscribers
 * get the {@link FeedException}.
 *
 * <p>A list holds at most as many items as the feed's {@code delta-max}. If it would grow beyond, it lets go of items at
 * the other end, which can be read again.
 *
 * @param <T> the type of the items
 */
public final class LiveList<T> implements Flow.Publisher<LiveState<T>>, AutoCloseable {

    /** What happens to an item that is shown when it is deleted. */
    public enum Deleted {
        /** The item is removed at once. */
        REMOVE,
        /** The item keeps its place, with a {@linkplain LiveItem#mark mark}, until {@link #showNew}. */
        MARK
    }

    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");

    /** The time after the list has grown in which it can grow again without another stream. */
    private static final Duration GROWTH_PAUSE = Duration.ofMillis(300);

    /** More than any feed allows, so the server lowers it to the feed's maximum. */
    private static final int MAX_DELTA_LIMIT = 10_000;

    /** The logarithm of the greatest number of polls between two attempts to open a stream. */
    private static final int MAX_POLLS_LOG = 5;

    private final FeedList<T> list;
    private final Function<T, List<String>> keyOf;
    private final PageStart start;
    private final Retry retry;
    private final Duration pollInterval;
    private final Duration silence;
    private final LiveView<T> view;
    private final LatestPublisher<LiveState<T>> publisher = new LatestPublisher<>();
    private final Object lock = new Object();

    /** The present step: reading the first page, following a stream, polling, or waiting. Results of others are ignored. */
    private volatile int step;

    // The lock guards the following fields.
    private Runnable cancelStep = () -> {};
    private boolean waitsToGrow;
    private boolean ended;
    private boolean follows;
    private LiveState<T> state = new LiveState<>(List.of(), 0, false, false, Status.PAUSED, Optional.empty());
    private Status status = Status.PAUSED;
    private @Nullable FeedException error;

    /** What the list holds; null until the first page has been read. */
    private @Nullable Window<T> window;

    /** The cursor where the window starts; null at the start of the list. */
    private @Nullable String top;

    /** The cursor where the window ends; null at the end of the list. */
    private @Nullable String bottom;

    private boolean hasPrev;

    /** The most items that the window can have; 0 if not known yet. */
    private int capacity;

    /** When everything in the window was read, or earlier; null to read it all again. */
    private @Nullable Moment moment;

    private int momentCount;
    private final Map<Load, CompletableFuture<Void>> loads = new EnumMap<>(Load.class);

    /** The failed attempts since a stream was open for long, or the list was polled. */
    private int attempts;

    /** How often in a row a stream was opened and gave nothing. */
    private int withheldStreams;

    private int pollsLeft;

    /** What a caller can wait for. */
    private enum Load {
        MORE,
        PREVIOUS,
        REFRESH;

        static Load page(boolean upward) {
            return upward ? PREVIOUS : MORE;
        }
    }

    /**
     * What a list holds: all items between two cursors, which were read at the moment or later.
     *
     * @param top null at the start of the list
     * @param bottom null at the end of the list
     * @param moment null if unknown
     */
    record Part<T>(
            Window<T> window,
            @Nullable String top,
            @Nullable String bottom,
            @Nullable String moment) {}

    /** @param number the order in which the client got the moments, because their tokens cannot be compared */
    private record Moment(String token, int number) {

        static @Nullable Moment earlier(@Nullable Moment one, @Nullable Moment other) {
            if (one == null || other == null) {
                return null;
            }
            return one.number <= other.number ? one : other;
        }
    }

    private LiveList(Builder<T> builder) {
        list = builder.list;
        keyOf = builder.keyOf;
        start = builder.start;
        retry = builder.retry;
        pollInterval = builder.pollInterval;
        silence = builder.silence;
        view = new LiveView<>(builder.policy, builder.deleted == Deleted.MARK);
        publisher.set(state);
    }

    /**
     * Configures a {@link LiveList}.
     *
     * @param <T> the type of the items
     */
    public static final class Builder<T> {

        private final FeedList<T> list;
        private final Function<T, List<String>> keyOf;
        private PageStart start = PageStart.first();
        private LivePolicy<T> policy = LivePolicy.inside();
        private Deleted deleted = Deleted.REMOVE;
        private Retry retry =
                new Retry(Integer.MAX_VALUE, Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofMinutes(2));
        private Duration pollInterval = Duration.ofSeconds(10);
        private Duration silence = Duration.ofSeconds(45);

        Builder(FeedList<T> list, Function<T, List<String>> keyOf) {
            this.list = list;
            this.keyOf = keyOf;
        }

        /**
         * Sets where the first page starts. The default is the start of the list.
         *
         * @param start a start without {@link PageStart#until}
         * @return this builder
         */
        public Builder<T> from(PageStart start) {
            if (start.hasUntil()) {
                throw new IllegalArgumentException("a live list cannot start with until");
            }
            this.start = start;
            return this;
        }

        /**
         * Sets when items that come in above the first item are shown. The default is {@link LivePolicy#inside}.
         *
         * @param policy the policy
         * @return this builder
         */
        public Builder<T> policy(LivePolicy<T> policy) {
            this.policy = Objects.requireNonNull(policy);
            return this;
        }

        /**
         * Sets what happens to an item that is shown when it is deleted or, under a policy that lets items wait, when
         * it moves above the first item. The default is {@link Deleted#REMOVE}.
         *
         * @param deleted whether the item is removed or marked
         * @return this builder
         */
        public Builder<T> deleted(Deleted deleted) {
            this.deleted = Objects.requireNonNull(deleted);
            return this;
        }

        /**
         * Sets the delays between attempts to connect. The number of attempts begins again after a stream was open for
         * the maximum delay, and after the list was polled. The default has no limit of attempts, and random delays of at
         * most 0.5 to 2 seconds.
         *
         * @param retry the delays, and how many attempts fail before the list fails
         * @return this builder
         */
        public Builder<T> retry(Retry retry) {
            this.retry = Objects.requireNonNull(retry);
            return this;
        }

        /**
         * Sets how often the list is read again if no event stream can be opened. The default is 10 seconds.
         *
         * @param interval the longest time between two reads; the time is random, and at least half of the interval
         * @return this builder
         */
        public Builder<T> pollInterval(Duration interval) {
            this.pollInterval = Objects.requireNonNull(interval);
            return this;
        }

        /**
         * Sets after which time without a heartbeat a connection counts as broken. The default is 45 seconds, which is
         * three times the server's default {@code tidemark.live.heartbeat}.
         *
         * @param silence the longest time in which nothing arrives
         * @return this builder
         */
        public Builder<T> silence(Duration silence) {
            this.silence = Objects.requireNonNull(silence);
            return this;
        }

        /**
         * Opens the list. This method does not wait for the first page.
         *
         * @return the list, which must be closed
         */
        public LiveList<T> open() {
            LiveList<T> opened = new LiveList<>(this);
            opened.follow();
            return opened;
        }

        /**
         * Returns the part of the list that a store has kept, or an empty list if it has kept none. Sends no request
         * before {@link KeptList#refresh} or {@link KeptList#follow}.
         *
         * @param store where the list is kept. Its {@link KeptList.Store#load} is called before this method returns
         * @return the list, which must be closed
         */
        public KeptList<T> keep(KeptList.Store store) {
            return KeptList.load(this, store);
        }

        FeedList<T> list() {
            return list;
        }

        Function<T, List<String>> keyOf() {
            return keyOf;
        }

        /** Returns a builder with the same options for a list of other objects, each of which holds an item. */
        <S> Builder<S> wrap(FeedList<S> wrappedList, Function<S, T> unwrap) {
            Builder<S> wrapped = new Builder<>(wrappedList, object -> keyOf.apply(unwrap.apply(object)));
            wrapped.start = start;
            wrapped.policy =
                    above -> policy.showsAtOnce(above.stream().map(unwrap).toList());
            wrapped.deleted = deleted;
            wrapped.retry = retry;
            wrapped.pollInterval = pollInterval;
            wrapped.silence = silence;
            return wrapped;
        }

        /** Returns a list that does not follow changes yet. */
        LiveList<T> paused(Optional<Part<T>> kept) {
            LiveList<T> paused = new LiveList<>(this);
            paused.update(() -> kept.ifPresent(paused::restore));
            return paused;
        }
    }

    /**
     * Returns the present state.
     *
     * @return the state that subscribers get, or would get
     */
    public LiveState<T> state() {
        synchronized (lock) {
            return state;
        }
    }

    @Override
    public void subscribe(Flow.Subscriber<? super LiveState<T>> subscriber) {
        publisher.subscribe(subscriber);
    }

    /** Begins to follow changes. Has no effect on a list that follows them. */
    void follow() {
        update(() -> {
            if (!follows) {
                follows = true;
                status = Status.CONNECTING;
                error = null;
                next(Duration.ZERO, this::goOn);
            }
        });
    }

    /** Stops following changes. A refresh goes on. */
    void pause() {
        update(() -> {
            if (follows) {
                follows = false;
                status = Status.PAUSED;
                pollsLeft = 0;
                next(Duration.ZERO, this::goOn);
            }
        });
    }

    /**
     * Reads the list, with {@code since} if possible. Calls during a refresh share it.
     *
     * @return completes when the state has the items; fails with a {@link FeedException} if they cannot be read
     */
    CompletableFuture<Void> refresh() {
        return load(Load.REFRESH);
    }

    /** What the list holds; empty if it has read nothing yet, or must start again. */
    Optional<Part<T>> part() {
        synchronized (lock) {
            return window == null ? Optional.empty() : Optional.of(new Part<>(window, top, bottom, sinceToken()));
        }
    }

    /** Shows what was kept. Without a moment, it can be replaced but not refreshed. */
    private void restore(Part<T> kept) {
        view.showAll(kept.window());
        if (kept.moment() != null) {
            window = kept.window();
            top = kept.top();
            bottom = kept.bottom();
            hasPrev = top != null;
            moment = moment(kept.moment());
        }
    }

    /**
     * Reads the page below the last item. Does nothing if {@link LiveState#hasMore} is false. Calls during a read share
     * it.
     *
     * @return completes when the state has the items; fails with a {@link FeedException} if they cannot be read, and the
     *     list goes on without them
     */
    public CompletableFuture<Void> loadMore() {
        return load(Load.MORE);
    }

    /**
     * Reads the page above the first item, for a list that does not begin at its start. Does nothing if
     * {@link LiveState#hasPrev} is false. Also shows the items that wait.
     *
     * @return completes when the state has the items; fails with a {@link FeedException} if they cannot be read, and the
     *     list goes on without them
     */
    public CompletableFuture<Void> loadPrevious() {
        return load(Load.PREVIOUS);
    }

    private CompletableFuture<Void> load(Load load) {
        synchronized (lock) {
            CompletableFuture<Void> present = loads.get(load);
            if (present != null) {
                return present.copy();
            }
            CompletableFuture<Void> future = new CompletableFuture<>();
            loads.put(load, future);
            if (load != Load.REFRESH) {
                readPage(load == Load.PREVIOUS);
            } else if (ended) {
                finish(Load.REFRESH, new FeedException("the list is closed", error));
            } else {
                next(Duration.ZERO, this::goOn);
            }
            return future.copy();
        }
    }

    /** Shows the items that wait above the first one, and removes the items that are only marked. */
    public void showNew() {
        update(() -> {
            if (window != null) {
                view.showAll(window);
            }
        });
    }

    /** Stops following changes, and completes the subscribers. {@link #state} keeps the last state. */
    @Override
    public void close() {
        synchronized (lock) {
            end(null);
        }
        publisher.deliver();
    }

    /** Makes a change, and publishes the state if it differs then. */
    private void update(Runnable change) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            try {
                change.run();
            } catch (RuntimeException e) {
                fail(e instanceof FeedException known ? known : new FeedException(e.toString(), e));
            }
            LiveState<T> now = new LiveState<>(
                    view.items(),
                    view.waitingCount(),
                    bottom != null,
                    top != null && hasPrev,
                    status,
                    Optional.ofNullable(error));
            if (!now.equals(state)) {
                state = now;
                publisher.set(now);
            }
            if (status == Status.FAILED) {
                end(error);
            }
        }
        publisher.deliver();
    }

    private void fail(FeedException failure) {
        status = Status.FAILED;
        error = failure;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // The lock is held.
    private void end(@Nullable FeedException failure) {
        if (!ended) {
            ended = true;
            step++;
            cancelStep.run();
            publisher.end(failure);
            FeedException closed = failure == null ? new FeedException("the list is closed", null) : failure;
            for (Load load : Load.values()) {
                finish(load, closed);
            }
        }
    }

    /** Makes a change if the step is still the present one. */
    private void updateIn(int ownStep, Runnable change) {
        update(() -> {
            if (step == ownStep) {
                change.run();
            }
        });
    }

    /** Replaces the present step. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // The lock is held.
    private void next(Duration delay, Runnable action) {
        step++;
        cancelStep.run();
        cancelStep = () -> {};
        waitsToGrow = false;
        int ownStep = step;
        runAfter(
                delay,
                () -> updateIn(ownStep, () -> {
                    waitsToGrow = false;
                    action.run();
                }));
    }

    static void runAfter(Duration delay, Runnable action) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(action);
    }

    /**
     * Sends a request on a thread of a pool, because the lock is held, and {@link TidemarkClient#onRequest} can block.
     * Canceling the future cancels the request, also if it has not been sent yet.
     */
    private static <R> CompletableFuture<R> send(Supplier<CompletableFuture<R>> request) {
        CompletableFuture<R> result = new CompletableFuture<>();
        CompletableFuture.runAsync(() -> {
            if (result.isDone()) {
                return;
            }
            try {
                CompletableFuture<R> sent = request.get();
                sent.whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
                result.whenComplete((value, failure) -> sent.cancel(true));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private void readFirstPage() {
        int ownStep = step;
        CompletableFuture<Page<T>> reading = send(() -> list.pageAsync(start));
        cancelStep = () -> reading.cancel(true);
        reading.whenCompleteAsync((page, failure) -> updateIn(ownStep, () -> {
            if (failure != null) {
                recover(unwrap(failure), true);
                return;
            }
            Window<T> first = Window.of(page.items(), keyOf);
            window = first;
            top = page.prev().flatMap(cursor -> page.top()).orElse(null);
            bottom = page.next().flatMap(cursor -> page.last()).orElse(null);
            hasPrev = top != null;
            moment = page.moment().map(this::moment).orElse(null);
            pollsLeft = 0;
            if (!follows) {
                error = null;
            }
            view.showAll(first);
            finish(Load.REFRESH, null);
            next(Duration.ZERO, this::goOn);
        }));
    }

    private Moment moment(String token) {
        return new Moment(token, momentCount++);
    }

    private void connect() {
        int ownStep = step;
        String until = bottom;
        URI uri = with(with(with(list.where("limit"), "cursor", top), "until", until), "since", sinceToken())
                .liveUri();
        EventReader reader = new EventReader(event -> onEvent(ownStep, event, until));
        Connection connection = new Connection(ownStep, uri, reader, System.nanoTime());
        CompletableFuture<HttpResponse<String>> stream =
                send(() -> list.transport().openStream(uri, reader));
        cancelStep = () -> {
            reader.cancel();
            stream.cancel(true);
        };
        // The last event can still be waiting for missing items.
        stream.whenCompleteAsync((response, failure) -> reader.handled()
                .whenCompleteAsync(
                        (done, ignored) -> updateIn(ownStep, () -> onStreamEnd(connection, response, failure))));
        watch(connection);
    }

    private record Connection(int ownStep, URI uri, EventReader reader, long openedNanos) {}

    private static <T> FeedList<T> with(FeedList<T> list, String parameter, @Nullable String value) {
        return value == null ? list : list.where(parameter, value);
    }

    private @Nullable String sinceToken() {
        return moment == null ? null : moment.token();
    }

    /** Breaks the connection when nothing has arrived for too long. */
    private void watch(Connection connection) {
        EventReader reader = connection.reader();
        Duration longest = reader.hasEvent() ? silence : list.transport().timeout();
        long left = longest.toNanos() - reader.silentNanos();
        if (left > 0) {
            runAfter(Duration.ofNanos(left), () -> {
                if (step == connection.ownStep()) {
                    watch(connection);
                }
            });
        } else {
            FeedException failure = new FeedException(
                    connection.uri().getAuthority() + " has sent nothing for " + longest.toMillis() + " ms",
                    new TimeoutException());
            updateIn(connection.ownStep(), () -> onLost(connection, failure));
        }
    }

    private void onStreamEnd(Connection connection, HttpResponse<String> response, @Nullable Throwable failure) {
        if (failure != null) {
            onLost(connection, Transport.noResponse(connection.uri(), failure));
        } else if (Transport.isEventStream(response.statusCode(), response.headers())) {
            String message = connection.uri().getAuthority() + " has ended the event stream";
            onLost(connection, new FeedException(message, new IOException(message)));
        } else {
            onLost(connection, new ProblemException(Problem.of(response, response.body()), null));
        }
    }

    private void onLost(Connection connection, FeedException failure) {
        EventReader reader = connection.reader();
        if (reader.hasLineBehindFirstEvent()) {
            withheldStreams = 0;
        }
        if (reader.hasEvent()
                && System.nanoTime() - connection.openedNanos()
                        >= retry.maxDelay().toNanos()) {
            attempts = 0;
        }
        if (!reader.hasLineBehindFirstEvent() && isWithheld(failure)) {
            LOG.log(System.Logger.Level.DEBUG, "{0}; the list is polled", failure.getMessage());
            pollsLeft = 1 << Math.min(withheldStreams++, MAX_POLLS_LOG);
            next(Duration.ZERO, this::poll);
        } else {
            recover(failure, !reader.hasEvent());
        }
    }

    /**
     * Whether a page might be read although no stream could be opened: the server has no such endpoint or too many
     * streams, or a proxy rejects or withholds events.
     */
    private static boolean isWithheld(FeedException failure) {
        if (failure instanceof ProblemException rejected) {
            Problem problem = rejected.problem();
            return switch (problem.code()) {
                case NOT_ACCEPTABLE, NOT_FOUND, OVERLOADED -> true;
                case OTHER -> !problem.isTemporary();
                default -> false;
            };
        }
        return failure.getCause() instanceof TimeoutException;
    }

    /** @param until where the window of this stream ends */
    private CompletableFuture<Void> onEvent(int ownStep, EventReader.Event event, @Nullable String until) {
        try {
            switch (event.name()) {
                case "page" -> {
                    return onPage(ownStep, Delta.parse(event.data(), list.mapper()), until, Status.CONNECTED);
                }
                case "change" -> {
                    WindowChange<T> change = WindowChange.parse(event.data(), list.mapper());
                    updateIn(ownStep, () -> onChange(change, event.id(), until));
                }
                case "problem" -> {
                    FeedException failure = new ProblemException(Problem.ofEvent(event.data()), null);
                    updateIn(ownStep, () -> recover(failure, true));
                }
                default -> {
                    // An event of a newer server.
                }
            }
        } catch (RuntimeException e) {
            updateIn(ownStep, () -> fail(unreadable(e)));
        }
        return CompletableFuture.completedFuture(null);
    }

    private static FeedException unreadable(RuntimeException e) {
        return e instanceof FeedException known
                ? known
                : new FeedException("the response cannot be read: " + e.getMessage(), e);
    }

    /** What the list holds, once the first page has been read. */
    private Window<T> presentWindow() {
        return Objects.requireNonNull(window);
    }

    /** Makes the list what a page shows, once its missing items have been read. */
    private CompletableFuture<Void> onPage(int ownStep, Delta<T> delta, @Nullable String until, Status reached) {
        Map<List<String>, T> known;
        synchronized (lock) {
            if (step != ownStep) {
                return CompletableFuture.completedFuture(null);
            }
            known = new HashMap<>(presentWindow().items());
        }
        Page<T> page = delta.page();
        Set<List<String>> keys = new HashSet<>(delta.keys());
        for (T item : page.items()) {
            List<String> key = keyOf.apply(item);
            FeedList.requireKey(keys.contains(key), key);
            known.put(key, item);
        }
        return list.readMissing(delta.keys(), known, keyOf)
                .whenComplete((done, failure) -> updateIn(ownStep, () -> {
                    if (failure != null) {
                        recover(unwrap(failure), true);
                        return;
                    }
                    window = presentWindow().replace(delta.keys(), known);
                    moment = page.moment().map(this::moment).orElse(null);
                    capacity = page.limit();
                    status = reached;
                    error = null;
                    show(page.next().isPresent(), page.prev().isPresent(), page.last(), until);
                }));
    }

    private void onChange(WindowChange<T> change, String id, @Nullable String until) {
        try {
            window = presentWindow().apply(change, keyOf);
        } catch (IllegalStateException e) {
            retryLater(new FeedException(e.getMessage(), e), false);
            return;
        }
        if (!id.isEmpty()) {
            moment = moment(id);
        }
        show(change.hasMore(), change.hasPrev(), change.last(), until);
    }

    /** @param isFull whether the window ends before {@code until}, because it has as many items as it can have */
    private void show(boolean isFull, boolean isPreceded, Optional<String> last, @Nullable String until) {
        bottom = isFull ? last.orElse(until) : until;
        if (isFull) {
            // Fewer than the server's limit if the items are large.
            capacity = presentWindow().keys().size();
        }
        hasPrev = isPreceded;
        view.update(presentWindow(), isFull);
    }

    /** Reads the window with {@code since}. */
    private void poll() {
        if (moment == null) {
            next(Duration.ZERO, this::readFirstPage);
            return;
        }
        int ownStep = step;
        boolean isRefresh = status == Status.CONNECTED && pollsLeft == 0;
        Status reached = !follows ? Status.PAUSED : isRefresh ? Status.CONNECTED : Status.POLLING;
        String until = bottom;
        FeedList<T> since = list.limit(MAX_DELTA_LIMIT).where("since", moment.token());
        String from = top;
        send(() -> pollStart(from)
                        .thenApply(windowStart -> until == null ? windowStart : windowStart.until(until))
                        .thenCompose(since::delta))
                .thenCompose(delta -> onPage(ownStep, delta, until, reached))
                .whenCompleteAsync((done, failure) -> updateIn(ownStep, () -> {
                    if (failure != null) {
                        recover(unwrap(failure), true);
                    } else {
                        attempts = 0;
                        boolean canConnect = finish(Load.REFRESH, null) && pollsLeft == 0;
                        pollsLeft = Math.max(0, pollsLeft - 1);
                        Duration delay = new Retry(1, pollInterval, pollInterval, pollInterval).delay(1, Duration.ZERO);
                        next(canConnect ? Duration.ZERO : delay, this::goOn);
                    }
                }));
    }

    /** Returns where the window starts. A cursor before an item leads up, so the one after the item above it is read. */
    private CompletableFuture<PageStart> pollStart(@Nullable String from) {
        return from == null
                ? CompletableFuture.completedFuture(PageStart.first())
                : list.limit(1)
                        .pageAsync(PageStart.cursor(from))
                        .thenApply(above -> PageStart.cursor(above.last().orElseThrow()));
    }

    /** Does what the list needs next. */
    private void goOn() {
        boolean refreshes = loads.containsKey(Load.REFRESH);
        if (!follows && !refreshes) {
            return;
        }
        if (window == null) {
            readFirstPage();
        } else if (refreshes || pollsLeft > 0) {
            poll();
        } else {
            connect();
        }
    }

    /** @param isOffline whether the attempt has failed, rather than a connection that worked */
    private void recover(FeedException failure, boolean isOffline) {
        Optional<Problem> problem =
                failure instanceof ProblemException rejected ? Optional.of(rejected.problem()) : Optional.empty();
        if (moment != null && problem.filter(LiveList::rejectsMoment).isPresent()) {
            moment = null;
            if (problem.get().code() == ProblemCode.NOT_SUPPORTED) {
                window = null;
            }
            startAgain(failure);
        } else if (window != null && problem.filter(Problem::mustStartAgain).isPresent()) {
            window = null;
            startAgain(failure);
        } else if (!follows
                || Transport.isTemporary(failure)
                || problem.filter(LiveList::isLoginPage).isPresent()) {
            retryLater(failure, isOffline);
        } else {
            fail(failure);
        }
    }

    /** Whether the moment is invalid, or the feed is no longer declared with delta. */
    private static boolean rejectsMoment(Problem problem) {
        return problem.code() == ProblemCode.INVALID_MOMENT || problem.code() == ProblemCode.NOT_SUPPORTED;
    }

    private void startAgain(FeedException failure) {
        if (follows) {
            retryLater(failure, false);
        } else {
            next(Duration.ZERO, this::goOn);
        }
    }

    /** Whether the response may be the login page of a public network, or a redirect to it. */
    private static boolean isLoginPage(Problem problem) {
        return problem.code() == ProblemCode.OTHER && problem.status() < 400;
    }

    private void retryLater(FeedException failure, boolean isOffline) {
        if (isOffline) {
            finish(Load.REFRESH, failure);
            error = failure;
        }
        if (!follows) {
            return;
        }
        Duration delay = retry.delay(++attempts, Transport.retryAfter(failure));
        if (!retry.allows(attempts + 1, delay)) {
            fail(failure);
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "{0}; retry in {1}", failure.getMessage(), delay);
        if (isOffline) {
            status = Status.OFFLINE;
        }
        pollsLeft = 0;
        next(delay, this::goOn);
    }

    private static FeedException unwrap(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RuntimeException e ? unreadable(e) : new FeedException(String.valueOf(cause), cause);
    }

    /** Reads the page beyond an end of the window. */
    private void readPage(boolean upward) {
        String edge = upward ? top : bottom;
        if (ended) {
            finish(Load.page(upward), new FeedException("the list is closed", error));
        } else if (window == null || edge == null) {
            finish(Load.page(upward), null);
        } else {
            // The page may be read before the next event but arrive after it.
            Moment before = moment;
            send(() -> list.pageAsync(PageStart.cursor(edge)))
                    .whenCompleteAsync((page, failure) -> update(() -> {
                        if (failure == null) {
                            addPage(new LoadedPage<>(upward, edge, page, before), 0);
                        } else {
                            finish(Load.page(upward), unwrap(failure));
                        }
                    }));
        }
    }

    /**
     * @param edge the end of the window that the page was read from
     * @param before the moment that the list had reached before
     */
    private record LoadedPage<T>(
            boolean upward,
            String edge,
            Page<T> page,
            @Nullable Moment before) {}

    /**
     * Adds a page to the window. If there are too many items then, first reads the cursor of a new opposite end.
     *
     * @param skipped the number of items that can no longer be that end, because they have been deleted
     */
    private void addPage(LoadedPage<T> loaded, int skipped) {
        boolean upward = loaded.upward();
        if (window == null || !loaded.edge().equals(upward ? top : bottom)) {
            readPage(upward);
            return;
        }
        int size = window.keys().size();
        int added = loaded.page().items().size();
        // A tenth is left free, so that new items do not push out others at once.
        int excess =
                capacity == 0 || added == 0 ? 0 : size + added - Math.max(capacity - capacity / 10, added) + skipped;
        if (excess <= 0) {
            grow(loaded, window, Optional.empty());
            return;
        }
        if (excess >= size) {
            Page<T> page = loaded.page();
            grow(loaded, window.subWindow(0, 0), upward ? page.last() : page.top());
            return;
        }
        List<String> key = window.keys().get(upward ? size - excess - 1 : excess);
        send(() -> list.limit(1).pageAsync(PageStart.fromId(key.toArray(String[]::new))))
                .whenCompleteAsync((page, failure) -> update(() -> {
                    if (failure == null) {
                        letGo(loaded, key, page);
                    } else if (unwrap(failure) instanceof ProblemException e
                            && e.problem().code() == ProblemCode.ANCHOR_NOT_FOUND) {
                        addPage(loaded, skipped + 1);
                    } else {
                        finish(Load.page(upward), unwrap(failure));
                    }
                }));
    }

    private void letGo(LoadedPage<T> loaded, List<String> key, Page<T> atKey) {
        boolean upward = loaded.upward();
        Window<T> present = window;
        int index = present == null ? -1 : present.keys().indexOf(key);
        if (present == null || index < 0 || !loaded.edge().equals(upward ? top : bottom)) {
            readPage(upward);
        } else if (upward) {
            grow(loaded, present.subWindow(0, index + 1), atKey.last());
        } else {
            grow(loaded, present.subWindow(index, present.keys().size()), atKey.top());
        }
    }

    /**
     * Adds a page to what is kept of the window, and opens a stream of the new window soon.
     *
     * @param oppositeEdge the new opposite end; empty if it stays
     */
    private void grow(LoadedPage<T> loaded, Window<T> kept, Optional<String> oppositeEdge) {
        Page<T> page = loaded.page();
        Window<T> grown;
        if (loaded.upward()) {
            grown = kept.prepend(page.items(), keyOf);
            top = page.prev().isPresent() ? page.top().orElse(loaded.edge()) : null;
            hasPrev = top != null;
            oppositeEdge.ifPresent(cursor -> bottom = cursor);
        } else {
            grown = kept.append(page.items(), keyOf);
            bottom = page.next().isPresent() ? page.last().orElse(loaded.edge()) : null;
            oppositeEdge.ifPresent(cursor -> {
                top = cursor;
                hasPrev = true;
            });
        }
        moment = Moment.earlier(moment, loaded.before());
        window = grown;
        view.grow(grown, loaded.upward());
        finish(Load.page(loaded.upward()), null);
        if (!waitsToGrow) {
            next(GROWTH_PAUSE, this::goOn);
            waitsToGrow = true;
        }
    }

    /**
     * Ends a load. Completes its future on another thread, because what depends on it must not run under the lock.
     *
     * @param failure null if there is none
     * @return whether anybody waits for it
     */
    private boolean finish(Load load, @Nullable FeedException failure) {
        CompletableFuture<Void> future = loads.remove(load);
        if (future != null) {
            future.completeAsync(() -> {
                if (failure != null) {
                    throw failure;
                }
                return null;
            });
        }
        return future != null;
    }
}
