package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
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

    private static final FreshCount[] INSTANCES = IntStream.rangeClosed(0, COUNT_LIMIT)
            .mapToObj(counted -> new FreshCount(counted, counted > MAX))
            .toArray(FreshCount[]::new);

    /** Those of which there can be more, because counting has looked at enough rows of a search. */
    private static final FreshCount[] CUT = IntStream.rangeClosed(0, MAX)
            .mapToObj(counted -> new FreshCount(counted, true))
            .toArray(FreshCount[]::new);

    private final boolean capped;
    private final byte[] json;
    private final byte[] event;

    private FreshCount(int counted, boolean isCapped) {
        capped = isCapped;
        String text = "{\"count\":" + Math.min(counted, MAX) + ",\"capped\":" + capped + '}';
        json = text.getBytes(StandardCharsets.US_ASCII);
        event = ("event: fresh\ndata: " + text + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** @param counted from 0 to {@link #COUNT_LIMIT} */
    public static FreshCount of(int counted) {
        return INSTANCES[counted];
    }

    /** @param counted from 0 to {@link #COUNT_LIMIT} */
    static FreshCount of(ItemCount counted) {
        return counted.isCut() && counted.value() <= MAX ? CUT[counted.value()] : of(counted.value());
    }

    /** Whether there are more new items than {@link #MAX}, or can be more than were counted. */
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
