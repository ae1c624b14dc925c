package dev.tidemark.http.live;

import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.events.SharedRead;
import dev.tidemark.http.json.ItemTooLargeException;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.PageMembers;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A window with the clients that follow it. After a change, the window is read once for all of them, with the moment
 * of the previous read as {@code since}, and the difference goes to every client that holds the previous state. The
 * window is read whole if a client joins or holds an older state, or if the difference needs an item that was not
 * written since, such as one that moved up into a full window. The next read begins later if one had to be repeated.
 *
 * <p>Not thread-safe except for {@link #onChange}.
 */
final class LiveWindow extends SharedRead {

    /** The minimum time from the failure of a read to the start of the next. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(1);

    private static final long NO_CHANGE = 0;

    private static final Problem TOO_FEW_MATCH = Problem.of(
            ProblemCode.NOT_SUPPORTED,
            "too few rows match: the window cannot be read within the rows that a search may look at;"
                    + " ask for pages, or for a smaller window");

    private final WindowKey key;
    private final ServedFeed served;
    private final KeyWriter keyWriter;
    private final LiveWindows owner;
    private final Watch watch;

    /** Clients that have not got a page yet. */
    private final Set<LiveClient> joining = new LinkedHashSet<>();
    /** Clients that have got a page. */
    private final Set<LiveClient> following = new LinkedHashSet<>();
    /** The accepting ones among {@code following} that do not hold the latest state. */
    private final Set<LiveClient> behind = new LinkedHashSet<>();

    /** When the first change after the start of the last read was reported. */
    private final AtomicLong changeNanos = new AtomicLong(NO_CHANGE);

    /** The latest state; null before the first read. */
    private @Nullable WindowState state;

    private Optional<Moment> moment = Optional.empty();
    private Optional<Floor> floor = Optional.empty();
    private volatile boolean hasClients;

    /**
     * What a read is for.
     *
     * @param whole whether all items are read, not only those written since the moment
     * @param since if all items are read, the earliest moment of the joining clients; otherwise, the window's moment
     * @param joining the clients that get a page of what is read
     * @param changeNanos when the first change that the read is for was reported; 0 if none was
     */
    private record Purpose(boolean whole, Optional<Moment> since, List<LiveClient> joining, long changeNanos) {}

    LiveWindow(ServedFeed served, WindowKey key, LiveWindows owner, FeedChanges changes, Vertx vertx) {
        super(vertx);
        this.key = key;
        this.served = served;
        this.keyWriter = served.keyWriter().orElseThrow();
        this.owner = owner;
        this.watch = changes.watchWithEmbeds(key.state(), this::onChange);
    }

    /** @param clientFloor the oldest database state that the client may be shown */
    void add(LiveClient client, Optional<Floor> clientFloor) {
        assertOnEventLoop();
        floor = Floor.later(floor, clientFloor);
        joining.add(client);
        hasClients = true;
        readWhenDue();
    }

    void remove(LiveClient client) {
        assertOnEventLoop();
        joining.remove(client);
        following.remove(client);
        behind.remove(client);
        hasClients = !joining.isEmpty() || !following.isEmpty();
        readWhenDue();
    }

    /** Called when the client has accepted the event that was sent last. */
    void onAccepted(LiveClient client) {
        assertOnEventLoop();
        client.onAccepted();
        if (client.held() != state && following.contains(client)) {
            behind.add(client);
            readWhenDue();
        }
    }

    /** Marks the state as possibly outdated. Callable from any thread. */
    void onChange() {
        // The lowest bit makes sure that the time is not 0, which stands for no change.
        if (changeNanos.compareAndSet(NO_CHANGE, System.nanoTime() | 1)) {
            run(this::readWhenDue);
        }
    }

    @Override
    protected boolean isIdle() {
        return joining.isEmpty() && following.isEmpty();
    }

    @Override
    protected boolean isOutdated() {
        return !joining.isEmpty() || !behind.isEmpty() || changeNanos.get() != NO_CHANGE;
    }

    @Override
    protected void onDrop() {
        owner.remove(key, this);
        watch.close();
    }

    @Override
    protected void read() {
        // Changes that are reported from now on may be missing from what is read, and lead to another read.
        long changedAt = changeNanos.getAndSet(NO_CHANGE);
        read(
                state == null || !joining.isEmpty() || !behind.isEmpty()
                        ? wholeRead(changedAt)
                        : new Purpose(false, moment, List.of(), changedAt));
    }

    /**
     * A read of all items, which also shows which of them were written since the earliest moment of the joining
     * clients. Moments of different runs of a server cannot be compared, so only those of one run count.
     */
    private Purpose wholeRead(long changedAt) {
        Optional<Moment> earliest = Optional.empty();
        for (LiveClient client : joining) {
            Optional<Moment> own = client.since();
            if (own.isPresent()
                    && earliest.map(least -> isEarlier(own.get(), least)).orElse(true)) {
                earliest = own;
            }
        }
        return new Purpose(true, earliest, List.copyOf(joining), changedAt);
    }

    private static boolean isEarlier(Moment one, Moment other) {
        return isSameRun(one, other) && one.horizon() < other.horizon();
    }

    private static boolean isSameRun(Moment one, Moment other) {
        return one.serverRun().equals(other.serverRun());
    }

    private void read(Purpose purpose) {
        WindowRows rows = new WindowRows(
                served.pageItems(key.fields(), owner.maxPageBytes()),
                keyWriter,
                purpose.whole() ? Optional.empty() : Optional.of(latestState()));
        PageRequest request = served.forFields(
                new PageRequest(
                        key.from().map(gap -> new Continuation(gap, Direction.FORWARD)),
                        key.limit(),
                        OptionalInt.empty(),
                        key.until(),
                        purpose.since(),
                        floor,
                        purpose.whole(),
                        Set.of()),
                key.fields());
        owner.read(key.state(), request, rows, () -> hasClients)
                .emitOn(this::run)
                .subscribe()
                .with(
                        // Without clients, nothing is read. One that has joined since leads to a read of all items.
                        page -> page.ifPresentOrElse(read -> onRead(purpose, rows, read), this::endRead),
                        failure -> onFailure(purpose, failure));
    }

    /** Fails the clients that have no page yet. The others keep the state that they hold until a read succeeds. */
    private void onFailure(Purpose purpose, Throwable failure) {
        if (failure instanceof ItemTooLargeException) {
            failAll(failure);
            endRead();
            return;
        }
        restoreChange(purpose);
        delayNextRead(MIN_INTERVAL_AFTER_FAILURE);
        for (LiveClient client : purpose.joining()) {
            // A client can have left while the window was read.
            if (joining.remove(client)) {
                client.fail(failure);
            }
        }
        endRead();
    }

    /** Marks the state as outdated again, because the read of this purpose has not reached the clients. */
    private void restoreChange(Purpose purpose) {
        changeNanos.compareAndSet(
                NO_CHANGE, purpose.changeNanos() == NO_CHANGE ? System.nanoTime() | 1 : purpose.changeNanos());
    }

    private void onRead(Purpose purpose, WindowRows rows, Page page) {
        if (page.scanEnds().isCut()) {
            endAll(TOO_FEW_MATCH);
            endRead();
            return;
        }
        try {
            WindowState read = rows.state(page, owner.hash());
            WindowChange change = state == null ? null : WindowChange.between(state, read);
            if (change != null && change.lacksItems(rows)) {
                delayNextRead(MIN_INTERVAL);
                read(wholeRead(purpose.changeNanos()));
                return;
            }
            publish(purpose, change, read, rows, page);
        } catch (RuntimeException e) {
            // For example, a value is too long for a cursor. A client that reconnects gets the problem as its
            // response.
            failAll(e);
        }
        endRead();
    }

    /** Ends the streams of all clients, because the window cannot be shown. */
    private void failAll(Throwable failure) {
        joining.forEach(client -> client.fail(failure));
        following.forEach(client -> client.fail(failure));
        dropClients();
    }

    /** Ends the streams of all clients, and tells them why. */
    private void endAll(Problem problem) {
        joining.forEach(client -> client.end(problem));
        following.forEach(client -> client.end(problem));
        dropClients();
    }

    private void dropClients() {
        joining.clear();
        following.clear();
        behind.clear();
        hasClients = false;
    }

    /** @param change the difference from the latest state; null if there is no earlier state */
    private void publish(Purpose purpose, @Nullable WindowChange change, WindowState read, WindowRows rows, Page page) {
        floor = Floor.later(floor, page.floor());
        moment = later(page.moment().orElseThrow());
        PageMembers members = PageFormat.API.seal(page, key.state(), key.limit(), Optional.empty(), owner.cursors());
        String token = owner.moments().seal(key.state().feed(), moment.get());
        Map<WindowState, Difference> differences = new IdentityHashMap<>();
        if (change != null) {
            differences.put(state, difference(change, rows, members, token));
        }
        if (purpose.whole()) {
            for (LiveClient client : behind) {
                differences.computeIfAbsent(
                        client.held(), held -> difference(WindowChange.between(held, read), rows, members, token));
            }
            behind.clear();
        }
        if (change == null || !change.isEmpty()) {
            state = read;
        }
        int sent = sendDifferences(differences);
        if (sent > 0 && purpose.changeNanos() != NO_CHANGE) {
            owner.metrics().recordDelay(System.nanoTime() - purpose.changeNanos());
        }
        sendPages(purpose, rows, members, token);
    }

    /** Returns the latest state, once the window has been read. */
    private WindowState latestState() {
        return Objects.requireNonNull(state);
    }

    /** @param event null if nothing differs */
    private record Difference(byte @Nullable [] event, int itemCount) {}

    private static Difference difference(WindowChange change, WindowRows rows, PageMembers members, String token) {
        return change.isEmpty()
                ? new Difference(null, 0)
                : new Difference(LiveEvents.change(change, rows, members, token), change.itemCount());
    }

    /** Sends each accepting client the difference between the state that it holds and the latest one. */
    private int sendDifferences(Map<WindowState, Difference> differences) {
        int sent = 0;
        int items = 0;
        for (LiveClient client : following) {
            Difference difference = client.isAccepting() ? differences.get(client.held()) : null;
            if (difference == null) {
                continue;
            }
            if (difference.event() == null) {
                client.hold(latestState());
            } else {
                client.send(difference.event(), latestState());
                sent++;
                items += difference.itemCount();
            }
        }
        owner.metrics().recordEvents(sent, items);
        return sent;
    }

    /** Sends a page to the joining clients: with all items, or with those written since the moment of the read. */
    private void sendPages(Purpose purpose, WindowRows rows, PageMembers members, String token) {
        byte[] full = null;
        byte[] written = null;
        for (LiveClient client : purpose.joining()) {
            // A client can have left while the window was read.
            if (!joining.remove(client)) {
                continue;
            }
            following.add(client);
            boolean isResuming = client.since().isPresent()
                    && isSameRun(client.since().get(), purpose.since().orElseThrow());
            if (isResuming) {
                written = written == null ? LiveEvents.page(rows, true, members, token) : written;
                client.send(written, latestState());
            } else {
                full = full == null ? LiveEvents.page(rows, false, members, token) : full;
                client.send(full, latestState());
            }
            owner.metrics().recordEvents(1, rows.itemCount(isResuming));
        }
    }

    /**
     * Returns the later of the read's moment and the one before. A standby can report an earlier horizon than the
     * primary did; because of the floor, it still shows all that had been committed then.
     */
    private Optional<Moment> later(Moment read) {
        return Optional.of(moment.filter(last -> isEarlier(read, last)).orElse(read));
    }
}
