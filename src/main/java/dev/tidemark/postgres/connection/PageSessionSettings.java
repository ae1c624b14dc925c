package dev.tidemark.postgres.connection;

import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of the sessions that read pages. They fix the text form of each type, and make the driver keep prepared
 * statements.
 */
enum PageSessionSettings {
    /**
     * The planner takes the order from an index if it can, and plans each statement once. It prices a page of an index
     * like one of a sequential scan. With the default, it would read all rows of an embedded table of up to some
     * hundred rows for each item.
     */
    INDEXED(Map.of(
            "enable_sort",
            "off",
            "enable_incremental_sort",
            "off",
            "random_page_cost",
            "1",
            "plan_cache_mode",
            "force_generic_plan")),
    /**
     * As {@link #INDEXED}, but the planner plans for the actual values. The statements have a tenth of the time,
     * after which others read the same pages.
     */
    TEXT_INDEXED(Map.of(
            "enable_sort",
            "off",
            "enable_incremental_sort",
            "off",
            "random_page_cost",
            "1",
            "plan_cache_mode",
            "force_custom_plan")),
    /** The planner is free to sort, and plans for the actual values. */
    FREE(Map.of("plan_cache_mode", "force_custom_plan"));

    /**
     * The largest number of prepared statements that the driver keeps for each connection. A feed often has a few
     * dozen.
     */
    private static final int MAX_PREPARED_STATEMENTS = 1024;

    private final Map<String, String> plannerSettings;

    PageSessionSettings(Map<String, String> plannerSettings) {
        this.plannerSettings = plannerSettings;
    }

    private Duration statementTimeout(PostgresConfig config) {
        return this == TEXT_INDEXED ? config.statementTimeout().dividedBy(10) : config.statementTimeout();
    }

    /**
     * @param metricsName the connections' name in metrics
     * @param lockTimeout how long a statement waits for each lock
     */
    PgConnectOptions configure(
            PgConnectOptions options, String metricsName, Duration lockTimeout, PostgresConfig config) {
        ReadingSessionSettings.configure(options, config.searchPath());
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(MAX_PREPARED_STATEMENTS)
                // By default, the driver keeps only statements of fewer than 2,048 characters. Keyset statements are
                // often longer.
                .setPreparedStatementCacheSqlFilter(sql -> true)
                .setMetricsName("postgresql|" + metricsName);
        options.addProperty(
                        "statement_timeout",
                        Long.toString(statementTimeout(config).toMillis()))
                .addProperty("lock_timeout", Long.toString(lockTimeout.toMillis()))
                .addProperty("TimeZone", "UTC")
                .addProperty("IntervalStyle", "postgres")
                .addProperty("bytea_output", "hex")
                .addProperty("extra_float_digits", "1")
                // The statement of a page can be a UNION ALL of scans, and relies on their order: each scan must start
                // only after the previous one has ended.
                .addProperty("max_parallel_workers_per_gather", "0")
                .addProperty("enable_async_append", "off")
                .addProperty("jit", "off");
        plannerSettings.forEach(options::addProperty);
        return options;
    }
}
