package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final byte[] NO_ERROR = {0, 0, 0, 0};

    private final List<AutoCloseable> connections = new ArrayList<>();

    /** The bytes of connections that other tests left open. Of HTTP/2, all bytes of the last read may count. */
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
    void headsOfHttpTwoRequestsWithUnreadResponsesCount() throws Exception {
        HttpTwoConnection connection = connectOverHttpTwo();
        connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
        for (int i = 0; i < 50; i++) {
            connection.sendGet(1 + 2 * i, LONG_PATH);
        }
        Await.until("the heads count", () -> unreadBytes() > 50 * 60_000);
    }

    @Test
    void anUnfinishedHeadOverHttpTwoCounts() throws Exception {
        HttpTwoConnection connection = connectOverHttpTwo();
        connection.await(HttpTwoConnection.SETTINGS);
        connection.send(HttpTwoConnection.HEADERS, 0, 1, HttpTwoConnection.encodeHeaders("/" + "a".repeat(16_000)));
        Await.until("the head counts", () -> unreadBytes() > 16_000);
    }

    @Test
    void unfinishedHeadsOverHttpOneCount() throws Exception {
        for (int i = 0; i < 20; i++) {
            connectOverHttpOne().send("GET " + LONG_PATH);
        }
        Await.until("the heads count", () -> unreadBytes() > 20 * 60_000);
    }

    @Test
    void anUnfinishedHeadBehindAnotherRequestCounts() throws Exception {
        connectOverHttpOne().send("GET /api HTTP/1.1\r\nHost: localhost\r\n\r\nGET " + LONG_PATH);
        Await.until("the head counts", () -> unreadBytes() > 59_000);
    }

    @Test
    void aFinishedHeadDoesNotCount() throws Exception {
        RawConnection connection = connectOverHttpOne();
        connection.send("GET " + LONG_PATH);
        Await.until("the head counts", () -> unreadBytes() > 59_000);
        connection.send(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Await.until("the head does not count", () -> unreadBytes() == 0);
    }

    /** RFC 9113, section 8.1. Otherwise, the stream would stay open, and count to the limit of open streams. */
    @Test
    void anUnendedRequestOverHttpTwoIsResetAfterItsResponse() throws Exception {
        HttpTwoConnection connection = connectOverHttpTwo();
        connection.sendUnendedGet(1, "/api/letters?limit=1");
        HttpTwoConnection.Frame reset = connection.await(HttpTwoConnection.RST_STREAM);
        assertThat(reset.stream()).isEqualTo(1);
        assertThat(reset.payload()).isEqualTo(NO_ERROR);
    }

    /** Netty reads the request and the end of the connection at once if the request fills its buffer. */
    @Test
    void aConnectionThatEndsDuringItsUpgradeToHttpTwoDoesNotCount() throws Exception {
        String head = "GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nX-Filler: ";
        for (int i = 0; i < 20; i++) {
            RawConnection connection = connectOverHttpOne();
            connection.send(head + "a".repeat(2048 - head.length() - 4) + "\r\n\r\n");
            connection.sendEnd();
            connection.readAll();
        }
    }

    private HttpTwoConnection connectOverHttpTwo() throws IOException {
        HttpTwoConnection connection = new HttpTwoConnection();
        connections.add(connection);
        return connection;
    }

    private RawConnection connectOverHttpOne() throws IOException {
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
