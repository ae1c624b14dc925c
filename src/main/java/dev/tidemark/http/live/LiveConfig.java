package dev.tidemark.http.live;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/**
 * Settings of live windows. See also {@code ChangesConfig}, which has the poll interval, and
 * {@code SharedRead.MIN_INTERVAL}, which limits how often a window is read.
 */
@ConfigMapping(prefix = "tidemark.live")
public interface LiveConfig {

    /** The maximum number of open streams in this process. Further streams are rejected with {@code overloaded}. */
    @WithDefault("10000")
    @Bounds(min = "0", max = "1000000")
    int maxStreams();

    /**
     * The maximum number of different windows in this process, which clients share. Further ones are rejected with
     * {@code overloaded}.
     */
    @WithDefault("1000")
    @Bounds(min = "0", max = "1000000")
    int maxWindows();

    /**
     * The interval between heartbeat comments. A client that has not accepted the previous event or heartbeat when the
     * next one is due is disconnected.
     */
    @WithDefault("15s")
    @Bounds(min = "10ms", max = "1h")
    Duration heartbeat();
}
