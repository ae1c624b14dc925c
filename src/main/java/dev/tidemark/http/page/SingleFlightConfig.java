package dev.tidemark.http.page;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whether equal requests share reads. */
@ConfigMapping(prefix = "tidemark")
public interface SingleFlightConfig {

    /**
     * Whether equal requests that arrive while their event loop is reading the page share the next read of this page.
     */
    @WithDefault("true")
    boolean singleFlight();
}
