package dev.tidemark.declare;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;

/** The declared feeds, and how strictly they are held against the database. */
@ConfigMapping(prefix = "tidemark")
public interface FeedsConfig {

    /**
     * All properties under {@code tidemark.feeds}, as they stand. They are read by {@link DeclarationReader} and not
     * mapped further, so that every unknown property and every malformed value is one fault among the others.
     */
    Map<String, String> feeds();

    /** How long a start waits for a database that cannot be reached yet. */
    @WithDefault("30s")
    Duration startTimeout();

    /** Whether an order or equality filter that no index serves stops the start, not only warns. */
    @WithDefault("false")
    boolean requireIndexes();
}
