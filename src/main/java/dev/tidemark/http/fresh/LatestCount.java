package dev.tidemark.http.fresh;

import dev.tidemark.http.events.EventSource;
import dev.tidemark.http.events.EventStream;
import org.jspecify.annotations.Nullable;

/** The number of new items for one stream. Of the numbers that arrive during a write, only the latest is sent. */
final class LatestCount implements FreshListener, EventSource {

    @SuppressWarnings("NullAway.Init") // sendTo() sets it before the first number arrives.
    private EventStream stream;

    private volatile @Nullable FreshCount latest;
    private @Nullable FreshCount lastSent;

    /** Must be called before the first number arrives. */
    void sendTo(EventStream to) {
        stream = to;
    }

    @Override
    public void onCount(FreshCount count) {
        latest = count;
        stream.wake();
    }

    @Override
    public void onFailure(Throwable failure) {
        stream.fail(failure);
    }

    @Override
    public byte @Nullable [] next() {
        FreshCount count = latest;
        if (count == null || count == lastSent) {
            return null;
        }
        lastSent = count;
        return count.event();
    }
}
