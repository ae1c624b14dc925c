package dev.tidemark.http.fresh;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How clients are told of new items by event streams. */
@ConfigMapping(prefix = "tidemark.fresh")
public interface FreshConfig {

    /** The most streams that are open at once in this process; who comes then is told {@code overloaded}. */
    @WithDefault("10000")
    @Min(0)
    @Max(1_000_000)
    int maxStreams();

    /** After so long a comment is sent, so that nobody on the way takes the connection for idle. */
    @WithDefault("15s")
    @DurationMin(millis = 10)
    @DurationMax(hours = 1)
    Duration heartbeat();
}
