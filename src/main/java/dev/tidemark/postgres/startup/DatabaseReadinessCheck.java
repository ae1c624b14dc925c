package dev.tidemark.postgres.startup;

import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports ready if the database answers within two seconds. An overloaded instance of Tidemark also counts as
 * ready, because without it, the other instances would be overloaded too. The statement that the check waits for uses
 * the same connections as most pages. An unreachable Citus worker is reported but does not fail readiness, because
 * lists in the shards of other workers are still served. While the database may sleep, it is not asked.
 */
@Readiness
@Singleton
class DatabaseReadinessCheck implements AsyncHealthCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Statement PROBE = new Statement("SELECT 1", Statement.Kind.INDEXED, List.of());

    /** Connects to each Citus worker, which takes about 20 ms. */
    private static final Statement UNREACHABLE_WORKERS = new Statement(
            "SELECT pg_catalog.concat(nodename, ':', nodeport) FROM pg_catalog.run_command_on_workers('SELECT 1')"
                    + " WHERE NOT success",
            Statement.Kind.FREE,
            List.of());

    private static final Duration WORKERS_TIMEOUT = Duration.ofSeconds(1);

    private final Database database;
    private final Provider<Feeds> feeds;

    /** @param feeds not resolved yet when this check is created */
    DatabaseReadinessCheck(Database database, Provider<Feeds> feeds) {
        this.database = database;
        this.feeds = feeds;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        if (database.mayFallAsleep()) {
            return Uni.createFrom().item(response(true, ""));
        }
        return Uni.combine()
                .all()
                .unis(isReady(), unreachableWorkers())
                .with((isReady, unreachableWorkers) -> response(isReady, unreachableWorkers));
    }

    private Uni<Boolean> isReady() {
        return query(PROBE, Collectors.counting())
                .map(rows -> true)
                .ifNoItem()
                .after(TIMEOUT)
                .fail()
                .onFailure(DatabaseReadinessCheck::isOverloaded)
                .recoverWithItem(true)
                .onFailure()
                .recoverWithItem(false);
    }

    /**
     * @return the addresses of the unreachable workers, or a message if the query takes too long; empty if all are
     *     reachable, no feed needs them, or the query fails
     */
    private Uni<String> unreachableWorkers() {
        if (feeds.get().all().stream()
                .allMatch(feed -> feed.relation().storage().shards().isEmpty())) {
            return Uni.createFrom().item("");
        }
        return query(UNREACHABLE_WORKERS, Collectors.mapping(row -> row.getString(0), Collectors.joining(", ")))
                .ifNoItem()
                .after(WORKERS_TIMEOUT)
                .recoverWithItem("no answer from at least one worker")
                .onFailure()
                .recoverWithItem("");
    }

    /**
     * Runs a statement. When the caller's timeout elapses, the statement continues, so that its own timeout can close
     * the connection if the database is silent.
     */
    private <T> Uni<T> query(Statement statement, Collector<Row, ?, T> collector) {
        return database.read(statement, List.of(), () -> RowReceiver.of(collector), ReadPreference.anyHost())
                .map(Result::value);
    }

    /** Returns the response, which lists the use of each host if the database has several. */
    private HealthCheckResponse response(boolean isReady, String unreachableWorkers) {
        HealthCheckResponseBuilder response =
                HealthCheckResponse.named("database").status(isReady);
        if (!unreachableWorkers.isEmpty()) {
            response.withData("unreachable workers", unreachableWorkers);
        }
        database.severalHosts().forEach(host -> response.withData(host.name(), host.describe()));
        return response.build();
    }

    private static boolean isOverloaded(Throwable failure) {
        return failure instanceof ReadFailure read && read.reason() == Reason.OVERLOADED;
    }
}
