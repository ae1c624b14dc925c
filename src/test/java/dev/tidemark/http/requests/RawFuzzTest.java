package dev.tidemark.http.requests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.http.ErrorLog;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Sends randomly damaged requests over hundreds of connections, and over thousands with a {@code soak.factor}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class RawFuzzTest {

    private static final int CONNECTIONS = Soak.times(400);

    /** The number of simultaneous connections, which spend most of the time waiting until the server is silent. */
    private static final int SIMULTANEOUS_CONNECTIONS = 10;

    /** If the server is silent for this long, it is assumed to wait for more bytes. */
    private static final int SILENCE_MILLIS = 30;

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Map<String, Integer> responsesByStatus = new TreeMap<>();

    @Test
    void anyBytesGetAValidResponseOrNoneAndTheConnectionEnds() throws Exception {
        long seed = Seed.next();
        MangledRequests mangled = new MangledRequests(new Random(seed));
        try (ErrorLog errors = new ErrorLog()) {
            ExecutorService clients = Executors.newFixedThreadPool(SIMULTANEOUS_CONNECTIONS);
            try {
                for (int first = 0; first < CONNECTIONS; first += SIMULTANEOUS_CONNECTIONS) {
                    exchangeSimultaneously("seed " + seed + ", connections from " + first, mangled, clients, errors);
                }
            } finally {
                clients.shutdownNow();
            }
        }
        System.out.println("Fuzzed: " + responsesByStatus);
        assertThat(responsesByStatus).containsKeys("200", "400", "none");
        assertThat(RawRequest.get("/api/letters?limit=1").status()).isEqualTo(200);
    }

    private void exchangeSimultaneously(String name, MangledRequests mangled, ExecutorService clients, ErrorLog errors)
            throws Exception {
        List<byte[]> requests = new ArrayList<>();
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < SIMULTANEOUS_CONNECTIONS; i++) {
            byte[] bytes = mangled.next();
            requests.add(bytes);
            answers.add(clients.submit(() -> exchange(bytes)));
        }
        StringBuilder text = new StringBuilder(name);
        try {
            for (int i = 0; i < requests.size(); i++) {
                text.append("\n\n").append(printable(requests.get(i)));
                String answered = answers.get(i).get();
                text.append("\nwas answered:\n").append(printable(answered.getBytes(ISO_8859_1)));
                RawResponse.statuses(answered).forEach(status -> responsesByStatus.merge(status, 1, Integer::sum));
            }
            assertThat(errors.lines()).isEmpty();
        } catch (ExecutionException | RuntimeException | AssertionError failure) {
            throw new AssertionError(text.toString(), failure);
        }
    }

    /**
     * Sends these bytes and returns everything that the server sends. The client closes its output when the server
     * waits for more.
     */
    private static String exchange(byte[] bytes) throws IOException {
        int port = TestServer.port();
        ByteArrayOutputStream answered = new ByteArrayOutputStream();
        try (Socket socket = new Socket("localhost", port)) {
            InputStream in = socket.getInputStream();
            socket.getOutputStream().write(bytes);
            try {
                socket.setSoTimeout(SILENCE_MILLIS);
                in.transferTo(answered);
            } catch (SocketTimeoutException waits) {
                socket.shutdownOutput();
                socket.setSoTimeout(TIMEOUT_MILLIS);
                in.transferTo(answered);
            }
        } catch (SocketException cut) {
            // The server may reset the connection. The bytes that were received before the reset are checked.
        }
        return answered.toString(ISO_8859_1);
    }

    private static String printable(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1).replaceAll("(.{6})\\1{50,}", "$1...");
        return text.replaceAll("[^\\n\\r\\x20-\\x7e]", "?").substring(0, Math.min(text.length(), 5_000));
    }
}
