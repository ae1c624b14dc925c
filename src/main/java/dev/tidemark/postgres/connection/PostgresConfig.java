package dev.tidemark.postgres.connection;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How statements run. */
@ConfigMapping(prefix = "tidemark")
public interface PostgresConfig {

    /** After this the database ends a statement, and the client is told {@code timeout}. */
    @WithDefault("5s")
    @DurationMin(millis = 10)
    @DurationMax(hours = 1)
    Duration statementTimeout();

    /** The schemas in which a name is looked for that a declaration gives without one, behind {@code pg_catalog}. */
    @WithDefault("public")
    List<String> searchPath();

    /**
     * Whether pages that an index serves are read over one connection for each event loop, to which statements are sent
     * without waiting for the answers to those before; else over a pool.
     */
    @WithDefault("true")
    boolean pipelined();

    /**
     * How many statements that no index serves run at a time. Each keeps a processor of the database busy: more than it can
     * spare only make one another slower, until all of them come to their timeout.
     */
    @WithDefault("4")
    @Min(1)
    int freeConnections();

    /** Where a statement would wait longer than about this for its turn, the client is told {@code overloaded} at once. */
    @WithDefault("500ms")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration longestWait();
}
