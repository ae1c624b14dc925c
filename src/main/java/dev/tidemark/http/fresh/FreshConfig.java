package dev.tidemark.http.fresh;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/**
 * Settings of event streams. See also {@code ChangesConfig}, which has the poll interval, and
 * {@code SharedRead.MIN_INTERVAL}, which limits how often the new items of a list are counted.
 */
@ConfigMapping(prefix = "tidemark.fresh")
public interface FreshConfig {

    /**
     * The maximum number of open event streams in this process, those of counts by value included. Further streams are
     * rejected with {@code overloaded}.
     */
    @WithDefault("10000")
    @Bounds(min = "0", max = "1000000")
    int maxStreams();

    /** The interval between heartbeat comments, which keep proxies from closing a connection as idle. */
    @WithDefault("15s")
    @Bounds(min = "10ms", max = "1h")
    Duration heartbeat();
}
