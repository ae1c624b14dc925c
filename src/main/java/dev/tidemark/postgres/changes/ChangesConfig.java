package dev.tidemark.postgres.changes;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings for detecting changes to the feeds' rows. The settings of event streams are in {@code FreshConfig}. */
@ConfigMapping(prefix = "tidemark.fresh")
public interface ChangesConfig {

    /**
     * The time between two polls of a table for changes. If the table has a notification trigger and a connection is
     * listening, the table is polled less often.
     */
    @WithDefault("2s")
    @Bounds(min = "250ms", max = "1h")
    Duration pollInterval();
}
