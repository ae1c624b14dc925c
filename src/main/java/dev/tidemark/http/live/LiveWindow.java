package dev.tidemark.http.live;

import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.page.PageMembers;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A window with the clients that follow it. After a change, the window is read once for all of them, with the moment of
 * the previous read as {@code since}, and the difference goes to every client that holds the previous state. The window
 * is read whole if a client holds an older state, if a new client holds nothing, or if the difference needs an item that
 * was not written since, such as one that moved up into a full window. Reads start at least {@link #MIN_INTERVAL} apart.
 *
 * <p>Not thread-safe except for {@link #onChange}: everything else runs in the context of {@link LiveWindows}.
 */
final class LiveWindow {

    /** The minimum time from the start of one read to the start of the next. */
    static final Duration MIN_INTERVAL = Duration.ofMillis(250);

    /** The minimum time from the start of a read that failed to the start of the next. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(1);

    private static final long NO_CHANGE = 0;

    private final WindowKey key;
    private final ItemWriter itemWriter;
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

    private WindowState state;
    private Optional<Moment> moment = Optional.empty();
    private Optional<Floor> floor = Optional.empty();
    private long nextReadNanos = System.nanoTime();
    private boolean waiting;
    private boolean reading;

    /**
     * What a read is for.
     *
     * @param since empty to read all items
     * @param joining the clients that get a page of what is read
     * @param changeNanos when the first change that the read is for was reported; 0 if none was
     */
    private record Purpose(Optional<Moment> since, List<LiveClient> joining, long changeNanos) {}

    LiveWindow(ServedFeed served, WindowKey key, LiveWindows owner, FeedChanges changes) {
        this.key = key;
        this.itemWriter = key.fields().map(served.itemWriter()::withColumns).orElse(served.itemWriter());
        this.keyWriter = served.keyWriter().orElseThrow();
        this.owner = owner;
        this.watch = changes.watch(served.feed(), this::onChange);
    }

    /** @param clientFloor the oldest database state that the client may be shown */
    void add(LiveClient client, Optional<Floor> clientFloor) {
        floor = Floor.later(floor, clientFloor);
        joining.add(client);
        startReadWhenDue();
    }

    void remove(LiveClient client) {
        joining.remove(client);
        following.remove(client);
        behind.remove(client);
        startReadWhenDue();
    }

    /** Called when the client has accepted the event that was sent last. */
    void onAccepted(LiveClient client) {
        client.onAccepted();
        if (client.held() != state && following.contains(client)) {
            behind.add(client);
            startReadWhenDue();
        }
    }

    /** Marks the state as possibly outdated. Callable from any thread. */
    void onChange() {
        // The lowest bit makes sure that the time is not 0, which stands for no change.
        if (changeNanos.compareAndSet(NO_CHANGE, System.nanoTime() | 1)) {
            owner.run(this::startReadWhenDue);
        }
    }

    /** Ends the watch of a window that nobody follows. */
    boolean closeIfIdle() {
        boolean isIdle = joining.isEmpty() && following.isEmpty() && !reading;
        if (isIdle) {
            watch.close();
        }
        return isIdle;
    }

    /**
     * Starts a read if the state is outdated or a client waits for it, or drops the window if it has no clients. In
     * both cases, waits until the next read is due, so that a client that reconnects causes no extra read.
     */
    private void startReadWhenDue() {
        boolean isIdle = joining.isEmpty() && following.isEmpty();
        boolean isWanted = !joining.isEmpty() || !behind.isEmpty() || changeNanos.get() != NO_CHANGE;
        if (waiting || reading || !(isIdle || isWanted)) {
            return;
        }
        long wait = nextReadNanos - System.nanoTime();
        if (wait > 0) {
            waiting = true;
            owner.runAfter(Duration.ofNanos(wait), () -> {
                waiting = false;
                startReadWhenDue();
            });
        } else if (isIdle) {
            watch.close();
            owner.drop(key, this);
        } else {
            startRead();
        }
    }

    private void startRead() {
        reading = true;
        nextReadNanos = System.nanoTime() + MIN_INTERVAL.toNanos();
        // Changes that are reported from now on may be missing from what is read, and lead to another read.
        read(choosePurpose(changeNanos.getAndSet(NO_CHANGE)));
    }

    /**
     * Chooses between a read of all items, for the clients that need them, and a read of what was written since the
     * earliest moment that the window or a joining client stands at. Moments of different runs of a server cannot be
     * compared: a client with a moment of another run than the window's gets all items.
     */
    private Purpose choosePurpose(long changedAt) {
        List<LiveClient> needingAll = joining.stream()
                .filter(client -> client.since().isEmpty()
                        || moment.isPresent() && !isSameRun(client.since().get(), moment.get()))
                .toList();
        if (!needingAll.isEmpty() || !behind.isEmpty()) {
            return new Purpose(Optional.empty(), needingAll, changedAt);
        }
        Optional<Moment> since = moment;
        List<LiveClient> resuming = new ArrayList<>();
        for (LiveClient client : joining) {
            Moment own = client.since().orElseThrow();
            if (since.isEmpty() || isSameRun(own, since.get())) {
                resuming.add(client);
                since = since.filter(earliest -> earliest.horizon() <= own.horizon())
                        .or(() -> Optional.of(own));
            }
        }
        return new Purpose(since, resuming, changedAt);
    }

    private static boolean isSameRun(Moment one, Moment other) {
        return one.serverRun().equals(other.serverRun());
    }

    private void read(Purpose purpose) {
        WindowRows rows = new WindowRows(itemWriter, keyWriter);
        PageRequest request = new PageRequest(
                key.from().map(gap -> new Continuation(gap, Direction.FORWARD)),
                key.limit(),
                OptionalInt.empty(),
                key.until(),
                purpose.since(),
                floor);
        owner.read(key.state(), request, rows)
                .subscribe()
                .with(page -> onRead(purpose, rows, page), failure -> onFailure(purpose, failure));
    }

    private void onFailure(Purpose purpose, Throwable failure) {
        changeNanos.compareAndSet(
                NO_CHANGE, purpose.changeNanos() == NO_CHANGE ? System.nanoTime() | 1 : purpose.changeNanos());
        nextReadNanos += MIN_INTERVAL_AFTER_FAILURE.minus(MIN_INTERVAL).toNanos();
        for (LiveClient client : purpose.joining()) {
            if (joining.remove(client)) {
                client.fail(failure);
            }
        }
        endRead();
    }

    private void endRead() {
        reading = false;
        startReadWhenDue();
    }

    private void onRead(Purpose purpose, WindowRows rows, Page page) {
        WindowState before = state;
        WindowState after = rows.state(page, purpose.since().isPresent() ? before : null, owner.hash());
        WindowChange change = before == null ? null : WindowChange.between(before, after);
        if (change != null && change.lacksItems(rows)) {
            if (following.isEmpty()) {
                // Nobody holds the state before.
                change = null;
            } else {
                read(new Purpose(Optional.empty(), List.of(), purpose.changeNanos()));
                return;
            }
        }
        try {
            floor = Floor.later(floor, page.floor());
            moment = later(page.moment().orElseThrow());
            PageMembers members = PageMembers.seal(page, key.state(), key.limit(), Optional.empty(), owner.cursors());
            String token = owner.moments().seal(moment.get());
            Map<WindowState, Difference> differences = new IdentityHashMap<>();
            if (change == null) {
                state = after;
            } else if (!change.isEmpty()) {
                state = after;
                differences.put(before, difference(change, rows, members, token));
                int sent = sendDifferences(following, differences);
                if (sent > 0 && purpose.changeNanos() != NO_CHANGE) {
                    owner.metrics().recordDelay(System.nanoTime() - purpose.changeNanos());
                }
            }
            if (purpose.since().isEmpty()) {
                for (LiveClient client : behind) {
                    differences.computeIfAbsent(
                            client.held(), held -> difference(WindowChange.between(held, after), rows, members, token));
                }
                sendDifferences(behind, differences);
                behind.clear();
            }
            sendPage(purpose.joining(), rows, members, token);
        } catch (RuntimeException e) {
            // Such as a value that is too long for a cursor.
            onFailure(purpose, e);
            return;
        }
        endRead();
    }

    /** @param event null if nothing differs */
    private record Difference(byte[] event, int itemCount) {}

    private static Difference difference(WindowChange change, WindowRows rows, PageMembers members, String token) {
        return change.isEmpty()
                ? new Difference(null, 0)
                : new Difference(LiveEvents.change(change, rows, members, token), change.itemCount());
    }

    /** Sends each accepting client the difference from the state that it holds, if there is one. */
    private int sendDifferences(Set<LiveClient> clients, Map<WindowState, Difference> differences) {
        int sent = 0;
        int items = 0;
        for (LiveClient client : clients) {
            Difference difference = client.isAccepting() ? differences.get(client.held()) : null;
            if (difference == null) {
                continue;
            }
            if (difference.event() == null) {
                client.hold(state);
            } else {
                client.send(difference.event(), state);
                sent++;
                items += difference.itemCount();
            }
        }
        owner.metrics().recordEvents(sent, items);
        return sent;
    }

    private void sendPage(List<LiveClient> clients, WindowRows rows, PageMembers members, String token) {
        byte[] event = clients.isEmpty() ? null : LiveEvents.page(rows, members, token);
        int sent = 0;
        for (LiveClient client : clients) {
            // A client can have left while the window was read.
            if (joining.remove(client)) {
                following.add(client);
                client.send(event, state);
                sent++;
            }
        }
        owner.metrics().recordEvents(sent, sent * rows.itemCount());
    }

    /**
     * Returns the later of the read's moment and the one before. A standby can report an earlier horizon than the
     * primary did; because of the floor, it still shows all that had been committed then.
     */
    private Optional<Moment> later(Moment read) {
        return Optional.of(moment.filter(last -> isSameRun(last, read) && last.horizon() > read.horizon())
                .orElse(read));
    }
}
