package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import dev.tidemark.postgres.wire.OpenConnections;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Creates the pools, and runs statements over them and over the pinned connections.
 *
 * <p>Lists that an index serves are read over pinned connections or the pool {@code indexed}, where the planner must take the order
 * from an index and plans each statement once. Left alone, it would sort what it estimates to be a few rows, wrong by a factor of a
 * thousand, or plan every execution. All other statements run in the pool {@code free}, Quarkus' default, where the planner plans for
 * the actual values. Slow lists therefore never hold up fast ones.
 */
@Singleton
public class FeedPools implements PgPoolCreator {

    private static final Logger LOG = Logger.getLogger(FeedPools.class);

    /** Requests that may wait for a connection of one pool, however short the expected wait: one more is rejected at once. */
    private static final int MAX_WAITING = 1000;

    /** Time beyond the statement timeout until an answer counts as missing: the network, and the wait for a turn. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How long a stop waits for connections to close.  */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final PostgresConfig config;
    private final MeterRegistry metrics;
    private final AtomicInteger made = new AtomicInteger();
    private final OpenConnections connections = new OpenConnections();
    private Pool indexed;
    private Pool free;
    private PooledStatements overIndexed;
    private PooledStatements overFree;
    private PinnedConnections pinned;
    private Input input;

    public FeedPools(PostgresConfig config, MeterRegistry metrics) {
        this.config = config;
        this.metrics = metrics;
    }

    @Override
    public Pool create(Input input) {
        this.input = input;
        warnAboutSeveralHosts(input.pgConnectOptionsList().size());
        int most = input.poolOptions().getMaxSize();
        int mostFree = Math.min(most, config.freeConnections());
        indexed = pool("indexed", PageSession.INDEXED, most);
        free = pool("free", PageSession.FREE, mostFree);
        overIndexed = over(indexed, "indexed", most);
        overFree = over(free, "free", mostFree);
        pinned = new PinnedConnections(this::connectPinned, config.longestWait(), longestSilence(), metrics);
        return free;
    }

    /** Only warns, because several names can lead to the same server. */
    private static void warnAboutSeveralHosts(int hosts) {
        if (hosts > 1) {
            LOG.warnf(
                    "The database's URL names %d hosts, which are used in turn. Unless they lead to the same server, reads go"
                            + " back in time and scrolls lose items. Name a single host",
                    hosts);
        }
    }

    /**
     * Runs a statement over the connections that suit it. Fails with a {@link dev.tidemark.feed.ReadFailure}. A statement whose
     * connection was lost before its first row arrived is retried once.
     */
    public <T> Uni<T> query(Statement statement, List<String> parameters, Rows<T> rows) {
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
        ExpectedWait wait = new ExpectedWait(config.longestWait(), connections, connections, connections + MAX_WAITING);
        return new PooledStatements(pool, name, wait, longestSilence(), metrics);
    }

    private Duration longestSilence() {
        return config.statementTimeout().plus(GRACE);
    }

    /** Opens a separate connection to listen on. If several servers are configured, each call takes the next one. */
    public Future<PgConnection> connect() {
        PgConnectOptions options = ReadingSession.of(nextServer(), config.searchPath());
        options.setMetricsName("postgresql|listen").addProperty("application_name", "tidemark listens");
        return PgConnection.connect(input.vertx(), options).onSuccess(connections::add);
    }

    /** Such as {@code shop at db.example.org:5432, role tidemark}. */
    public String database() {
        PgConnectOptions first = input.pgConnectOptionsList().get(0);
        return first.getDatabase() + " at "
                + input.pgConnectOptionsList().stream()
                        .map(server -> server.getHost() + ':' + server.getPort())
                        .distinct()
                        .collect(Collectors.joining(", "))
                + ", role " + first.getUser();
    }

    Future<PgConnection> connectPinned() {
        return PgConnection.connect(input.vertx(), PageSession.INDEXED.of(nextServer(), "pinned", config))
                .onSuccess(connections::add);
    }

    public Future<Void> handshake() {
        return Handshake.with(nextServer(), input.vertx());
    }

    private PgConnectOptions nextServer() {
        List<PgConnectOptions> servers = input.pgConnectOptionsList();
        return new PgConnectOptions(servers.get(Math.floorMod(made.getAndIncrement(), servers.size())));
    }

    public Pool indexed() {
        return indexed;
    }

    /** Quarkus closes the default pool. */
    @PreDestroy
    public void close() {
        if (indexed != null) {
            pinned.close();
            indexed.close();
            for (OpenConnections open : List.of(connections, overIndexed.connections(), overFree.connections())) {
                open.cutAfter(CLOSE_TIMEOUT, input.vertx());
            }
        }
    }

    private Pool pool(String name, PageSession session, int connections) {
        List<SqlConnectOptions> servers = input.pgConnectOptionsList().stream()
                .<SqlConnectOptions>map(options -> session.of(new PgConnectOptions(options), name, config))
                .toList();
        return PgBuilder.pool()
                .with(new PoolOptions(input.poolOptions())
                        .setName(name)
                        .setMaxSize(connections)
                        .setMaxWaitQueueSize(MAX_WAITING)
                        // The driver's own timeout can fire after the connection was acquired.
                        .setConnectionTimeout(0)
                        // A connection belongs to the event loop that asked for it. Quarkus' default spreads
                        // connections
                        // over all loops; a loop prefers its own, and would open one more while others are free.
                        .setEventLoopSize(0))
                .connectingTo(servers)
                .using(input.vertx())
                .build();
    }
}
