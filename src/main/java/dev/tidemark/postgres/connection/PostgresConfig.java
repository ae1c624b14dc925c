package dev.tidemark.postgres.connection;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings for the statements that read feeds. */
@ConfigMapping(prefix = "tidemark")
public interface PostgresConfig {

    /** How long the network may take to connect to the database. {@code connect_timeout} in the URL sets it, too. */
    @WithDefault("5s")
    @Bounds(min = "100ms", max = "1h")
    Duration connectTimeout();

    /**
     * The file that contains the password of the role. It is read for each new connection, so it can be replaced while
     * Tidemark runs. It has precedence over a password elsewhere in the configuration.
     */
    Optional<Path> databasePasswordFile();

    /** The time after which the database cancels a statement. The client then gets the error {@code timeout}. */
    @WithDefault("5s")
    @Bounds(min = "10ms", max = "1h")
    Duration statementTimeout();

    /**
     * The schemas that are searched, after {@code pg_catalog}, for a name that a declaration gives without a schema.
     */
    @WithDefault("public")
    List<String> searchPath();

    /**
     * Whether pages that an index serves are read over one connection per event loop. Over this connection, statements
     * are sent without waiting for earlier answers, and rows bypass the driver. If false, the pages are read over a
     * pool.
     */
    @WithDefault("true")
    boolean pipelined();

    /**
     * The largest number of statements that run at the same time on one host over the pool {@code free}. Most of them
     * read lists that no index serves, or whose rows are in several shards, and each of these keeps a processor of the
     * database busy. If more of them run than the database has spare processors, they slow one another down, and all
     * of them may time out.
     */
    @WithDefault("4")
    @Bounds(min = "1")
    int freeConnections();

    /**
     * If a statement would wait longer than about this for its turn, the client immediately gets the error
     * {@code overloaded}.
     */
    @WithDefault("500ms")
    @Bounds(min = "1ms", max = "1h")
    Duration longestWait();

    /**
     * Whether a database that sleeps while nobody uses it may do so: while no feed is read, Tidemark sends no
     * statements of its own, and closes its connections.
     */
    @WithDefault("false")
    boolean letDatabaseSleep();

    /**
     * If the database has several hosts, a standby that has been behind the primary for longer than this serves pages
     * only if no other host can. Hosts are polled five times a second. A value shorter than the time of a few polls
     * also excludes standbys that only seem to lag because they were not polled recently.
     */
    @WithDefault("1s")
    @Bounds(min = "500ms", max = "1h")
    Duration replicaMaxLag();
}
