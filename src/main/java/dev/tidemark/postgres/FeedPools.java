package dev.tidemark.postgres;

import dev.tidemark.postgres.OrderStatements.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the pools, with a statement cache that serves and sessions that write values in one form only.
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

    /** Requests that may wait for a connection, of each pool, however short they expect to: one more is refused at once. */
    private static final int WAITING = 1000;

    /** What a statement may take longer than the database lets it run: the way there and back, and the wait for its turn. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** What a stop waits for connections to end by themselves. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private static final Map<String, String> INDEXED =
            Map.of("enable_sort", "off", "enable_incremental_sort", "off", "plan_cache_mode", "force_generic_plan");
    private static final Map<String, String> FREE = Map.of("plan_cache_mode", "force_custom_plan");

    private final PostgresConfig config;
    private final MeterRegistry metrics;
    private final AtomicInteger made = new AtomicInteger();
    private final OpenWires wires = new OpenWires();
    private Pool indexed;
    private Pool free;
    private PooledStatements overIndexed;
    private PooledStatements overFree;
    private PinnedConnections pinned;
    private Input input;

    FeedPools(PostgresConfig config, MeterRegistry metrics) {
        this.config = config;
        this.metrics = metrics;
    }

    @Override
    public Pool create(Input input) {
        this.input = input;
        int most = input.poolOptions().getMaxSize();
        int mostFree = Math.min(most, config.freeConnections());
        indexed = pool("indexed", INDEXED, most);
        free = pool("free", FREE, mostFree);
        overIndexed = over(indexed, "indexed", most);
        overFree = over(free, "free", mostFree);
        pinned = new PinnedConnections(this::connectPinned, config.longestWait(), longestSilence(), metrics);
        return free;
    }

    /**
     * Runs a statement where it belongs; failures have their names. One whose connection was lost before any row of it came
     * is run once more.
     */
    <T> Uni<T> query(Statement statement, List<String> parameters, Rows<T> rows) {
        Tuple values = Tuple.tuple();
        parameters.forEach(values::addString);
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection here = statement.indexed() && config.pipelined() ? pinned.here(context) : null;
        if (here == null) {
            return pooled(statement, values, rows);
        }
        long start = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> here.query(
                        statement.sql(),
                        values,
                        rows,
                        answer -> context.dispatch(() -> {
                            pinned.meter(start, answer.cause());
                            if (answer.succeeded()) {
                                emitter.complete(answer.result().value());
                            } else if (Failures.isLost(answer.cause()) && rows.isUntouched()) {
                                pooled(statement, values, rows).subscribe().with(emitter::complete, emitter::fail);
                            } else {
                                emitter.fail(Failures.named(answer.cause()));
                            }
                        })));
    }

    private <T> Uni<T> pooled(Statement statement, Tuple values, Rows<T> rows) {
        return (statement.indexed() ? overIndexed : overFree).query(statement.sql(), values, rows.collector());
    }

    private PooledStatements over(Pool pool, String name, int connections) {
        ExpectedWait wait = new ExpectedWait(config.longestWait(), connections, connections, connections + WAITING);
        return new PooledStatements(pool, name, wait, longestSilence(), metrics);
    }

    private Duration longestSilence() {
        return config.statementTimeout().plus(GRACE);
    }

    /** A connection beside the pools, to listen on; of several servers, each time the next one. */
    Future<PgConnection> connect() {
        PgConnectOptions options = ReadingSession.of(nextServer(), config.searchPath());
        options.setMetricsName("postgresql|listen").addProperty("application_name", "tidemark listens");
        return PgConnection.connect(input.vertx(), options).onSuccess(wires::add);
    }

    Future<PgConnection> connectPinned() {
        return PgConnection.connect(input.vertx(), prepared(nextServer(), "pinned", INDEXED))
                .onSuccess(wires::add);
    }

    Future<Void> handshake() {
        return Handshake.with(nextServer(), input.vertx());
    }

    private PgConnectOptions nextServer() {
        List<PgConnectOptions> servers = input.pgConnectOptionsList();
        return new PgConnectOptions(servers.get(Math.floorMod(made.getAndIncrement(), servers.size())));
    }

    Pool indexed() {
        return indexed;
    }

    /** Quarkus closes the pool that it was given. */
    @PreDestroy
    void close() {
        if (indexed != null) {
            pinned.close();
            indexed.close();
            for (OpenWires open : List.of(wires, overIndexed.wires(), overFree.wires())) {
                open.cutAfter(FAREWELL, input.vertx().nettyEventLoopGroup());
            }
        }
    }

    private Pool pool(String name, Map<String, String> planning, int connections) {
        List<SqlConnectOptions> servers = input.pgConnectOptionsList().stream()
                .<SqlConnectOptions>map(options -> prepared(new PgConnectOptions(options), name, planning))
                .toList();
        return PgBuilder.pool()
                .with(new PoolOptions(input.poolOptions())
                        .setName(name)
                        .setMaxSize(connections)
                        .setMaxWaitQueueSize(WAITING)
                        // The driver's own end of the wait for a connection fires also when the wait is over.
                        .setConnectionTimeout(0))
                .connectingTo(servers)
                .using(input.vertx())
                .build();
    }

    private PgConnectOptions prepared(PgConnectOptions options, String name, Map<String, String> planning) {
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
