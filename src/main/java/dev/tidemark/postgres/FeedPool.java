package dev.tidemark.postgres;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
import jakarta.inject.Singleton;
import java.util.List;

/** Makes the pool with a statement cache that serves, and sessions that write values in one form only. */
@Singleton
public class FeedPool implements PgPoolCreator {

    /** Statements kept per connection; a feed has a few dozen shapes. The driver's default is not to keep any. */
    private static final int STATEMENTS = 1024;

    private final PostgresConfig config;

    FeedPool(PostgresConfig config) {
        this.config = config;
    }

    @Override
    public Pool create(Input input) {
        input.pgConnectOptionsList().forEach(this::prepare);
        return PgBuilder.pool()
                .with(input.poolOptions())
                .connectingTo(List.<SqlConnectOptions>copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .build();
    }

    private void prepare(PgConnectOptions options) {
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(STATEMENTS)
                // Keyset statements are long; the driver would leave those from 2,048 characters uncached.
                .setPreparedStatementCacheSqlFilter(sql -> true);
        options.addProperty(
                        "statement_timeout",
                        Long.toString(config.statementTimeout().toMillis()))
                .addProperty("TimeZone", "UTC")
                .addProperty("DateStyle", "ISO, YMD")
                .addProperty("extra_float_digits", "1")
                // A page is the UNION ALL of its scans, nearest first, and takes its sequence from them: nothing may
                // start a later scan before an earlier one has ended.
                .addProperty("max_parallel_workers_per_gather", "0")
                .addProperty("enable_async_append", "off")
                .addProperty("jit", "off");
    }
}
