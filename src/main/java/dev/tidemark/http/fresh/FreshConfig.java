package dev.tidemark.http.fresh;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Settings of event streams. */
@ConfigMapping(prefix = "tidemark.fresh")
public interface FreshConfig {

    /** Event streams that may be open in this process; a further one is rejected with {@code overloaded}. */
    @WithDefault("10000")
    @Min(0)
    @Max(1_000_000)
    int maxStreams();

    /** Interval of heartbeat comments, which keep proxies from closing the connection as idle. */
    @WithDefault("15s")
    @DurationMin(millis = 10)
    @DurationMax(hours = 1)
    Duration heartbeat();
}
