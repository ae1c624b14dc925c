package dev.tidemark.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of server-sent events. Nothing behind an event is requested from the connection before {@link #next}
 * is called again, so that the server notices a client that is slow.
 */
final class EventReader implements Flow.Subscriber<String> {

    /** The event that has arrived; empty at the end of the stream. */
    private final BlockingQueue<Optional<LiveEvent>> arrived = new LinkedBlockingQueue<>();

    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean ended;
    private volatile long lastLineNanos = System.nanoTime();

    // Only one thread at a time uses the following fields.
    private boolean isDelivered;
    private String name = "";
    private String id = "";
    private @Nullable StringBuilder data;

    /**
     * Waits for the next event.
     *
     * @param silence the longest time in which not even a heartbeat arrives
     * @return empty if the stream has ended
     */
    Optional<LiveEvent> next(Duration silence) throws InterruptedException, TimeoutException {
        if (isDelivered) {
            isDelivered = false;
            lastLineNanos = System.nanoTime();
            requestLine();
        }
        while (true) {
            long left = silence.toNanos() - (System.nanoTime() - lastLineNanos);
            if (left <= 0) {
                throw new TimeoutException();
            }
            Optional<LiveEvent> event = arrived.poll(left, TimeUnit.NANOSECONDS);
            if (event != null) {
                isDelivered = event.isPresent();
                return event;
            }
        }
    }

    /** Ends the stream, also if it has not begun yet, and wakes the thread that waits for an event. */
    void end() {
        ended = true;
        Flow.Subscription started = subscription;
        if (started != null) {
            started.cancel();
        }
        arrived.add(Optional.empty());
    }

    private void requestLine() {
        Flow.Subscription started = subscription;
        if (started != null) {
            started.request(1);
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription started) {
        subscription = started;
        if (ended) {
            started.cancel();
        } else {
            started.request(1);
        }
    }

    @Override
    public void onNext(String line) {
        lastLineNanos = System.nanoTime();
        if (!line.isEmpty()) {
            parseField(line);
            requestLine();
            return;
        }
        LiveEvent event = data == null ? null : new LiveEvent(name, id, data.toString());
        name = "";
        id = "";
        data = null;
        if (event == null) {
            requestLine();
        } else {
            arrived.add(Optional.of(event));
        }
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

    @Override
    public void onError(Throwable failure) {
        // The future of the response fails, too.
    }

    @Override
    public void onComplete() {
        // The future of the response completes, too.
    }
}
