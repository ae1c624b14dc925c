package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.Host;
import dev.tidemark.postgres.hosts.HostSelector;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
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

    private final PostgresConfig config;
    private final MeterRegistry metrics;
    private final List<HostConnections> pools = new ArrayList<>();

    /** {@code null} if the database has a single host. */
    private HostSelector hosts;

    /** {@code null} if the database has a single host. */
    private MultiHostReader reader;

    private volatile ListeningConnection listeningConnection;
    private volatile Runnable onNewPrimary = () -> {};

    public Database(PostgresConfig config, MeterRegistry metrics) {
        this.config = config;
        this.metrics = metrics;
    }

    @Override
    public Pool create(Input input) {
        List<PgConnectOptions> servers = input.pgConnectOptionsList();
        if (servers.size() == 1) {
            pools.add(new HostConnections(servers.get(0), "", config, metrics, input));
            return pools.get(0).freePool();
        }
        List<String> names = servers.stream().map(Database::address).toList();
        for (int i = 0; i < names.size(); i++) {
            pools.add(new HostConnections(servers.get(i), " " + names.get(i), config, metrics, input));
        }
        hosts = new HostSelector(
                names, pools::get, config.replicaMaxLag(), this::onPrimaryChange, metrics, input.vertx());
        reader =
                new MultiHostReader(hosts, pools.stream().map(HostConnections::runner).toList());
        return createCataloguePool(input);
    }

    private static String address(PgConnectOptions server) {
        return server.getHost() + ':' + server.getPort();
    }

    /**
     * Creates the pool for reading the catalogue. Each new connection goes to the primary or, if there is none, to
     * another host that serves pages.
     */
    private Pool createCataloguePool(Input input) {
        Supplier<Future<SqlConnectOptions>> server = () -> hosts.bestHost()
                .map(host -> PageSessionSettings.FREE.configure(
                        pools.get(host.index()).connectOptions(), "schema", config));
        return PgBuilder.pool()
                .with(HostConnections.poolOptions(input, "schema", config.freeConnections()))
                .connectingTo(server)
                .using(input.vertx())
                .build();
    }

    /**
     * Runs a statement on the host that {@code preference} selects. Fails with a {@link
     * dev.tidemark.feed.read.ReadFailure}. If this host cannot answer, and no row has arrived, the statement is retried
     * on the next host. With a single host, the statement is retried once, and only if a pinned connection was lost
     * before the first row arrived.
     *
     * @param receivers creates the receiver of the rows; called for each host that is tried
     */
    public <T> Uni<T> query(
            Statement statement,
            List<String> parameters,
            Supplier<RowReceiver<T>> receivers,
            ReadPreference preference) {
        return hosts == null
                ? pools.get(0).runner().query(statement, tuple(parameters), receivers.get())
                : reader.read(statement, tuple(parameters), receivers, preference)
                        .map(ReadResult::value);
    }

    /** Runs a statement as {@link #query} does, and returns its result with the floor of what it has read. */
    public <T> Uni<ReadResult<T>> read(
            Statement statement,
            List<String> parameters,
            Supplier<RowReceiver<T>> receivers,
            ReadPreference preference) {
        return hosts == null
                ? query(statement, parameters, receivers, preference)
                        .map(value -> new ReadResult<>(value, Optional.empty()))
                : reader.read(statement, tuple(parameters), receivers, preference);
    }

    private static Tuple tuple(List<String> parameters) {
        Tuple values = Tuple.tuple();
        parameters.forEach(values::addString);
        return values;
    }

    /**
     * Opens a separate connection for LISTEN, to the primary or, if there is none, to another host that serves pages.
     * The connection is closed if another host becomes the primary.
     */
    public Future<PgConnection> connectForListen() {
        return hosts == null
                ? pools.get(0).connectForListen()
                : hosts.bestHost().compose(host -> pools.get(host.index())
                        .connectForListen()
                        .onSuccess(connection -> {
                            listeningConnection = new ListeningConnection(host, connection);
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
        ListeningConnection current = listeningConnection;
        if (current != null && current.host() != primary) {
            current.connection().close();
        }
    }

    /** Describes the database for messages, such as {@code shop at db.example.org:5432, role tidemark}. */
    public String describeDatabase() {
        PgConnectOptions first = pools.get(0).connectOptions();
        return first.getDatabase() + " at "
                + pools.stream().map(pool -> address(pool.connectOptions())).collect(Collectors.joining(", "))
                + ", role " + first.getUser();
    }

    /** Opens a connection with the settings of pinned connections; for tests. */
    Future<PgConnection> connectPinned() {
        return pools.get(0).connectPinned();
    }

    /** Attempts a TLS handshake with the first host. Fails with the cause if the handshake fails. */
    public Future<Void> attemptHandshake() {
        return pools.get(0).attemptHandshake();
    }

    /** The best host's pool for lists that an index serves. */
    public Pool indexedPool() {
        return poolsOfBestKnownHost().indexedPool();
    }

    /** The hosts of the database; empty if there is only one. */
    public List<Host> hosts() {
        return hosts == null ? List.of() : hosts.all();
    }

    /** The best host's pool for lists that no index serves. */
    public Pool freePool() {
        return poolsOfBestKnownHost().freePool();
    }

    private HostConnections poolsOfBestKnownHost() {
        return pools.get(
                hosts == null ? 0 : hosts.bestKnownHost().map(Host::index).orElse(0));
    }

    /**
     * Closes all pools except the default one, which Quarkus closes, and waits until the connections outside the pools
     * are closed.
     */
    @PreDestroy
    public void close() {
        if (hosts != null) {
            hosts.close();
        }
        Future.join(pools.stream().map(pool -> pool.close(hosts == null)).toList())
                .otherwiseEmpty()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
