package dev.tidemark.http.export;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of exports. */
@ConfigMapping(prefix = "tidemark.export")
public interface ExportConfig {

    /**
     * The maximum number of concurrent exports in this process. Further exports are rejected with {@code overloaded}.
     */
    @WithDefault("16")
    @Bounds(min = "0", max = "10000")
    int maxStreams();
}
