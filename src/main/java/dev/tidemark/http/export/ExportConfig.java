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
     * How long a client can read nothing before its export is cut off, and how long an export retries a page while the
     * database is unavailable before the export ends with a problem.
     */
    @WithDefault("60s")
    Duration stalledTimeout();
}
