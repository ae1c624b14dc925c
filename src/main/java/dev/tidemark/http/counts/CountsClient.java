package dev.tidemark.http.counts;

import dev.tidemark.http.events.EventSource;
import dev.tidemark.http.events.EventStream;
import org.jspecify.annotations.Nullable;

/** The counts for one stream. Of those that arrive during a write, only the latest are sent. */
final class CountsClient implements EventSource {

    @SuppressWarnings("NullAway.Init") // sendTo() sets it before the first counts arrive.
    private EventStream stream;

    private volatile byte @Nullable [] latest;
    private byte @Nullable [] lastSent;

    /** Must be called before the first counts arrive. */
    void sendTo(EventStream to) {
        stream = to;
    }

    void send(byte[] event) {
        latest = event;
        stream.wake();
    }

    void fail(Throwable failure) {
        stream.fail(failure);
    }

    @Override
    public byte @Nullable [] next() {
        byte[] event = latest;
        if (event == lastSent) {
            return null;
        }
        lastSent = event;
        return event;
    }
}
