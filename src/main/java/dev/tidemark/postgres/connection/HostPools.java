package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.HostAccess;
import dev.tidemark.postgres.hosts.LogPosition;
import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import dev.tidemark.postgres.sql.StatementKind;
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
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Holds the connections to one host, and runs statements over them.
 *
 * <p>Lists that an index serves are read over pinned connections or the pool {@code indexed}, where the planner must
 * take the order from an index and plans each statement once. Without these settings, the planner would plan every
 * execution, or it would sort, because it can underestimate the number of rows by a factor of a thousand. All other
 * statements run in the pool {@code free}, where the planner plans for the actual values. Slow lists therefore never
 * delay fast ones. Lists in one shard of a Citus table are read in the pool {@code sharded}, which plans for the actual
 * values too, because the values determine the shard. It is as large as {@code indexed}, because these lists are fast.
 */
final class HostPools implements HostAccess {

    /**
     * The largest number of requests that wait for a connection of one pool. Further requests are rejected at once,
     * however short the expected wait is.
     */
    private static final int MAX_WAITING = 1000;

    /**
     * The time after the statement timeout until an answer counts as missing. It covers the network and the wait for a
     * turn.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How long shutdown waits for connections to close. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final PostgresConfig config;
    private final PgConnectOptions server;
    private final PgPoolCreator.Input input;
    private final OpenConnections connections = new OpenConnections();
    private final Pool indexed;
    private final Pool sharded;
    private final Pool free;
    private final PooledStatements overIndexed;
    private final PooledStatements overSharded;
    private final PooledStatements overFree;
    private final PinnedConnections pinned;

    /**
     * @param suffix the end of the connections' names in metrics, which identifies the host; empty if there is a single
     *     host
     */
    HostPools(
            PgConnectOptions server,
            String suffix,
            PostgresConfig config,
            MeterRegistry metrics,
            PgPoolCreator.Input input) {
        this.config = config;
        this.server = server;
        this.input = input;
        int most = input.poolOptions().getMaxSize();
        int mostFree = Math.min(most, config.freeConnections());
        indexed = pool("indexed", suffix, PageSession.INDEXED, most);
        sharded = pool("sharded", suffix, PageSession.FREE, most);
        free = pool("free", suffix, PageSession.FREE, mostFree);
        overIndexed = over(indexed, "indexed" + suffix, most, metrics);
        overSharded = over(sharded, "sharded" + suffix, most, metrics);
        overFree = over(free, "free" + suffix, mostFree, metrics);
        pinned = new PinnedConnections(this::connectPinned, suffix, config.longestWait(), longestSilence(), metrics);
    }

    /**
     * Runs a statement over a pinned connection or a pool. Fails with a {@link dev.tidemark.feed.ReadFailure}. If a
     * pinned connection is lost before the first row arrives, the statement is retried once, over the pool.
     */
    <T> Uni<T> query(Statement statement, Tuple values, Rows<T> rows) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection here = pinned(statement, context);
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

    private PinnedConnection pinned(Statement statement, ContextInternal context) {
        return statement.kind() == StatementKind.INDEXED && config.pipelined() ? pinned.here(context) : null;
    }

    private <T> Uni<T> pooled(Statement statement, Tuple values, Rows<T> rows) {
        return over(statement).query(statement.sql(), values, rows.collector());
    }

    private PooledStatements over(Statement statement) {
        return switch (statement.kind()) {
            case INDEXED -> overIndexed;
            case SHARD -> overSharded;
            case SHARDS, FREE -> overFree;
        };
    }

