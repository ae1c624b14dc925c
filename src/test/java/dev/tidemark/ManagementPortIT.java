package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is deployed tells clients about the API, and those who run it about itself, each at their own port. */
@Timeout(60)
class ManagementPortIT {

    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        server = DeployedServer.ofThings(Map.of()).awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void healthAndMetricsAreAtAPortOfTheirOwn() throws Exception {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/metrics")) {
            var answer = server.manage(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
            var atClientsPort = server.get(path);
            assertThat(atClientsPort.statusCode()).as(path).isEqualTo(404);
            assertThat(atClientsPort.body()).contains("not_found");
        }
    }

    @Test
    void theDescriptionOfTheApiIsForClients() throws Exception {
        var document = server.get("/q/openapi");
        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.body()).contains("/api/things");
        assertThat(server.manage("/q/openapi").statusCode()).isEqualTo(404);
    }

    @Test
    void noPageIsServedAtTheManagementPort() throws Exception {
        assertThat(server.manage("/api/things").statusCode()).isEqualTo(404);
    }

    @Test
    void neitherPortTellsWhatItIs() throws Exception {
        for (String path : List.of("/api/things", "/q/health", "/q/swagger-ui", "/nothing")) {
            for (var answer : List.of(server.get(path), server.manage(path))) {
                assertThat(answer.headers().map()).doesNotContainKeys("server", "x-powered-by");
                assertThat(answer.body().toLowerCase()).doesNotContain("quarkus", "vert.x", "netty");
            }
        }
    }

    @Test
    void aFailedRequestIsOneLineOfItsLog() throws Exception {
        var answer = server.get("/api/things?limit=0");
        String id = answer.headers().firstValue("X-Request-Id").orElseThrow();
        while (server.log().stream().noneMatch(line -> line.contains(id))) {
            Thread.onSpinWait();
        }
        assertThat(server.log().stream().filter(line -> line.contains(id)))
                .singleElement()
                .asString()
                .contains("GET /api/things", "invalid_limit", "400");
    }
}
