package dev.tidemark.http.problem;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings for the log of failed requests. */
@ConfigMapping(prefix = "tidemark.request-log")
public interface RequestLogConfig {

    /**
     * The maximum number of lines per second, separately for client errors and server errors. Further failed requests
     * are only counted.
     */
    @WithDefault("100")
    @Bounds(min = "1", max = "1000000")
    int linesPerSecond();
}
