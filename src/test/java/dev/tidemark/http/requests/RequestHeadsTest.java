package dev.tidemark.http.requests;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The heads of requests that stay in memory count like responses that a client has not read. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class RequestHeadsTest {

    private static final String LONG_PATH = "/api/letters?cursor=" + "a".repeat(60_000);

    private final List<AutoCloseable> connections = new ArrayList<>();

    /** The bytes of connections that other tests left open. */
    private double others;

    @BeforeEach
    void measureOthers() {
        others = Metrics.value("tidemark_unread_bytes");
    }

    @AfterEach
    void closeConnections() throws Exception {
        for (AutoCloseable connection : connections) {
            connection.close();
        }
        Await.until("no byte counts anymore", () -> unreadBytes() == 0);
    }

    @Test
    void unfinishedHeadsCount() throws Exception {
        for (int i = 0; i < 20; i++) {
            connect().send("GET " + LONG_PATH);
        }
        Await.until("the heads count", () -> unreadBytes() > 20 * 60_000);
    }

    @Test
    void anUnfinishedHeadBehindAnotherRequestCounts() throws Exception {
        connect().send("GET /api HTTP/1.1\r\nHost: localhost\r\n\r\nGET " + LONG_PATH);
        Await.until("the head counts", () -> unreadBytes() > 59_000);
    }

    @Test
    void aFinishedHeadDoesNotCount() throws Exception {
        RawConnection connection = connect();
        connection.send("GET " + LONG_PATH);
        Await.until("the head counts", () -> unreadBytes() > 59_000);
        connection.send(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Await.until("the head does not count", () -> unreadBytes() == 0);
    }

    private RawConnection connect() throws IOException {
        RawConnection connection = new RawConnection();
        connections.add(connection);
        return connection;
    }

    private double unreadBytes() {
        double all = Metrics.value("tidemark_unread_bytes");
        others = Math.min(others, all);
        return all - others;
    }
}
