package dev.tidemark.postgres.connection;

import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.Map;

/** The settings of sessions that read pages: one text form for each type, and prepared statements are kept. */
enum PageSession {
    /** The planner must take the order from an index, and plans each statement once. */
    INDEXED(Map.of("enable_sort", "off", "enable_incremental_sort", "off", "plan_cache_mode", "force_generic_plan")),
    /** The planner is not restricted, and plans for the actual values. */
    FREE(Map.of("plan_cache_mode", "force_custom_plan"));

    /**
     * The number of prepared statements kept per connection. A feed has a few dozen. The driver keeps none unless this
     * is set.
     */
    private static final int MAX_STATEMENTS = 1024;

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final Map<String, String> planning;

    PageSession(Map<String, String> planning) {
        this.planning = planning;
    }

    /** @param name the connections' name in metrics */
    PgConnectOptions configure(PgConnectOptions options, String name, PostgresConfig config) {
        ReadingSession.configure(options, config.searchPath()).setConnectTimeout((int) CONNECT.toMillis());
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(MAX_STATEMENTS)
                // Keyset statements are long; by default, the driver does not keep those of 2,048 characters or more.
                .setPreparedStatementCacheSqlFilter(sql -> true)
                .setMetricsName("postgresql|" + name);
        options.addProperty(
                        "statement_timeout",
                        Long.toString(config.statementTimeout().toMillis()))
                .addProperty("TimeZone", "UTC")
                .addProperty("DateStyle", "ISO, YMD")
                .addProperty("IntervalStyle", "postgres")
                .addProperty("bytea_output", "hex")
                .addProperty("extra_float_digits", "1")
                // A page is a UNION ALL of scans, nearest first, and relies on their order: no scan may start before
                // the previous one has ended.
                .addProperty("max_parallel_workers_per_gather", "0")
                .addProperty("enable_async_append", "off")
                .addProperty("jit", "off");
        planning.forEach(options::addProperty);
        return options;
    }
}
