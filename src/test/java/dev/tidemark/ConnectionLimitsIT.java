package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits for connections: how long they may be idle, even in the middle of a request, and how many may be open. */
@Timeout(120)
@Slow
class ConnectionLimitsIT {

    private static final String PAGE_REQUEST = "GET /api/things?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static DeployedServer server;

    private final List<RawConnection> connections = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = DeployedServer.servingThings(
                        Map.of("QUARKUS_HTTP_IDLE_TIMEOUT", "2S", "QUARKUS_HTTP_LIMITS_MAX_CONNECTIONS", "20"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void closeConnections() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    @Test
    void anIdleConnectionIsClosedEvenInTheMiddleOfARequest() throws IOException {
        List<String> requests = List.of(
                "",
                "GET /api/things",
                "GET /api/things HTTP/1.1\r\nHost: localhost\r\nX-A: ",
                "POST /api/things HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "PRI * HTTP/2.0\r\n\r\nSM",
                PAGE_REQUEST);
        for (String request : requests) {
            connect().send(request);
        }
        for (int i = 0; i < requests.size(); i++) {
            // The end of the stream shows that the server closed the connection; a timeout would throw an exception.
            assertThat(connections.get(i).readAll()).as(requests.get(i)).doesNotContain(" 500 ");
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosedAndTheOthersAreServed() throws IOException {
        for (int i = 0; i < 20; i++) {
            assertThat(isServed(connect())).isTrue();
        }
        assertThat(isServed(connect())).isFalse();
        for (RawConnection connection : connections.subList(0, 20)) {
            assertThat(isServed(connection)).isTrue();
        }
    }

    private static boolean isServed(RawConnection connection) {
        try {
            connection.send(PAGE_REQUEST);
            return connection.readResponse(false).status() == 200;
        } catch (IOException closed) {
            return false;
        }
    }

    private RawConnection connect() throws IOException {
        RawConnection connection = new RawConnection(server.port());
        connections.add(connection);
        return connection;
    }
}
