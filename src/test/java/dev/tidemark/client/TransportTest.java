package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Java client does when the server, or a proxy in front of it, sends a malformed problem. */
@Timeout(60)
class TransportTest {

    @ParameterizedTest
    @ValueSource(strings = {"{\"detail\":\"\\u12\"}", "{\"detail\":\"\\uZZZZ\"}", "{\"\\u1\":1}"})
    void aMalformedProblemFailsThePage(String body) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/problem+json");
            exchange.sendResponseHeaders(400, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            URI uri = URI.create("http://localhost:" + server.getAddress().getPort());
            assertThat(TidemarkClient.of(uri).feed("letters", item -> item).pageAsync(PageStart.first()))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(FeedException.class)
                    .withMessageContaining("the response cannot be read: ");
        } finally {
            server.stop(0);
        }
    }
}
