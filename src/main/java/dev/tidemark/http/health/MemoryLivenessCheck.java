package dev.tidemark.http.health;

import dev.tidemark.http.problem.OutOfMemory;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Live until the process runs out of memory. */
@Liveness
@Singleton
class MemoryLivenessCheck implements AsyncHealthCheck {

    private final OutOfMemory outOfMemory;

    MemoryLivenessCheck(OutOfMemory outOfMemory) {
        this.outOfMemory = outOfMemory;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().item(() -> HealthCheckResponse.named("memory")
                .status(!outOfMemory.hasOccurred())
                .build());
    }
}
