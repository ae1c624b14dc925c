package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.HostAccess;
import dev.tidemark.postgres.wire.OpenConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Opens and closes the connections to one host. */
final class HostConnections implements HostAccess {

    /**
     * The largest number of requests that wait for a connection of one pool. Further requests are rejected immediately,
     * however short the expected wait is.
     */
    private static final int MAX_WAITING = 1000;

    /**
     * How much longer than the statement timeout Tidemark waits for an answer. This time covers the network, and the
     * statement's wait for its turn.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How long shutdown waits for connections to close before it cuts them. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final PostgresConfig config;
    private final PgConnectOptions server;
    private final PgPoolCreator.Input input;
    private final OpenConnections connections = new OpenConnections();

    /** The connections outside the pools, both open ones and those that are being opened. */
    private final Set<Future<PgConnection>> separateConnections = ConcurrentHashMap.newKeySet();

    private final Pool indexed;
    private final Pool sharded;
    private final Pool free;
    private final HostStatementRunner runner;

    /**
     * @param suffix the end of the names of pools and connections in metrics, which identifies the host; empty if there
     *     is a single host
     */
    HostConnections(
            PgConnectOptions server,
            String suffix,
            PostgresConfig config,
            MeterRegistry metrics,
            PgPoolCreator.Input input) {
        this.config = config;
        this.server = server;
        this.input = input;
        int maxSize = input.poolOptions().getMaxSize();
        int maxFree = Math.min(maxSize, config.freeConnections());
        indexed = newPool("indexed", suffix, PageSessionSettings.INDEXED, maxSize);
        sharded = newPool("sharded", suffix, PageSessionSettings.FREE, maxSize);
        free = newPool("free", suffix, PageSessionSettings.FREE, maxFree);
        runner = new HostStatementRunner(
                config.pipelined(),
                new PinnedConnections(this::connectPinned, suffix, config.longestWait(), longestSilence(), metrics),
                runnerOver(indexed, "indexed" + suffix, maxSize, metrics),
                runnerOver(sharded, "sharded" + suffix, maxSize, metrics),
                runnerOver(free, "free" + suffix, maxFree, metrics));
    }

    /** Opens a separate connection for LISTEN. {@link #cut} cuts it too. */
    Future<PgConnection> connectForListen() {
        return connect("listen", "tidemark listens", connectOptions());
    }

    @Override
    public Future<PgConnection> connectForPolls(Duration idleTimeout) {
        PgConnectOptions options = connectOptions();
        options.setIdleTimeout((int) idleTimeout.toMillis()).setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        return connect("watch", "tidemark watches", options);
    }

    private Future<PgConnection> connect(String metricsName, String applicationName, PgConnectOptions options) {
        ReadingSessionSettings.configure(options, config.searchPath())
                .setMetricsName("postgresql|" + metricsName)
                .addProperty("application_name", applicationName);
        return open(options);
    }

    Future<PgConnection> connectPinned() {
        return open(PageSessionSettings.INDEXED.configure(connectOptions(), "pinned", config));
    }

    private Future<PgConnection> open(PgConnectOptions options) {
        Future<PgConnection> connection = PgConnection.connect(input.vertx(), options);
        separateConnections.add(connection);
        return connection
                .onSuccess(opened -> connections.add(opened).onClose(() -> separateConnections.remove(connection)))
                .onFailure(failure -> separateConnections.remove(connection));
    }

    Future<Void> attemptHandshake() {
        return Handshake.attempt(connectOptions(), input.vertx());
    }

    PgConnectOptions connectOptions() {
        return new PgConnectOptions(server);
    }

    HostStatementRunner runner() {
        return runner;
    }

    Pool indexedPool() {
        return indexed;
    }

    Pool freePool() {
        return free;
    }

    @Override
    public void cut() {
        connections.cut();
        runner.cut();
    }

    /**
     * Closes the pools and the separate connections. The future completes when the separate connections are closed, or
     * fails after twice {@link #CLOSE_TIMEOUT}. If Vert.x stopped earlier, the driver would log an error for each of these
     * connections. Vert.x itself waits for the pools.
     *
     * @param keepsFreePool whether the pool {@code free} is left open, because Quarkus closes it
     */
    Future<Void> close(boolean keepsFreePool) {
        runner.close(CLOSE_TIMEOUT, input.vertx());
        connections.cutAfter(CLOSE_TIMEOUT, input.vertx());
        indexed.close();
        sharded.close();
        if (!keepsFreePool) {
            free.close();
        }
        return Future.join(separateConnections.stream()
                        .map(connection -> connection.compose(PgConnection::close))
                        .toList())
                .timeout(2 * CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .mapEmpty();
    }

    private Duration longestSilence() {
        return config.statementTimeout().plus(GRACE);
    }

    private PoolStatementRunner runnerOver(Pool pool, String name, int size, MeterRegistry metrics) {
        WaitLimiter limiter = new WaitLimiter(config.longestWait(), size, size, size + MAX_WAITING);
        return new PoolStatementRunner(pool, name, limiter, longestSilence(), metrics);
    }

    private Pool newPool(String name, String suffix, PageSessionSettings settings, int size) {
        return PgBuilder.pool()
                .with(poolOptions(input, name + suffix, size))
                .connectingTo(settings.configure(connectOptions(), name, config))
                .using(input.vertx())
                .build();
    }

    static PoolOptions poolOptions(PgPoolCreator.Input input, String name, int size) {
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
