package dev.tidemark.http.openapi;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the OpenAPI document. */
@ConfigMapping(prefix = "tidemark.openapi")
public interface OpenApiConfig {

    /**
     * Whether the document describes feeds with restricted access too. Everybody can read the document, so it then
     * shows the names and columns of these feeds to callers who cannot read the feeds.
     */
    @WithDefault("false")
    boolean restrictedFeeds();
}
