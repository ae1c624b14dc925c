package dev.tidemark.http.live;

import dev.tidemark.http.events.EventSource;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.paging.Moment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client of one stream: the state of the window that it holds, and at most one event that it has not accepted yet.
 * Except for {@link #next}, everything runs on the event loop of the {@link LiveWindow}.
 */
final class LiveClient implements EventSource {

    private final Optional<Moment> since;
    private final Function<Throwable, byte[]> toProblem;
    private final AtomicReference<byte[]> waitingEvent = new AtomicReference<>();

    @SuppressWarnings("NullAway.Init") // begin() sets it before the window can have an event.
    private EventStream stream;

    @SuppressWarnings("NullAway.Init") // begin() sets it before the window can have an event.
    private LiveWindow window;

    private @Nullable WindowState held;
    private boolean accepting = true;

    /** Whether the event that {@link #next} returned last is being written. Used only in the context of the stream. */
    private boolean writing;

    /**
     * @param since the moment at which the client read the items that it has; empty if it has none
     * @param toProblem converts a failure to the JSON of a problem
     */
    LiveClient(Optional<Moment> since, Function<Throwable, byte[]> toProblem) {
        this.since = since;
        this.toProblem = toProblem;
    }

    void begin(EventStream to, LiveWindow of) {
        stream = to;
        window = of;
    }

    Optional<Moment> since() {
        return since;
    }

    /** Returns the state that the client holds once it has received the last event; null before the first one. */
    @Nullable
    WindowState held() {
        return held;
    }

    /** Whether the client has accepted all events so far. */
    boolean isAccepting() {
        return accepting;
    }

    /** Records that the client holds this state, because it equals the state that the client held before. */
    void hold(WindowState state) {
        held = state;
    }

    /** Sends an event that leads to a state. The client must be accepting. */
    void send(byte[] event, WindowState state) {
        held = state;
        accepting = false;
        waitingEvent.set(event);
        stream.wake();
    }

    void onAccepted() {
        accepting = true;
    }

    void fail(Throwable failure) {
        stream.fail(failure);
    }

    /** Ends the stream with the problem: as the response if there has been no event, or else as the last event. */
    void end(Problem problem) {
        stream.fail(problem, () -> LiveEvents.problem(toProblem.apply(problem)));
    }

    @Override
    public byte @Nullable [] next() {
        byte[] event = waitingEvent.getAndSet(null);
        if (event == null && writing) {
            window.run(() -> window.onAccepted(this));
        }
        writing = event != null;
        return event;
    }
}
