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

    /** Exports that may run in this process; a further one is rejected with {@code overloaded}. */
    @WithDefault("16")
    @Min(0)
    @Max(10_000)
    int maxStreams();

    /**
     * How long an export waits for a client that reads nothing, after which it is cut; and for a database that is away, after which it
     * ends with a problem.
     */
    @WithDefault("60s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration stalledTimeout();
}
