package dev.tidemark.postgres.connection;

import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.Map;

/** The sessions that pages are read in: values are written in one form only, and statements are kept. */
enum PageSession {
    /** The planner must take the order from an index, and plans each statement once. */
    INDEXED(Map.of("enable_sort", "off", "enable_incremental_sort", "off", "plan_cache_mode", "force_generic_plan")),
    /** It plans for the very values, as it likes. */
    FREE(Map.of("plan_cache_mode", "force_custom_plan"));

    /** Statements kept per connection; a feed has a few dozen shapes. The driver's default is not to keep any. */
    private static final int STATEMENTS = 1024;

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final Map<String, String> planning;

    PageSession(Map<String, String> planning) {
        this.planning = planning;
    }

    /** @param name of those who use it, for metrics */
    PgConnectOptions of(PgConnectOptions options, String name, PostgresConfig config) {
        ReadingSession.of(options, config.searchPath()).setConnectTimeout((int) CONNECT.toMillis());
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(STATEMENTS)
                // Keyset statements are long; the driver would leave those from 2,048 characters uncached.
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
                // A page is the UNION ALL of its scans, nearest first, and takes its sequence from them: nothing may
                // start a later scan before an earlier one has ended.
                .addProperty("max_parallel_workers_per_gather", "0")
                .addProperty("enable_async_append", "off")
                .addProperty("jit", "off");
        planning.forEach(options::addProperty);
        return options;
    }
}
