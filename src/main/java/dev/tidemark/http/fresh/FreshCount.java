package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedCounter;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * The number of new items, up to {@value #MAX}. There is only one instance of each value, so that its JSON is encoded
 * only once.
 */
public final class FreshCount {

    /** The largest number that is sent. If there are more new items, {@code capped} is true. */
    public static final int MAX = FeedCounter.MAX_FRESH;

    /** The number at which counting stops: one more than {@link #MAX}, to detect that there are more items. */
    static final int COUNT_LIMIT = MAX + 1;

    private static final FreshCount[] INSTANCES =
            IntStream.rangeClosed(0, COUNT_LIMIT).mapToObj(FreshCount::new).toArray(FreshCount[]::new);

    private final boolean capped;
    private final byte[] json;
    private final byte[] event;

    private FreshCount(int counted) {
        capped = counted > MAX;
        String text = "{\"count\":" + Math.min(counted, MAX) + ",\"capped\":" + capped + '}';
        json = text.getBytes(StandardCharsets.US_ASCII);
        event = ("event: fresh\ndata: " + text + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** @param counted from 0 to {@link #COUNT_LIMIT} */
    public static FreshCount of(int counted) {
        return INSTANCES[counted];
    }

    /** Whether there are more new items than {@link #MAX}. */
    boolean isCapped() {
        return capped;
    }

    /** Returns the count as JSON. The array must not be modified. */
    public byte[] json() {
        return json;
    }

    /** Returns the count as a server-sent event. The array must not be modified. */
    public byte[] event() {
        return event;
    }

    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
