package dev.tidemark.http.problem;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** How failed requests are logged. */
@ConfigMapping(prefix = "tidemark.request-log")
public interface RequestLogConfig {

    /** The most lines in a second, of each of two kinds: the client's faults and the server's. The others are counted. */
    @WithDefault("100")
    @Min(1)
    @Max(1_000_000)
    int linesPerSecond();
}
