package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose settings switch off all optional optimizations. */
@Slow
class OptimizationsOffIT {

    @Test
    @Timeout(120)
    void pagesAreServedWithThePoolAlone() throws Exception {
        try (DeployedServer server = DeployedServer.servingThings(
                        Map.of("TIDEMARK_PIPELINED", "false", "TIDEMARK_SINGLE_FLIGHT", "false"))
                .awaitReady()) {
            double before = statementsOfThePool(server);
            for (int i = 0; i < 20; i++) {
                assertThat(JsonDocument.of(server.get("/api/things?limit=5").body())
                                .getList("items"))
                        .hasSize(5);
            }
            String metrics = server.getManagement("/q/metrics").body();
            assertThat(statementsOfThePool(server)).isEqualTo(before + 20);
            assertThat(Metrics.value(metrics, "tidemark_pinned_open")).isZero();
            assertThat(Metrics.value(metrics, "tidemark_pages_joined_total")).isZero();
        }
    }

    private static double statementsOfThePool(DeployedServer server) throws Exception {
        return Metrics.value(
                server.getManagement("/q/metrics").body(),
                "tidemark_statements_seconds_count{connections=\"indexed\"}");
    }
}
