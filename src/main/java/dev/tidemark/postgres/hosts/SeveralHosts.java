package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.connection.HostConnections;
import dev.tidemark.postgres.connection.Query;
import dev.tidemark.postgres.connection.QueryRouter;
import dev.tidemark.postgres.connection.QueryRunner;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs each query on the host that its {@link dev.tidemark.postgres.connection.ReadPreference} selects, between two
 * queries for the position of this host. If this host cannot answer, and no row has arrived, the query is retried on
 * the next host. Not used if the database has a single host.
 */
public final class SeveralHosts implements QueryRunner {

    /** The name in metrics of the pool for reading the catalogue. */
    private static final String CATALOGUE_POOL = "schema";

    private final List<HostConnections> connections;
    private final List<QueryRouter> routers;
    private final HostSelector selector;
    private final Vertx vertx;
    private final Duration longestWait;
    private final Runnable onNewPrimary;

    private volatile Optional<ListeningConnection> listeningConnection = Optional.empty();

    private record ListeningConnection(Host host, PgConnection connection) {}

    /**
     * @param names the names of the hosts
     * @param connections the connections to each host, by index
     * @param routers run queries on each host, by index
     * @param maxLag a standby that has been behind the primary for longer serves pages only if no other host can
     * @param longestWait for a primary that may not show yet what a standby has shown
     * @param onNewPrimary runs when a host becomes the primary
     */
    public SeveralHosts(
            List<String> names,
            List<HostConnections> connections,
            List<QueryRouter> routers,
            Duration maxLag,
            Duration longestWait,
            Runnable onNewPrimary,
            MeterRegistry metrics,
            Vertx vertx) {
        this.connections = connections;
        this.routers = routers;
        this.longestWait = longestWait;
        this.onNewPrimary = onNewPrimary;
        this.vertx = vertx;
        this.selector = new HostSelector(names, connections::get, maxLag, this::onPrimaryChange, metrics, vertx);
    }

    @Override
    public <T> void run(Query<T> query, Handler<AsyncResult<Result<T>>> handler) {
        new FailoverRead<>(selector, routers, query, vertx, longestWait, handler).start();
    }

    /** All hosts, in the configured order. */
    public List<Host> all() {
        return selector.all();
    }

    /**
     * The connections to the primary or, if there is none, to another host that serves pages; empty if none is known.
     */
    public Optional<HostConnections> bestKnownHost() {
        return selector.bestKnownHost().map(this::connectionsTo);
    }

    /** Creates the pool for reading the catalogue. Each new connection goes to the best host. */
    public Pool newCataloguePool() {
        return connections.get(0).newPoolToBestHost(() -> selector.bestHost().map(this::connectionsTo), CATALOGUE_POOL);
    }

    /**
     * Opens a separate connection for LISTEN, to the best host. The connection is closed if another host becomes the
     * primary.
     */
    public Future<PgConnection> connectForListen() {
        return selector.bestHost()
                .compose(host -> connectionsTo(host).connectForListen().onSuccess(connection -> {
                    listeningConnection = Optional.of(new ListeningConnection(host, connection));
                    // Another host can have become the primary while the connection was opened.
                    selector.bestKnownHost().ifPresent(this::closeListeningUnlessOn);
                }));
    }

    private HostConnections connectionsTo(Host host) {
        return connections.get(host.index());
    }

    private void onPrimaryChange(Host primary) {
        closeListeningUnlessOn(primary);
        onNewPrimary.run();
    }

    /** Closes the connection for LISTEN unless its host is the primary. */
    private void closeListeningUnlessOn(Host primary) {
        listeningConnection.filter(current -> current.host() != primary).ifPresent(current -> current.connection()
                .close());
    }

    public void close() {
        selector.close();
    }
}
