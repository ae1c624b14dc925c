package dev.tidemark.postgres;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.RejectedStatements;
import dev.tidemark.postgres.connection.Credentials;
import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.connection.HostConnections;
import dev.tidemark.postgres.connection.PostgresConfig;
import dev.tidemark.postgres.connection.Query;
import dev.tidemark.postgres.connection.QueryRouter;
import dev.tidemark.postgres.connection.QueryRunner;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadFailures;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.hosts.Host;
import dev.tidemark.postgres.hosts.SeveralHosts;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Holds the connections to the database, and runs statements over them. The database has one host, or a primary and
 * its standbys.
 */
@Singleton
public class Database implements PgPoolCreator {

    /** Without a read of a feed for this long, the database may sleep. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How long a change of a role can take to change what lists show. */
    private static final Duration MAX_PLAN_AGE = Duration.ofSeconds(5);

    private final PostgresConfig config;
    private final MeterRegistry metrics;
    private final RejectedStatements rejected;
    private final Credentials credentials;
    private final Duration maxPlanAge;

    /** The connections to each host. */
    private final List<HostConnections> connections = new ArrayList<>();

    /** The single host's router, or {@link #severalHosts}. */
    @SuppressWarnings("NullAway.Init") // create() sets it.
    private QueryRunner runner;

    /** Empty if the database has a single host. */
    private Optional<SeveralHosts> severalHosts = Optional.empty();

    /** When a feed was last read; not kept up to date if the database may not sleep. */
    private volatile long lastReadNanos = System.nanoTime();

    private volatile Runnable onNewPrimary = () -> {};

    /** @param rejected learns of the statements of feeds that the database rejects */
    @Inject
    Database(PostgresConfig config, MeterRegistry metrics, RejectedStatements rejected, Credentials credentials) {
        this(config, metrics, rejected, credentials, MAX_PLAN_AGE);
    }

    private Database(
            PostgresConfig config,
            MeterRegistry metrics,
            RejectedStatements rejected,
            Credentials credentials,
            Duration maxPlanAge) {
        this.maxPlanAge = maxPlanAge;
        this.credentials = credentials;
        this.config = config;
        this.metrics = metrics;
        this.rejected = rejected;
    }

    /** For tests: the credentials are those with which the pool is created. */
    public Database(PostgresConfig config, MeterRegistry metrics, RejectedStatements rejected, Duration maxPlanAge) {
        this(config, metrics, rejected, new Credentials(config.databasePasswordFile(), Optional.empty()), maxPlanAge);
    }

    @Override
    public Pool create(Input input) {
        List<String> names =
                input.pgConnectOptionsList().stream().map(Database::address).toList();
        boolean isSingle = names.size() == 1;
        List<QueryRouter> routers = new ArrayList<>();
        for (PgConnectOptions server : input.pgConnectOptionsList()) {
            String suffix = isSingle ? "" : " " + address(server);
            HostConnections host = new HostConnections(server, suffix, config, credentials, metrics, maxPlanAge, input);
            connections.add(host);
            routers.add(new QueryRouter(host, config, metrics));
        }
        if (isSingle) {
            runner = routers.get(0);
            return freePool();
        }
        SeveralHosts several = new SeveralHosts(
                names,
                connections,
                routers,
                config.replicaMaxLag(),
                config.longestWait(),
                () -> onNewPrimary.run(),
                metrics,
                input.vertx());
        severalHosts = Optional.of(several);
        runner = several;
        return several.newCataloguePool();
    }

    private static String address(PgConnectOptions server) {
        return server.getHost() + ':' + server.getPort();
    }

