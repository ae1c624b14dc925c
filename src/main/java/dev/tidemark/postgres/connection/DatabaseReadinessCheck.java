package dev.tidemark.postgres.connection;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.feed.ReadFailure.Reason;
import dev.tidemark.postgres.hosts.Placement;
import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Ready if the database answers soon. The statement uses the same connections as most pages, so that the check covers them. */
@Readiness
@Singleton
class DatabaseReadinessCheck implements AsyncHealthCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Statement PROBE = new Statement("SELECT 1", true);

    private final FeedPools pools;

    DatabaseReadinessCheck(FeedPools pools) {
        this.pools = pools;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return pools.query(PROBE, List.of(), () -> Rows.decoded(Collectors.counting()), Placement.anywhere())
                // The timeout below must not cancel the statement: a silent connection is given up when its own wait
                // ends.
                .memoize()
                .indefinitely()
                .map(rows -> true)
                .ifNoItem()
                .after(TIMEOUT)
                .fail()
                .onFailure(DatabaseReadinessCheck::isBusy)
                .recoverWithItem(true)
                .onFailure()
                .recoverWithItem(false)
                .map(this::response);
    }

    /** With several hosts, says what each of them is used for. */
    private HealthCheckResponse response(boolean isReady) {
        HealthCheckResponseBuilder response =
                HealthCheckResponse.named("database").status(isReady);
        pools.hosts()
                .forEach(host -> response.withData(
                        host.name(),
                        host.use().name().toLowerCase(Locale.ROOT)
                                + (host.lag().isZero()
                                        ? ""
                                        : ", behind by " + host.lag().toMillis() + " ms")));
        return response.build();
    }

    /** An overloaded server has a database. Taken out of service, it would leave its share to servers that are overloaded too. */
    private static boolean isBusy(Throwable failure) {
        return failure instanceof ReadFailure unread && unread.reason() == Reason.OVERLOADED;
    }
}
