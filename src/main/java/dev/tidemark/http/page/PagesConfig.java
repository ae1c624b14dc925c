package dev.tidemark.http.page;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How pages are read on behalf of requests. */
@ConfigMapping(prefix = "tidemark")
public interface PagesConfig {

    /** Whether equal pages that are asked for while one of them is being read are read once more for all of them. */
    @WithDefault("true")
    boolean singleFlight();
}
