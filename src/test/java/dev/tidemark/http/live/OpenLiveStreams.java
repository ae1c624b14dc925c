package dev.tidemark.http.live;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;

/** The streams of live windows that the server under test has open. */
public final class OpenLiveStreams {

    private static final String STREAMS = "tidemark_live_streams";
    private static final String WINDOWS = "tidemark_live_windows";

    /** Once a stream has stayed open, the tests that follow would each wait in vain. */
    private static volatile boolean leaked;

    private OpenLiveStreams() {}

    /** Waits until clients that were closed have no stream open. */
    public static void awaitNone() {
        awaitZero(STREAMS);
    }

    /** Waits until the server keeps no window for streams that have ended, either. */
    public static void awaitNoWindow() {
        awaitZero(STREAMS);
        awaitZero(WINDOWS);
    }

    private static void awaitZero(String gauge) {
        if (leaked && Metrics.value(gauge) != 0) {
            throw new AssertionError(gauge + " is not 0, perhaps since an earlier test");
        }
        leaked = true;
        Await.until(gauge + " is 0", () -> Metrics.value(gauge) == 0);
        leaked = false;
    }
}
