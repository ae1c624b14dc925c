package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.http.Metrics;
import dev.tidemark.local.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The deployed server with a self-signed certificate, configured only by settings. */
@Timeout(120)
class TlsIT {

    private static final String PASSWORD = "changeit";

    @TempDir
    static Path directory;

    private static DeployedServer server;
    private static int tlsPort;
    private static SSLContext trustingContext;

    @BeforeAll
    static void start() throws Exception {
        Path keys = directory.resolve("server.p12");
        Keytool.run(
                directory,
                "server.p12",
                PASSWORD,
                "server",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost");
        trustingContext = Keytool.contextThatTrusts(keys, PASSWORD, "server");
        do {
            tlsPort = FreePort.choose();
            server = startServer(keys);
        } while (server.findsItsPortTaken());
        server.awaitReady();
    }

    /** Starts the server on {@link #tlsPort}. If that were 0, it would redirect requests to a port below 0. */
    private static DeployedServer startServer(Path keys) throws Exception {
        return DeployedServer.servingThings(Map.of(
                "QUARKUS_HTTP_TLS_CONFIGURATION_NAME",
                "clients",
                "QUARKUS_TLS_CLIENTS_KEY_STORE_P12_PATH",
                keys.toString(),
                "QUARKUS_TLS_CLIENTS_KEY_STORE_P12_PASSWORD",
                PASSWORD,
                "QUARKUS_HTTP_SSL_PORT",
                Integer.toString(tlsPort),
                "QUARKUS_HTTP_INSECURE_REQUESTS",
                "redirect"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void pagesAreServedOverTls() throws Exception {
        HttpResponse<String> answer = get(HttpClient.newBuilder().sslContext(trustingContext));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(answer.body()).startsWith("{\"items\":[{\"id\":\"1\"}]");
    }

    /** Encryption adds bytes to each request, which belong to no head. */
    @Test
    void theRequestsOfAnOpenConnectionDoNotCountAsUnread() throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(trustingContext).build();
        for (int i = 0; i < 60; i++) {
            assertThat(client.send(request().header("X-Long", "x".repeat(2_000)).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(Metrics.value(server.getManagement("/q/metrics").body(), "tidemark_unread_bytes"))
                .isZero();
    }

    @Test
    void aClientThatDoesNotTrustTheCertificateCannotConnect() {
        assertThatThrownBy(() -> get(HttpClient.newBuilder())).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void obsoleteTlsVersionsAreRejected() {
        SSLParameters old = new SSLParameters(null, new String[] {"TLSv1.1"});
        assertThatThrownBy(() ->
                        get(HttpClient.newBuilder().sslContext(trustingContext).sslParameters(old)))
                .hasMessageContaining("protocol");
    }

    @Test
    void aRequestWithoutTlsIsRedirected() throws Exception {
        HttpResponse<String> answer = server.get("/api/things?limit=1");
        assertThat(answer.statusCode()).isBetween(301, 308);
        assertThat(answer.headers().firstValue("Location"))
                .contains("https://localhost:" + tlsPort + "/api/things?limit=1");
    }

    @Test
    void theManagementPortIsServedWithoutTls() throws Exception {
        assertThat(server.getManagement("/q/health/live").statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> get(HttpClient.Builder client) throws Exception {
        return client.build().send(request().build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + tlsPort + "/api/things?limit=1"));
    }
}
