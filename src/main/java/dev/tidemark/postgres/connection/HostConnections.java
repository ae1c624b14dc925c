package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.OpenConnections;
import dev.tidemark.postgres.wire.Wire;
import dev.tidemark.settings.SessionOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.ClientBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens, replaces, and closes the connections to one host: the pinned ones, those of the pools, and the separate ones
 * for LISTEN and polls. {@link QueryRouter} says what each is for.
 */
public final class HostConnections implements HostAccess {

    /**
     * The largest number of requests that wait for a connection of one pool. Further requests are rejected
     * immediately, however short the expected wait is.
     */
    private static final int MAX_WAITING = 1000;

    /** The most connections for the indexed lists that the server reads for event streams, and for searches. */
    private static final int MAX_LIVE = 8;

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
    private final OldPlans oldPlans;
    private final Credentials credentials;
    private final OpenConnections connections = new OpenConnections();

    /** The connections outside the pools, both open ones and those that are being opened. */
    private final Set<Future<PgConnection>> separateConnections = ConcurrentHashMap.newKeySet();

    /** The open sessions that have their settings. */
    private final Set<Wire> prepared = ConcurrentHashMap.newKeySet();

    private static final Set<SslMode> VERIFYING = Set.of(SslMode.VERIFY_CA, SslMode.VERIFY_FULL);

    /** The check of the pooler's mode that is running; null if none is. */
    private final AtomicReference<@Nullable Future<Void>> runningCheck = new AtomicReference<>();

    private final boolean isSingle;
    private final PinnedConnections pinned;
    private final PoolStatementRunner indexed;
    private final PoolStatementRunner live;
    private final PoolStatementRunner sharded;
    private final PoolStatementRunner text;
    private final PoolStatementRunner free;

    /**
     * @param suffix the end of the names of pools and connections in metrics, which identifies the host; empty if
     *     there is a single host
     * @param maxPlanAge older plans of statements are discarded before the next statement
     */
    public HostConnections(
            PgConnectOptions server,
            String suffix,
            PostgresConfig config,
            Credentials credentials,
            MeterRegistry metrics,
            Duration maxPlanAge,
            PgPoolCreator.Input input) {
        this.config = config;
        this.credentials = credentials;
        this.server = configure(server);
        this.input = input;
        this.oldPlans = new OldPlans(maxPlanAge);
        this.isSingle = suffix.isEmpty();
        int maxSize = input.poolOptions().getMaxSize();
        int maxFree = Math.min(maxSize, config.freeConnections());
        pinned = new PinnedConnections(
                this::connectPinned, "pinned" + suffix, config.longestWait(), longestSilence(), oldPlans, metrics);
        indexed = newPool("indexed", suffix, PageSessionSettings.INDEXED, maxSize, metrics);
        live = newPool("live", suffix, PageSessionSettings.INDEXED, Math.min(maxSize, MAX_LIVE), metrics);
        sharded = newPool("sharded", suffix, PageSessionSettings.FREE, maxSize, metrics);
        text = newPool("text", suffix, PageSessionSettings.TEXT_INDEXED, maxFree, metrics);
        free = newPool("free", suffix, PageSessionSettings.FREE, maxFree, metrics);
    }

