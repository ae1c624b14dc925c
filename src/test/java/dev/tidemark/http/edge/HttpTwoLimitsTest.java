package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits and the flow control of an HTTP/2 connection. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class HttpTwoLimitsTest {

    private static final byte[] CANCEL = {0, 0, 0, 8};

    private static final byte[] REFUSED_STREAM = {0, 0, 0, 7};

    @Test
    void aConnectionHasAtMost100OpenStreams() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            HttpTwoConnection.Frame settings = connection.await(HttpTwoConnection.SETTINGS);
            assertThat(settings.settings()).containsEntry(HttpTwoConnection.SETTINGS_MAX_CONCURRENT_STREAMS, 100);
        }
    }

    /** Rapid reset, CVE-2023-44487. */
    @Test
    void aConnectionThatResetsTooManyStreamsIsClosed() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            for (int i = 0; i < 400; i++) {
                connection.sendGet(1 + 2 * i, "/api/letters?limit=1");
                connection.send(HttpTwoConnection.RST_STREAM, 0, 1 + 2 * i, CANCEL);
            }
            assertThat(connection.await(HttpTwoConnection.GO_AWAY).text()).contains("RST");
        }
    }

    /** CVE-2026-50560: otherwise, each response would be reset after it has been read from the database. */
    @ParameterizedTest
    @ValueSource(bytes = {0, 1, 64})
    void aLimitOfHeadersThatAClientAnnouncesResetsNoResponse(byte limit) throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.SETTINGS, 0, 0, new byte[] {0, 6, 0, 0, 0, limit});
            for (int i = 0; i < 50; i++) {
                connection.sendGet(1 + 2 * i, "/api/letters?limit=1");
                HttpTwoConnection.Frame response = connection.awaitFrameOf(1 + 2 * i);
                assertThat(response.type()).isEqualTo(HttpTwoConnection.HEADERS);
            }
        }
    }

    @Test
    void endlessHeadersCloseTheConnection() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.HEADERS, 0, 1, HttpTwoConnection.encodeHeaders("/api/letters"));
            byte[] more = "\0\1a\1b".repeat(3_000).getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < 10; i++) {
                connection.send(HttpTwoConnection.CONTINUATION, 0, 1, more);
            }
            assertThat(connection.await(HttpTwoConnection.GO_AWAY).text()).contains("Header size exceeded");
        }
    }

    /**
     * RFC 9113, section 5.2: only content is subject to flow control, so a client that accepts no content still gets
     * the headers.
     */
    @Test
    void headersAreSentBeforeWaitingForFlowControl() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
            connection.sendGet(1, "/api/letters?limit=1");
            assertThat(connection.await(HttpTwoConnection.HEADERS).stream()).isEqualTo(1);
        }
    }

    /** Such a client sends no acknowledgment of the server's SETTINGS, so the limit never takes effect for it. */
    @Test
    void theLimitOfOpenStreamsAppliesFromTheFirstRequestOn() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
            for (int i = 0; i < 120; i++) {
                connection.sendGet(1 + 2 * i, "/api/letters?limit=1");
            }
            HttpTwoConnection.Frame reset = connection.await(HttpTwoConnection.RST_STREAM);
            assertThat(reset.stream()).isEqualTo(201);
            assertThat(reset.payload()).isEqualTo(REFUSED_STREAM);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SETTINGS, " + HttpTwoConnection.SETTINGS + ", 0, 0",
        "PING, " + HttpTwoConnection.PING + ", 0, 8",
        "PRIORITY, " + HttpTwoConnection.PRIORITY + ", 1, 5",
        "an unknown type, 77, 0, 0"
    })
    void aConnectionThatSendsManyControlFramesIsClosed(String name, int type, int stream, int length) throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            for (int i = 0; i < 5_000; i++) {
                connection.send(type, 0, stream, new byte[length]);
            }
            assertThatThrownBy(() -> connection.await(HttpTwoConnection.HEADERS))
                    .isInstanceOfAny(EOFException.class, SocketException.class);
        }
    }

    /** CVE-2026-33871. */
    @Test
    void emptyContinuationFramesCloseTheConnection() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.HEADERS, 0, 1, HttpTwoConnection.encodeHeaders("/api/letters"));
            for (int i = 0; i < 1_000; i++) {
                connection.send(HttpTwoConnection.CONTINUATION, 0, 1, new byte[0]);
            }
            assertThat(connection.await(HttpTwoConnection.GO_AWAY).text()).contains("continuation");
        }
    }

    @Test
    void aClientThatAcceptsFewBytesAtATimeGetsTheWholePage() throws Exception {
        try (HttpTwoConnection connection = new HttpTwoConnection()) {
            connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
            connection.sendGet(1, "/api/letters?limit=20");
            StringBuilder page = new StringBuilder();
            while (!page.toString().endsWith("}")) {
                connection.send(HttpTwoConnection.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 0, 100});
                page.append(connection.await(HttpTwoConnection.DATA).text());
            }
            assertThat(new JsonObject(page.toString()).getJsonArray("items")).hasSize(20);
        }
    }
}
