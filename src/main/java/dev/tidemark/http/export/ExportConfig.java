package dev.tidemark.http.export;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of exports. */
@ConfigMapping(prefix = "tidemark.export")
public interface ExportConfig {

    /**
     * The maximum number of concurrent exports in this process. Further exports are rejected with {@code overloaded}.
     */
    @WithDefault("16")
    @Bounds(min = "0", max = "10000")
    int maxStreams();

    /**
     * The time after which an export is cut off if its client reads nothing. An export ends with a problem if the
     * database remains unavailable or overloaded for this long.
     */
    @WithDefault("60s")
    @Bounds(min = "100ms", max = "1h")
    Duration stalledTimeout();
}
