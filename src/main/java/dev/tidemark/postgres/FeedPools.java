package dev.tidemark.postgres;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.postgres.OrderStatements.Statement;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collector;

/**
 * Makes the pools: each of the configured size, with a statement cache that serves and sessions that write values in one
 * form only.
 *
 * <p>Pages of lists that an index serves are read through {@link #indexed()}, where the planner must take the order from
 * an index, and plans each statement once: it would else sort what it takes for a few rows, and be wrong by a thousand, or
 * plan every execution anew. All else runs in the pool that Quarkus knows as the default, where the planner is free and
 * plans for the very values. So a slow list also never stands in the way of a fast one.
 */
@Singleton
public class FeedPools implements PgPoolCreator {

    /** Statements kept per connection; a feed has a few dozen shapes. The driver's default is not to keep any. */
    private static final int STATEMENTS = 1024;

    /** Requests that may wait for a connection, of each pool; one more is refused at once. */
    private static final int WAITING = 1000;

    /** What a statement may take longer than the database lets it run: the way there and back, and the wait for its turn. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Made once: it tells nothing of where it comes from. */
    private static final ReadFailure SILENT =
            new ReadFailure(ReadFailure.Reason.UNAVAILABLE, new TimeoutException("the database is silent"));

    private static final Map<String, String> INDEXED =
            Map.of("enable_sort", "off", "enable_incremental_sort", "off", "plan_cache_mode", "force_generic_plan");
    private static final Map<String, String> FREE = Map.of("plan_cache_mode", "force_custom_plan");

    private final PostgresConfig config;
    private final AtomicInteger listeners = new AtomicInteger();
    private Pool indexed;
    private Pool free;
    private Input input;

    FeedPools(PostgresConfig config) {
        this.config = config;
    }

    @Override
    public Pool create(Input input) {
        this.input = input;
        indexed = pool(input, "indexed", INDEXED);
        free = pool(input, "free", FREE);
        return free;
    }

    /**
     * Runs a statement in the pool that is right for it; failures have their names. A database that is silent cannot end
     * it, so the wait for it has an end of its own.
     */
    <T> Uni<T> query(Statement statement, List<String> parameters, Collector<Row, ?, T> rows) {
        Tuple values = Tuple.tuple();
        parameters.forEach(values::addString);
        return UniHelper.toUni((statement.indexed() ? indexed : free)
                        .preparedQuery(statement.sql())
                        .collecting(rows)
                        .execute(values))
                .map(SqlResult::value)
                .ifNoItem()
                .after(config.statementTimeout().plus(GRACE))
                .failWith(SILENT)
                .onFailure()
                .transform(Failures::named);
    }

    /** A connection beside the pools, to listen on; of several servers, each time the next one. */
    Future<PgConnection> connect() {
        List<PgConnectOptions> servers = input.pgConnectOptionsList();
        PgConnectOptions server = servers.get(Math.floorMod(listeners.getAndIncrement(), servers.size()));
        PgConnectOptions options = new PgConnectOptions(server);
        options.setMetricsName("postgresql|listen").addProperty("application_name", "tidemark listens");
        return PgConnection.connect(input.vertx(), options);
    }

    Pool indexed() {
        return indexed;
    }

    /** Quarkus closes the pool that it was given. */
    @PreDestroy
    void close() {
        if (indexed != null) {
            indexed.close();
        }
    }

    private Pool pool(Input input, String name, Map<String, String> planning) {
        List<SqlConnectOptions> servers = input.pgConnectOptionsList().stream()
                .map(options -> prepared(new PgConnectOptions(options), name, planning))
                .toList();
        return PgBuilder.pool()
                .with(new PoolOptions(input.poolOptions())
                        .setName(name)
                        .setMaxWaitQueueSize(WAITING)
                        // The driver's own end of the wait for a connection fires also when the wait is over.
                        .setConnectionTimeout(0))
                .connectingTo(servers)
                .using(input.vertx())
                .build();
    }

    private SqlConnectOptions prepared(PgConnectOptions options, String name, Map<String, String> planning) {
        options.setConnectTimeout((int) CONNECT.toMillis());
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
