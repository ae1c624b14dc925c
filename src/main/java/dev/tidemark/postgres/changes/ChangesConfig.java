package dev.tidemark.postgres.changes;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How changes of the feeds' rows become known. */
@ConfigMapping(prefix = "tidemark.fresh")
public interface ChangesConfig {

    /** How often it is looked whether a table has changed that tells nothing by itself. */
    @WithDefault("2s")
    @DurationMin(millis = 250)
    @DurationMax(hours = 1)
    Duration pollInterval();
}