    /**
     * Reads the host's position, runs a statement, and reads the position again. Fails with the driver's failure, or
     * with a {@link dev.tidemark.feed.ReadFailure}.
     *
     * @param suffices whether the first position is far enough; if not, the rows of the statement are ignored
     */
    <T> Uni<Located<T>> query(Statement statement, Tuple values, Rows<T> rows, Predicate<LogPosition> suffices) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection here = pinned(statement, context);
        RowsAtPosition<T> located = new RowsAtPosition<>(rows, suffices);
        return (here == null ? pooled(statement, values, located) : pinned(here, context, statement, values, located))
                .onFailure()
                .invoke(located::close);
    }

    private <T> Uni<Located<T>> pinned(
            PinnedConnection here, ContextInternal context, Statement statement, Tuple values, RowsAtPosition<T> rows) {
        long start = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> here.queryAtPosition(
                        statement.sql(),
                        values,
                        rows,
                        located -> context.dispatch(() -> {
                            pinned.meter(start, located.cause());
                            if (located.succeeded()) {
                                emitter.complete(located.result());
                            } else {
                                emitter.fail(located.cause());
                            }
                        })));
    }

    /**
     * The second position is read only after the rows have arrived, because the driver may send a statement again,
     * after those that follow it.
     */
    private <T> Uni<Located<T>> pooled(Statement statement, Tuple values, RowsAtPosition<T> rows) {
        return over(statement).run(connection -> {
            connection
                    .preparedQuery(LogPosition.SQL)
                    .collecting(rows.before().collector())
                    .execute()
                    .onComplete(rows::begun);
            return connection
                    .preparedQuery(statement.sql())
                    .collecting(rows.collector())
                    .execute(values)
                    .transform(read -> {
                        rows.read(read);
                        return connection
                                .preparedQuery(LogPosition.SQL)
                                .collecting(rows.after().collector())
                                .execute();
                    })
                    .transform(rows::located);
        });
    }

    /** Opens a separate connection for LISTEN. {@link #cut} cuts it too. */
    Future<PgConnection> listen() {
        return connect("listen", "tidemark listens", server());
    }

    @Override
    public Future<PgConnection> watch(Duration longestSilence) {
        PgConnectOptions options = server();
        options.setIdleTimeout((int) longestSilence.toMillis()).setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        return connect("watch", "tidemark watches", options);
    }

    private Future<PgConnection> connect(String metricsName, String applicationName, PgConnectOptions options) {
        ReadingSession.of(options, config.searchPath())
                .setMetricsName("postgresql|" + metricsName)
                .addProperty("application_name", applicationName);
        return PgConnection.connect(input.vertx(), options).onSuccess(connections::add);
    }

    Future<PgConnection> connectPinned() {
        return PgConnection.connect(
                        input.vertx(), PageSession.INDEXED.of(new PgConnectOptions(server), "pinned", config))
                .onSuccess(connections::add);
    }

    Future<Void> handshake() {
        return Handshake.with(new PgConnectOptions(server), input.vertx());
    }

    PgConnectOptions server() {
        return new PgConnectOptions(server);
    }

    Pool indexed() {
        return indexed;
    }

    Pool free() {
        return free;
    }

    @Override
    public void cut() {
        connections.cut();
        overIndexed.cut();
        overSharded.cut();
        overFree.cut();
    }

    /** @param isFreeShared whether the pool {@code free} is shared, so that its owner closes it */
    void close(boolean isFreeShared) {
        pinned.close();
        indexed.close();
        sharded.close();
        if (!isFreeShared) {
            free.close();
        }
        for (OpenConnections open :
                List.of(connections, overIndexed.connections(), overSharded.connections(), overFree.connections())) {
            open.cutAfter(CLOSE_TIMEOUT, input.vertx());
        }
    }

    private Duration longestSilence() {
        return config.statementTimeout().plus(GRACE);
    }

    private PooledStatements over(Pool pool, String name, int size, MeterRegistry metrics) {
        ExpectedWait wait = new ExpectedWait(config.longestWait(), size, size, size + MAX_WAITING);
        return new PooledStatements(pool, name, wait, longestSilence(), metrics);
    }

    private Pool pool(String name, String suffix, PageSession session, int size) {
        return PgBuilder.pool()
                .with(options(input, name + suffix, size))
                .connectingTo(session.of(new PgConnectOptions(server), name, config))
                .using(input.vertx())
                .build();
    }

    static PoolOptions options(PgPoolCreator.Input input, String name, int size) {
        return new PoolOptions(input.poolOptions())
                .setName(name)
                .setMaxSize(size)
                .setMaxWaitQueueSize(MAX_WAITING)
                // Disables the driver's own timeout, which can fire after the connection was acquired.
                .setConnectionTimeout(0)
                // With 0, a connection belongs to the event loop that requested it. By default, Quarkus spreads
                // connections over all event loops. Because a loop prefers its own connections, it would then open
                // another one while connections of other loops are free.
                .setEventLoopSize(0);
    }
}