    /** Opens a separate connection for LISTEN. {@link #cut} cuts it too. */
    public Future<PgConnection> connectForListen() {
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

    public Future<PgConnection> connectPinned() {
        PgConnectOptions options =
                PageSessionSettings.INDEXED.configure(connectOptions(), "pinned", pinnedLockTimeout(), config);
        if (config.letDatabaseSleep()) {
            options.setIdleTimeout(input.poolOptions().getIdleTimeout())
                    .setIdleTimeoutUnit(input.poolOptions().getIdleTimeoutUnit());
        }
        return open(options);
    }

    /** @param metricsName the connections' name in metrics */
    private PgConnectOptions configurePool(PageSessionSettings settings, String metricsName) {
        return settings.configure(connectOptions(), metricsName, poolLockTimeout(), config);
    }

    /**
     * Others wait behind a statement of a pinned connection that waits for a lock. It is then repeated over a pool.
     */
    private Duration pinnedLockTimeout() {
        Duration share = config.longestWait().dividedBy(10);
        return atLeastOneMilli(share.compareTo(PinnedShare.LONGEST_DELAY) > 0 ? PinnedShare.LONGEST_DELAY : share);
    }

    /** What a pinned connection leaves of the longest wait. */
    private Duration poolLockTimeout() {
        return atLeastOneMilli(config.longestWait().minus(pinnedLockTimeout()));
    }

    /** 0 would turn the timeout off. */
    private static Duration atLeastOneMilli(Duration duration) {
        return duration.toMillis() < 1 ? Duration.ofMillis(1) : duration;
    }

    private Future<PgConnection> open(PgConnectOptions options) {
        SessionSettings settings = settings(options);
        return openUnprepared(settings.startupOptions())
                .compose(opened -> prepare(opened, settings).map(opened));
    }

    private Future<PgConnection> openUnprepared(PgConnectOptions options) {
        Future<PgConnection> connection = credentials
                .addTo(options, input.vertx())
                .compose(current -> PgConnection.connect(input.vertx(), current));
        separateConnections.add(connection);
        return connection
                .onSuccess(opened -> connections.add(opened).onClose(() -> separateConnections.remove(connection)))
                .onFailure(failure -> separateConnections.remove(connection));
    }

    /** @param options whose properties are the settings */
    private SessionSettings settings(PgConnectOptions options) {
        return new SessionSettings(options, server, longestSilence());
    }

    /** The options of a new connection, with the present credentials. */
    private Future<SqlConnectOptions> currentOptions(SessionSettings settings) {
        return credentials.addTo(settings.startupOptions(), input.vertx()).map(options -> options);
    }

    /** Returns the handler of a pool's new connections. It hands a connection over to the pool by closing it. */
    private Handler<SqlConnection> preparation(SessionSettings settings) {
        return opened ->
                prepare(opened, settings).onSuccess(prepared -> opened.close()).onFailure(ReadFailures::logUnprepared);
    }

    /**
     * Creates a pool like {@link #freePool}, each of whose connections goes to the host that is the best when it is
     * opened.
     *
     * @param name the pool's name in metrics
     */
    public Pool newPoolToBestHost(Supplier<Future<HostConnections>> bestHost, String name) {
        Supplier<Future<SqlConnectOptions>> options =
                () -> bestHost.get().compose(host -> host.currentOptions(host.freeSettings(name)));
        return PgBuilder.pool()
                .with(poolOptions(input, name, config.freeConnections()))
                .connectingTo(options)
                .withConnectHandler(preparationWithoutPooler(freeSettings(name)))
                .using(input.vertx())
                .build();
    }

    private SessionSettings freeSettings(String metricsName) {
        return settings(configurePool(PageSessionSettings.FREE, metricsName));
    }

    /**
     * Like {@link #preparation}, without the check of a pooler's mode: the connection can be one to another host,
     * whose own sessions check its pooler.
     */
    private Handler<SqlConnection> preparationWithoutPooler(SessionSettings settings) {
        return opened -> {
            Wire.of(opened).endOnFatalError();
            settings.prepare(opened).onSuccess(prepared -> opened.close()).onFailure(ReadFailures::logUnprepared);
        };
    }

    /** If no other session is open, the host can be another one than before, or a pooler with another mode. */
    private Future<Void> prepare(SqlConnection opened, SessionSettings settings) {
        Wire wire = Wire.of(opened);
        wire.endOnFatalError();
        Future<Void> check = prepared.isEmpty()
                ? checkPooler(opened, settings).onFailure(failure -> wire.cut())
                : Future.succeededFuture();
        return check.compose(checked -> settings.prepare(opened)).onSuccess(done -> {
            prepared.add(wire);
            wire.onClose(() -> prepared.remove(wire));
        });
    }

    /**
     * Checks the mode of a pooler with one session at a time, because the check needs a second one, and a pooler can
     * have as few server connections as sessions are opened here. The other sessions use the result.
     */
    private Future<Void> checkPooler(SqlConnection opened, SessionSettings settings) {
        Promise<Void> result = Promise.promise();
        Future<Void> running = runningCheck.compareAndExchange(null, result.future());
        if (running != null) {
            return running;
        }
        PoolerMode.check(opened, () -> openUnprepared(settings.startupOptions()))
                .timeout(longestSilence().toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(checked -> {
                    runningCheck.set(null);
                    result.handle(checked);
                });
        return result.future();
    }

    /** Opens and closes a session. Fails with the reason if it cannot be opened, or does not keep its settings. */
    public Future<Void> attemptSession() {
        return open(configurePool(PageSessionSettings.FREE, "attempt")).compose(PgConnection::close);
    }

    public Future<Void> attemptHandshake() {
        return Handshake.attempt(connectOptions(), input.vertx());
    }

    /** Makes the settings in the parameter {@code options} of the URL settings of the sessions, too. */
    private PgConnectOptions configure(PgConnectOptions configured) {
        Map<String, String> properties = new HashMap<>(configured.getProperties());
        String options = properties.remove("options");
        if (options != null) {
            SessionOptions parsed = SessionOptions.parse(options);
            properties.putAll(parsed.settings());
            if (!parsed.others().isEmpty()) {
                properties.put("options", parsed.others());
            }
        }
        PgConnectOptions changed = new PgConnectOptions(configured)
                .setProperties(properties)
                .setConnectTimeout((int) config.connectTimeout().toMillis());
        boolean isVerified = VERIFYING.contains(changed.getSslMode());
        return isVerified && changed.getTrustOptions() == null && !changed.isTrustAll()
                ? changed.setTrustOptions(TrustOptions.wrap(authoritiesOfJava()))
                : changed;
    }

    /** Without them, the driver rejects the modes that verify certificates. */
    private static TrustManager authoritiesOfJava() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the authorities that Java trusts cannot be read", e);
        }
    }

