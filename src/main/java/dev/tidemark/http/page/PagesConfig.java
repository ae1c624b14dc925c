package dev.tidemark.http.page;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How pages are read on behalf of requests. */
@ConfigMapping(prefix = "tidemark")
public interface PagesConfig {

    /** Whether requests for the same page that arrive while it is being read share one further read. */
    @WithDefault("true")
    boolean singleFlight();
}
