package dev.tidemark.http.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings for limits that clients share. */
@ConfigMapping(prefix = "tidemark")
public interface SharesConfig {

    /**
     * Whether, at the limit of event streams, live windows, or exports, a client that has fewer of them than another one
     * takes the place of one of these. If false, further ones are rejected, whoever has the others.
     */
    @WithDefault("true")
    boolean fairShares();
}