    public PgConnectOptions connectOptions() {
        return new PgConnectOptions(server);
    }

    /** Whether the database has no other host. */
    boolean isSingle() {
        return isSingle;
    }

    PinnedConnections pinned() {
        return pinned;
    }

    PoolStatementRunner indexed() {
        return indexed;
    }

    PoolStatementRunner live() {
        return live;
    }

    PoolStatementRunner sharded() {
        return sharded;
    }

    PoolStatementRunner text() {
        return text;
    }

    PoolStatementRunner free() {
        return free;
    }

    public Pool indexedPool() {
        return indexed.pool();
    }

    public Pool textPool() {
        return text.pool();
    }

    public Pool freePool() {
        return free.pool();
    }

    /** Statements that wait for a connection of a pool fail immediately, as if their connection had been lost. */
    @Override
    public void cut() {
        connections.cut();
        pools().forEach(PoolStatementRunner::cut);
    }

    /**
     * Closes the pools and the separate connections. The future completes when the separate connections are closed, or
     * fails after twice {@link #CLOSE_TIMEOUT}. If Vert.x stopped earlier, the driver would log an error for each of
     * these connections. Vert.x itself waits for the pools. Quarkus closes the pool {@code free} of a single host.
     */
    public Future<Void> close() {
        pinned.close();
        connections.cutAfter(CLOSE_TIMEOUT, input.vertx());
        for (PoolStatementRunner runner : pools()) {
            runner.connections().cutAfter(CLOSE_TIMEOUT, input.vertx());
            if (!isSingle || runner != free) {
                runner.pool().close();
            }
        }
        return Future.join(separateConnections.stream()
                        .map(connection -> connection.compose(PgConnection::close))
                        .toList())
                .timeout(2 * CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .mapEmpty();
    }

    private List<PoolStatementRunner> pools() {
        return List.of(indexed, live, sharded, text, free);
    }

    private Duration longestSilence() {
        return config.statementTimeout().plus(GRACE);
    }

    private PoolStatementRunner newPool(
            String name, String suffix, PageSessionSettings settings, int size, MeterRegistry metrics) {
        SessionSettings sessions = settings(configurePool(settings, name));
        ClientBuilder<Pool> builder = PgBuilder.pool()
                .with(poolOptions(input, name + suffix, size))
                .withConnectHandler(preparation(sessions))
                .using(input.vertx());
        Pool pool = (credentials.areRead()
                        ? builder.connectingTo(() -> currentOptions(sessions))
                        : builder.connectingTo(sessions.startupOptions()))
                .build();
        return new PoolStatementRunner(
                pool,
                name + suffix,
                size,
                MAX_WAITING,
                config.longestWait(),
                longestSilence(),
                name.equals("indexed"),
                oldPlans,
                metrics);
    }

    private static PoolOptions poolOptions(PgPoolCreator.Input input, String name, int size) {
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
