package dev.tidemark.http.page;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whether equal requests share reads. */
@ConfigMapping(prefix = "tidemark")
public interface SingleFlightConfig {

    /** Whether requests that arrive while the page they request is being read share its next read. */
    @WithDefault("true")
    boolean singleFlight();
}
