package dev.tidemark.postgres.connection;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;

/** How statements run. */
@ConfigMapping(prefix = "tidemark")
public interface PostgresConfig {

    /** After this the database cancels a statement, and the client gets {@code timeout}. */
    @WithDefault("5s")
    Duration statementTimeout();

    /** The schemas that are searched, after {@code pg_catalog}, for a name that a declaration gives without a schema. */
    @WithDefault("public")
    List<String> searchPath();

    /**
     * Whether pages that an index serves are read over one connection for each event loop, which sends statements without
     * waiting for earlier answers, and whose rows bypass the driver; otherwise over a pool.
     */
    @WithDefault("true")
    boolean pipelined();

    /**
     * How many statements that no index serves run at a time. Each keeps a processor of the database busy: more than it can spare
     * slow one another down until all of them time out.
     */
    @WithDefault("4")
    int freeConnections();

    /** If a statement would wait longer than about this for its turn, the client gets {@code overloaded} at once. */
    @WithDefault("500ms")
    Duration longestWait();

    /**
     * With several hosts, a standby that has been behind the primary for longer serves no pages. Shorter times than some polls, of
     * which there are five a second, exclude standbys that lag only because nobody has looked.
     */
    @WithDefault("1s")
    Duration replicaMaxLag();
}
