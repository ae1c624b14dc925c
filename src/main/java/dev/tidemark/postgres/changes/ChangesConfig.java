package dev.tidemark.postgres.changes;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings for detecting changes of the feeds' rows. The settings of event streams are in {@code FreshConfig}. */
@ConfigMapping(prefix = "tidemark.fresh")
public interface ChangesConfig {

    /** How often tables without a notification trigger are polled for changes. */
    @WithDefault("2s")
    Duration pollInterval();
}