    /**
     * Runs a statement. Fails with a {@link ReadFailure}. With a single host, the statement is retried once over a
     * pool, and only if no row has arrived, and its pinned connection was lost or held up, or the statement has waited
     * for a lock; with several, as {@link SeveralHosts} says. The statement continues if the caller no longer waits
     * for it.
     *
     * @param receivers creates the receiver of the rows; called for each host that is tried
     */
    public <T> Uni<Result<T>> read(
            Statement statement,
            List<String> parameters,
            Supplier<RowReceiver<T>> receivers,
            ReadPreference preference) {
        if (config.letDatabaseSleep() && statement.feed().isPresent()) {
            lastReadNanos = System.nanoTime();
        }
        Tuple values = Tuple.tuple();
        parameters.forEach(values::addString);
        Query<T> query = new Query<>(statement, values, receivers, preference);
        return Uni.createFrom()
                .emitter(emitter -> runner.run(query, answer -> {
                    if (answer.succeeded()) {
                        emitter.complete(answer.result());
                    } else {
                        emitter.fail(logAndTranslate(answer.cause(), query));
                    }
                }));
    }

    private Throwable logAndTranslate(Throwable failure, Query<?> query) {
        Optional<String> feed = query.statement().feed();
        Throwable translated = ReadFailures.logAndTranslate(failure, feed, query.values());
        if (feed.isPresent()
                && failure instanceof PgException error
                && translated instanceof ReadFailure read
                && read.reason() == ReadFailure.Reason.FEED_UNAVAILABLE) {
            rejected.record(feed.get(), Failures.sqlState(error));
        }
        return translated;
    }

    /** Whether the database may sleep while nobody uses it. */
    public boolean maySleep() {
        return config.letDatabaseSleep();
    }

    /** Whether nobody has used the database for a while, so that no statement may keep it awake. */
    public boolean mayFallAsleep() {
        return maySleep() && System.nanoTime() - lastReadNanos > LONGEST_PAUSE.toNanos();
    }

    /**
     * Opens a separate connection for LISTEN, to the primary or, if there is none, to another host that serves pages.
     * The connection is closed if another host becomes the primary.
     */
    public Future<PgConnection> connectForListen() {
        return severalHosts
                .map(SeveralHosts::connectForListen)
                .orElseGet(() -> connections.get(0).connectForListen());
    }

    /** @param action runs when a host becomes the primary; never with a single host */
    public void onNewPrimary(Runnable action) {
        onNewPrimary = action;
    }

    /** Describes the database for messages, such as {@code shop at db.example.org:5432, role tidemark}. */
    public String describeDatabase() {
        PgConnectOptions first = connections.get(0).connectOptions();
        return first.getDatabase() + " at "
                + connections.stream()
                        .map(host -> address(host.connectOptions()))
                        .collect(Collectors.joining(", "))
                + ", role " + first.getUser();
    }

    /** Opens a connection with the settings of pinned connections; for tests. */
    public Future<PgConnection> connectPinned() {
        return connections.get(0).connectPinned();
    }

    /** Attempts a TLS handshake with the first host. Fails with the cause if the handshake fails. */
    public Future<Void> attemptHandshake() {
        return connections.get(0).attemptHandshake();
    }

    /** Attempts to open a session on the first host. Fails with the reason if it cannot be used. */
    public Future<Void> attemptSession() {
        return connections.get(0).attemptSession();
    }

    /** The best host's pool for lists that an index serves. */
    public Pool indexedPool() {
        return connectionsToBestKnownHost().indexedPool();
    }

    /** The best host's pool for searches whose rows an index on text finds. */
    public Pool textPool() {
        return connectionsToBestKnownHost().textPool();
    }

    /** The best host's pool for lists that no index serves. */
    public Pool freePool() {
        return connectionsToBestKnownHost().freePool();
    }

    private HostConnections connectionsToBestKnownHost() {
        return severalHosts.flatMap(SeveralHosts::bestKnownHost).orElseGet(() -> connections.get(0));
    }

    /** The hosts of the database, in the configured order; empty if it has a single one. */
    public List<Host> severalHosts() {
        return severalHosts.map(SeveralHosts::all).orElse(List.of());
    }

    /**
     * Closes all pools except the default one, which Quarkus closes, and waits until the connections outside the pools
     * are closed.
     */
    @PreDestroy
    public void close() {
        if (connections.isEmpty()) {
            // The pools have not been created, for example because a setting is invalid.
            return;
        }
        severalHosts.ifPresent(SeveralHosts::close);
        Future.join(connections.stream().map(HostConnections::close).toList())
                .otherwiseEmpty()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
