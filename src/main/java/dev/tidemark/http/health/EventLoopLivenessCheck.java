package dev.tidemark.http.health;

import dev.tidemark.framework.EventLoops;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Live if every event loop runs a task in time. A blocked event loop no longer serves its connections, and only a
 * restart helps. The check does not involve the database, because a restart does not help if the database is
 * unavailable.
 */
@Liveness
@Singleton
class EventLoopLivenessCheck implements AsyncHealthCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Vertx vertx;

    EventLoopLivenessCheck(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        EventLoops.ofConnections(vertx).forEach(loop -> tasks.add(CompletableFuture.runAsync(() -> {}, loop)));
        return Uni.createFrom()
                .completionStage(CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new)))
                .map(completed -> HealthCheckResponse.up("event loops"))
                .ifNoItem()
                .after(TIMEOUT)
                .recoverWithItem(HealthCheckResponse.down("event loops"));
    }
}
