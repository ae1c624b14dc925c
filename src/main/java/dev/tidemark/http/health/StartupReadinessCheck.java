package dev.tidemark.http.health;

import dev.tidemark.framework.Lifecycle;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready once startup has completed. The management port, which serves readiness, may open before the HTTP port. */
@Readiness
@Singleton
class StartupReadinessCheck implements AsyncHealthCheck {

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().item(() -> HealthCheckResponse.named("started")
                .status(Lifecycle.isStarted())
                .build());
    }
}
