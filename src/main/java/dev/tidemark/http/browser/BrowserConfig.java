package dev.tidemark.http.browser;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the feed browser. */
@ConfigMapping(prefix = "tidemark")
public interface BrowserConfig {

    /** Whether the feed browser is served. It shows SQL and plans to everyone who may read a feed. */
    @WithDefault("false")
    boolean feedBrowser();
}
