package dev.tidemark.http.health;

import io.quarkus.runtime.Application;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready is whose start is over: the port for clients may open somewhat later than the one that readiness is asked at. */
@Readiness
@Singleton
class StartupReadinessCheck implements AsyncHealthCheck {

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().item(() -> HealthCheckResponse.named("started")
                .status(Application.currentApplication().isStarted())
                .build());
    }
}
