package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that hold connections and send nothing, or half of something. */
@Timeout(60)
class ConnectionLimitsIT {

    private static final String PAGE = "GET /api/things?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static DeployedServer server;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = DeployedServer.ofThings(
                        Map.of("QUARKUS_HTTP_IDLE_TIMEOUT", "2S", "QUARKUS_HTTP_LIMITS_MAX_CONNECTIONS", "20"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void aConnectionWithoutACompleteRequestIsClosed() throws IOException {
        for (String half : List.of(
                "",
                "GET /api/things",
                "GET /api/things HTTP/1.1\r\nHost: localhost\r\nX-A: ",
                "POST /api/things HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "PRI * HTTP/2.0\r\n\r\nSM",
                PAGE)) {
            Socket socket = connect();
            socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
            // An end, not a time-out: the server has hung up.
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .as(half)
                    .doesNotContain(" 500 ");
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosedAndTheOthersAreServed() throws IOException {
        for (int i = 0; i < 20; i++) {
            assertThat(isServed(connect())).isTrue();
        }
        assertThat(isServed(connect())).isFalse();
        for (Socket socket : sockets.subList(0, 20)) {
            assertThat(isServed(socket)).isTrue();
        }
    }

    private static boolean isServed(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(PAGE.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[4_096];
            int length = socket.getInputStream().read(answer);
            return length > 0 && new String(answer, 0, length, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200");
        } catch (IOException closed) {
            return false;
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("localhost", server.port());
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }
}
