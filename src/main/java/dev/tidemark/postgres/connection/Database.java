package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.RejectedStatements;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.Host;
import dev.tidemark.postgres.hosts.HostSelector;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
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
 * Holds the connections to the database, and runs statements over them. The database has one host, or a primary and its
 * standbys.
 */
@Singleton
public class Database implements PgPoolCreator {

    /**
     * The result of a statement.
     *
     * @param floor a state of the database that includes what the statement has read; empty if the database has a
     *     single host
     */
    public record Result<T>(T value, Optional<Floor> floor) {}

    /** Without a read of a feed for this long, the database may sleep. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** The name in metrics of the pool for reading the catalogue, if there are several hosts. */
    private static final String CATALOGUE_POOL = "schema";

    private final PostgresConfig config;
    private final MeterRegistry metrics;
    private final RejectedStatements rejected;
    private final Credentials credentials;

    /** The connections to each host, by the index of the host. */
    private final List<HostConnections> connections = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // create() sets it.
    private HostSelector hosts;

    @SuppressWarnings("NullAway.Init") // create() sets it.
    private Vertx vertx;

    /** When a feed was last read; not kept up to date if the database may not sleep. */
    private volatile long lastReadNanos = System.nanoTime();

    private volatile Optional<ListeningConnection> listeningConnection = Optional.empty();
    private volatile Runnable onNewPrimary = () -> {};

    /** @param rejected learns of the statements of feeds that the database rejects */
    @Inject
    Database(PostgresConfig config, MeterRegistry metrics, RejectedStatements rejected, Credentials credentials) {
        this.credentials = credentials;
        this.config = config;
        this.metrics = metrics;
        this.rejected = rejected;
    }

    /** For tests: the credentials are those with which the pool is created. */
    public Database(PostgresConfig config, MeterRegistry metrics, RejectedStatements rejected) {
        this(config, metrics, rejected, new Credentials(config.databasePasswordFile(), Optional.empty()));
    }

    @Override
    public Pool create(Input input) {
        vertx = input.vertx();
        List<String> names =
                input.pgConnectOptionsList().stream().map(Database::address).toList();
        boolean isSingle = names.size() == 1;
        for (PgConnectOptions server : input.pgConnectOptionsList()) {
            String suffix = isSingle ? "" : " " + address(server);
            connections.add(new HostConnections(server, suffix, config, credentials, metrics, input));
        }
        hosts = new HostSelector(
                names, connections::get, config.replicaMaxLag(), this::onPrimaryChange, metrics, input.vertx());
        return isSingle ? freePool() : createCataloguePool(input);
    }

    private static String address(PgConnectOptions server) {
        return server.getHost() + ':' + server.getPort();
    }

    /**
     * Creates the pool for reading the catalogue. Each new connection goes to the primary or, if there is none, to
     * another host that serves pages.
     */
    private Pool createCataloguePool(Input input) {
        Supplier<Future<SqlConnectOptions>> server = () ->
                hosts.bestHost().map(this::connectionsTo).compose(host -> host.currentOptions(catalogueSettings(host)));
        HostConnections first = connections.get(0);
        return PgBuilder.pool()
                .with(HostConnections.poolOptions(input, CATALOGUE_POOL, config.freeConnections()))
                .connectingTo(server)
                // The connection can be one to another host, whose own sessions check its pooler.
                .withConnectHandler(first.preparationWithoutPooler(catalogueSettings(first)))
                .using(input.vertx())
                .build();
    }

    private static SessionSettings catalogueSettings(HostConnections host) {
        return host.settings(host.configurePool(PageSessionSettings.FREE, CATALOGUE_POOL));
    }

    private HostConnections connectionsTo(Host host) {
        return connections.get(host.index());
    }

    /**
     * Runs a statement on the host that {@code preference} selects. Fails with a {@link
     * dev.tidemark.feed.read.ReadFailure}. If this host cannot answer, and no row has arrived, the statement is retried
     * on the next host. With a single host, the statement is retried once, and only if a pinned connection was lost
     * before the first row arrived. The statement continues if the caller no longer waits for it.
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
        return Uni.createFrom().emitter(emitter -> new Read<>(
                        hosts,
                        connections,
                        statement,
                        values,
                        receivers,
                        preference,
                        vertx,
                        config.longestWait(),
                        rejected,
                        emitter)
                .start());
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
     * Reads on each host which policies apply to the roles that read. If this has changed on a host, it plans all
     * statements anew. Returns before the hosts have answered.
     *
     * @param query returns one value, which changes when another policy applies
     */
    public void readRoles(String query) {
        connections.forEach(host -> host.readRoles(query));
    }

    /**
     * Opens a separate connection for LISTEN, to the primary or, if there is none, to another host that serves pages.
     * The connection is closed if another host becomes the primary.
     */
    public Future<PgConnection> connectForListen() {
        return hosts.bestHost()
                .compose(host -> connectionsTo(host).connectForListen().onSuccess(connection -> {
                    listeningConnection = Optional.of(new ListeningConnection(host, connection));
                    // Another host can have become the primary while the connection was opened.
                    hosts.bestKnownHost().ifPresent(this::closeListeningUnlessOn);
                }));
    }

    /** @param action runs when a host becomes the primary; never with a single host */
    public void onNewPrimary(Runnable action) {
        onNewPrimary = action;
    }

    private record ListeningConnection(Host host, PgConnection connection) {}

    private void onPrimaryChange(Host primary) {
        closeListeningUnlessOn(primary);
        onNewPrimary.run();
    }

    /** Closes the connection for LISTEN unless its host is the primary. */
    private void closeListeningUnlessOn(Host primary) {
        listeningConnection.filter(current -> current.host() != primary).ifPresent(current -> current.connection()
                .close());
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
    Future<PgConnection> connectPinned() {
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

    /** The best host's pool for lists that no index serves. */
    public Pool freePool() {
        return connectionsToBestKnownHost().freePool();
    }

    private HostConnections connectionsToBestKnownHost() {
        return connections.get(hosts.bestKnownHost().map(Host::index).orElse(0));
    }

    /** The hosts of the database, in the configured order. */
    public List<Host> hosts() {
        return hosts.all();
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
        hosts.close();
        Future.join(connections.stream().map(HostConnections::close).toList())
                .otherwiseEmpty()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
