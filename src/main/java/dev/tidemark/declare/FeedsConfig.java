package dev.tidemark.declare;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Settings for the declared feeds, and for checking them against the database. */
@ConfigMapping(prefix = "tidemark")
public interface FeedsConfig {

    /**
     * How long startup, or a command, waits for a database that cannot be reached. If empty, startup and commands use
     * their own defaults.
     */
    @Bounds(min = "0s")
    Optional<Duration> startTimeout();

    /**
     * The minimum time between two checks of whether the feeds still match their tables. Readiness probes, rejected
     * statements, and requests for broken feeds trigger a check. Tables that have changed are found five times as
     * often.
     */
    @WithDefault("5s")
    @Bounds(min = "0s")
    Duration recheckInterval();

    /**
     * Whether startup fails, instead of logging a warning, if an index is missing, or if a list is read from all
     * shards of a Citus table. Lists without a filter, and lists with one equality filter, need an index.
     */
    @WithDefault("false")
    boolean requireIndexes();

    /** Whether startup fails if a feed has neither roles nor a scope, and does not say {@code public: true}. */
    @WithDefault("false")
    boolean requireAccess();
}
