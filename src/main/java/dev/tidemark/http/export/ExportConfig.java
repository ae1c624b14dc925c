package dev.tidemark.http.export;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Settings of exports. */
@ConfigMapping(prefix = "tidemark.export")
public interface ExportConfig {

    /** The maximum number of concurrent exports in this process. A further one is rejected with {@code overloaded}. */
    @WithDefault("16")
    @Min(0)
    @Max(10_000)
    int maxStreams();

    /**
     * How long an export waits for a client that reads nothing before it is cut, and for an unavailable database before it
     * ends with a problem.
     */
    @WithDefault("60s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration stalledTimeout();
}
