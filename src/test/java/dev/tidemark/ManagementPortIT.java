package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawConnection;
import dev.tidemark.local.TestPostgres;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The deployed server serves the API and its description on the client port, and health checks and metrics on the
 * management port.
 */
@Timeout(120)
class ManagementPortIT {

    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        server = DeployedServer.servingThings(Map.of(
                        "QUARKUS_HTTP_ACCESS_LOG_ENABLED",
                        "true",
                        "QUARKUS_HTTP_ACCESS_LOG_PATTERN",
                        "%m %R %s problem=%{d,problem} request_id=%{d,request_id}"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void healthAndMetricsAreServedAtTheManagementPort() throws Exception {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/metrics")) {
            var answer = server.getManagement(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
            var atClientsPort = server.get(path);
            assertThat(atClientsPort.statusCode()).as(path).isEqualTo(404);
            assertThat(atClientsPort.body()).contains("not_found");
        }
    }

    @Test
    void bothPortsSpeakOnlyHttpOne() throws Exception {
        for (int port : List.of(server.port(), server.managementPort())) {
            assertThat(versionAt(port)).isEqualTo(HttpClient.Version.HTTP_1_1);
            try (var connection = new RawConnection(port)) {
                connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
                String answer = connection.readAll();
                assertThat(answer.isEmpty() || answer.contains("malformed_request"))
                        .as(answer)
                        .isTrue();
            }
        }
        assertThat(server.log()).noneMatch(line -> line.contains("HTTP/2 is on"));
    }

    @Test
    void bothPortsSpeakHttpTwoIfASettingSaysSoAndTheStartWarns() throws Exception {
        try (var other = DeployedServer.servingThings(Map.of("QUARKUS_HTTP_HTTP2", "true"))
                .awaitReady()) {
            for (int port : List.of(other.port(), other.managementPort())) {
                assertThat(versionAt(port)).isEqualTo(HttpClient.Version.HTTP_2);
            }
            assertThat(other.log()).anyMatch(line -> line.contains("HTTP/2 is on (QUARKUS_HTTP_HTTP2)"));
        }
    }

    private static HttpClient.Version versionAt(int port) throws Exception {
        URI unknown = URI.create("http://localhost:" + port + "/nothing");
        var answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .build()
                .send(HttpRequest.newBuilder(unknown).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(404);
        return answer.version();
    }

    @Test
    void theOpenApiDocumentIsServedAtTheClientPort() throws Exception {
        var document = server.get("/q/openapi");
        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.body()).contains("/api/things");
        assertThat(server.getManagement("/q/openapi").statusCode()).isEqualTo(404);
    }

    @Test
    void noPageIsServedAtTheManagementPort() throws Exception {
        assertThat(server.getManagement("/api/things").statusCode()).isEqualTo(404);
    }

    @Test
    void neitherPortNamesTheServerSoftware() throws Exception {
        for (String path : List.of("/api/things", "/q/health", "/q/swagger-ui", "/nothing")) {
            for (var answer : List.of(server.get(path), server.getManagement(path))) {
                assertThat(answer.headers().map()).doesNotContainKeys("server", "x-powered-by");
                assertThat(answer.body().toLowerCase(Locale.ROOT)).doesNotContain("quarkus", "vert.x", "netty");
            }
        }
    }

    /**
     * A rolling update to a configuration without feeds keeps the old instances, because the new ones are never ready.
     */
    @Test
    void aServerWithoutFeedsRunsButIsNotReady() throws Exception {
        try (var idle = new DeployedServer(Map.of(
                "QUARKUS_DATASOURCE_REACTIVE_URL",
                TestPostgres.newDatabase(),
                "QUARKUS_DATASOURCE_USERNAME",
                "postgres"))) {
            Await.until("the management port is open", () -> idle.log().stream()
                    .anyMatch(line -> line.contains("Management interface listening")));
            assertThat(idle.getManagement("/q/health/live").statusCode()).isEqualTo(200);
            var ready = idle.getManagement("/q/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"count\": 0");
            assertThat(idle.log()).anyMatch(line -> line.contains("No feed is declared"));
        }
    }

    @Test
    void aPortInUseIsReportedInOneMessage() throws Exception {
        try (var taken = new ServerSocket(0);
                var second = DeployedServer.servingThings(
                        Map.of("QUARKUS_MANAGEMENT_PORT", Integer.toString(taken.getLocalPort())))) {
            assertThat(second.awaitEnd()).isEqualTo(1);
            assertThat(second.log())
                    .anyMatch(
                            line -> line.contains(
                                    "Port " + taken.getLocalPort()
                                            + " seems to be in use by another process; stop it, or set QUARKUS_MANAGEMENT_PORT to another port"))
                    .noneMatch(line -> line.contains("BindException") || line.contains("stackTrace"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"QUARKUS_HTTP_HOST", "QUARKUS_MANAGEMENT_HOST"})
    void anUnknownHostNameIsReportedInOneMessage(String setting) throws Exception {
        try (var misconfigured = DeployedServer.servingThings(Map.of(setting, "unknown.invalid"))) {
            assertThat(misconfigured.awaitEnd()).isEqualTo(1);
            assertThat(misconfigured.log())
                    .anyMatch(line -> line.startsWith("Tidemark cannot listen at unknown.invalid"))
                    .noneMatch(line -> line.contains("stackTrace"));
        }
    }

    @Test
    void aFailedRequestWritesOneLineToTheAccessLog() throws Exception {
        var answer = server.get("/api/things?limit=0");
        String id = answer.headers().firstValue("X-Request-Id").orElseThrow();
        Await.until("the request is logged", () -> server.log().stream().anyMatch(line -> line.contains(id)));
        assertThat(server.log().stream().filter(line -> line.contains(id)))
                .singleElement()
                .asString()
                .contains("GET /api/things 400 problem=invalid_limit request_id=" + id);
    }
}
