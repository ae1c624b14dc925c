package dev.tidemark.postgres.connection;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.feed.ReadFailure.Reason;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import dev.tidemark.postgres.rows.Rows;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready is who has a database that answers soon. It is asked in the way of most pages, so that it tells of these. */
@Readiness
@Singleton
class DatabaseAnswers implements AsyncHealthCheck {

    private static final Duration SOON = Duration.ofSeconds(2);

    private static final Statement QUESTION = new Statement("SELECT 1", true);

    private final FeedPools pools;

    DatabaseAnswers(FeedPools pools) {
        this.pools = pools;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return pools.query(QUESTION, List.of(), Rows.decoded(Collectors.counting()))
                // Nobody's impatience may end the wait at whose end a silent connection is given up.
                .memoize()
                .indefinitely()
                .map(rows -> HealthCheckResponse.up("database"))
                .ifNoItem()
                .after(SOON)
                .fail()
                .onFailure(DatabaseAnswers::isBusy)
                .recoverWithItem(HealthCheckResponse.up("database"))
                .onFailure()
                .recoverWithItem(HealthCheckResponse.down("database"));
    }

    /** Who has too much to do has a database; out of service, he would leave his share to others who have as much. */
    private static boolean isBusy(Throwable failure) {
        return failure instanceof ReadFailure unread && unread.reason() == Reason.OVERLOADED;
    }
}
