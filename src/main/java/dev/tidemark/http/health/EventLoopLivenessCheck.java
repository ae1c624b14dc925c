package dev.tidemark.http.health;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Alive is a process all of whose event loops turn. One that hangs serves its connections no more, and only a restart helps;
 * no restart helps where the database is away, so that it is not asked.
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
        ((VertxInternal) vertx)
                .getEventLoopGroup()
                .forEach(loop -> tasks.add(CompletableFuture.runAsync(() -> {}, loop)));
        return Uni.createFrom()
                .completionStage(CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new)))
                .map(completed -> HealthCheckResponse.up("event loops"))
                .ifNoItem()
                .after(TIMEOUT)
                .recoverWithItem(HealthCheckResponse.down("event loops"));
    }
}
