package dev.tidemark.http.export;

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
    int maxStreams();

    /**
     * How long an export waits for a client that reads nothing before it is cut off, and for an unavailable database
     * before it ends with a problem.
     */
    @WithDefault("60s")
    Duration stalledTimeout();
}
