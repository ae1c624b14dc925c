package dev.tidemark.postgres;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready is who has a database that answers soon. */
@Readiness
class DatabaseAnswers implements AsyncHealthCheck {

    private static final Duration SOON = Duration.ofSeconds(2);

    private final Pool pool;

    DatabaseAnswers(Pool pool) {
        this.pool = pool;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return pool.query("SELECT 1")
                .execute()
                .map(rows -> HealthCheckResponse.up("database"))
                .ifNoItem()
                .after(SOON)
                .fail()
                .onFailure()
                .recoverWithItem(HealthCheckResponse.down("database"));
    }
}
