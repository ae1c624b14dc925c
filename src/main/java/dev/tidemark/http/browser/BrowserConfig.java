package dev.tidemark.http.browser;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whether the feed browser is served. */
@ConfigMapping(prefix = "tidemark")
interface BrowserConfig {

    /** Shows SQL and plans to everyone who may read a feed. */
    @WithDefault("false")
    boolean feedBrowser();
}
