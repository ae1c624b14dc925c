package dev.tidemark.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of server-sent events. The next event is requested from the connection only when the previous one has
 * been handled.
 */
final class EventReader implements Flow.Subscriber<String> {

    /** @param id the id, or the empty string if the event has none */
    record Event(String name, String id, String data) {}

    private final Function<Event, CompletableFuture<Void>> handler;

    @SuppressWarnings("NullAway.Init") // onSubscribe() is called first.
    private volatile Flow.Subscription subscription;

    private volatile boolean canceled;

    private volatile long lastLineNanos = System.nanoTime();
    private volatile CompletableFuture<Void> handled = CompletableFuture.completedFuture(null);
    private volatile int eventCount;
    private volatile boolean hasLineBehindFirstEvent;

    private String name = "";
    private String id = "";
    private @Nullable StringBuilder data;

    /** @param handler handles an event, and must complete the future that it returns */
    EventReader(Function<Event, CompletableFuture<Void>> handler) {
        this.handler = handler;
    }

    @Override
    public void onSubscribe(Flow.Subscription started) {
        subscription = started;
        if (canceled) {
            started.cancel();
        } else {
            started.request(1);
        }
    }

    @Override
    public void onNext(String line) {
        lastLineNanos = System.nanoTime();
        hasLineBehindFirstEvent = eventCount > 0;
        if (!line.isEmpty()) {
            parseField(line);
            subscription.request(1);
            return;
        }
        Event event = data == null ? null : new Event(name, id, data.toString());
        name = "";
        id = "";
        data = null;
        if (event == null) {
            subscription.request(1);
            return;
        }
        handled = handler.apply(event).whenComplete((done, failure) -> {
            countEvent();
            lastLineNanos = System.nanoTime();
            subscription.request(1);
        });
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one event is handled at a time.
    private void countEvent() {
        eventCount++;
    }

    private void parseField(String line) {
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        if (value.startsWith(" ")) {
            value = value.substring(1);
        }
        switch (field) {
            case "event" -> name = value;
            case "id" -> id = value;
            case "data" -> {
                if (data == null) {
                    data = new StringBuilder(value);
                } else {
                    data.append('\n').append(value);
                }
            }
            default -> {
                // A comment, which is a heartbeat, or a field that this client does not need.
            }
        }
    }

    /** For how long the server has sent nothing; 0 while an event is handled. */
    long silentNanos() {
        return handled.isDone() ? System.nanoTime() - lastLineNanos : 0;
    }

    /** Completes when the last event has been handled. */
    CompletableFuture<Void> handled() {
        return handled;
    }

    boolean hasEvent() {
        return eventCount > 0;
    }

    /** Whether anything has come behind the first event, so that nothing between server and client withholds events. */
    boolean hasLineBehindFirstEvent() {
        return hasLineBehindFirstEvent;
    }

    /** Ends the stream, also if it has not begun yet. */
    void cancel() {
        canceled = true;
        Flow.Subscription started = subscription;
        if (started != null) {
            started.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        // The future of the response fails, too.
    }

    @Override
    public void onComplete() {
        // The future of the response completes, too.
    }
}
