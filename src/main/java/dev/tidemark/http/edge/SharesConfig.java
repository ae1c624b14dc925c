package dev.tidemark.http.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings for limits that clients share. */
@ConfigMapping(prefix = "tidemark")
public interface SharesConfig {

    /**
     * Whether, at the limit of event streams or exports, a client that has fewer of them than another one takes the place
     * of one of its streams. If false, further streams are rejected, whoever has the others.
     */
    @WithDefault("true")
    boolean fairShares();
}
