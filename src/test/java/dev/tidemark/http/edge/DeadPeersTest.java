package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Slow;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which connections are closed, given the retransmissions that the kernel reports. The test writes the kernel's files
 * itself, because loopback loses no data; {@code DeadPhoneIT} uses those of the kernel.
 */
@Slow
class DeadPeersTest {

    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_SILENCE = Duration.ofMillis(200);

    /** Long enough for a client that counts as dead to be disconnected. */
    private static final Duration PATIENCE = LONGEST_SILENCE.multipliedBy(3);

    @TempDir
    Path files;

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;
    private Socket client;

    @BeforeEach
    void openStream() throws Exception {
        DeadPeers peers = new DeadPeers(vertx, files, INTERVAL, LONGEST_SILENCE);
        peers.start(null);
        Router router = Router.router(vertx);
        router.get().handler(request -> {
            peers.watch(request);
            request.response().setChunked(true).write("begun");
        });
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0)
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        client = new Socket("localhost", server.actualPort());
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.getInputStream().read()).isEqualTo('H');
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aClientThatAcknowledgesNothingForLongIsDisconnected() throws Exception {
        writeRetransmissions("tcp6", client, 3);
        assertThat(isDisconnectedWithin(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aClientWhoseDataHasBeenRetransmittedOnlyTwiceStaysConnected() throws Exception {
        writeRetransmissions("tcp", client, 2);
        assertStaysConnected();
    }

    @Test
    void aClientThatAcknowledgesNowAndThenStaysConnected() throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
            writeRetransmissions("tcp", client, 1000 - i);
            Thread.sleep(INTERVAL.toMillis());
        }
        assertThat(isDisconnectedWithin(INTERVAL)).isFalse();
    }

    @Test
    void retransmissionsToAnotherClientDisconnectNobody() throws Exception {
        try (Socket other = new Socket("localhost", server.actualPort())) {
            writeRetransmissions("tcp6", other, 9);
            assertStaysConnected();
        }
    }

    private void assertStaysConnected() throws Exception {
        assertThat(isDisconnectedWithin(PATIENCE)).isFalse();
    }

    private boolean isDisconnectedWithin(Duration timeout) throws IOException {
        client.setSoTimeout((int) timeout.toMillis());
        try {
            while (client.getInputStream().read() >= 0) {
                // Discards the response.
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    private void writeRetransmissions(String file, Socket of, int count) throws IOException {
        boolean asIpv6 = file.equals("tcp6");
        String line = "   1: %s %s 01 00000008:00000000 01:0000012C %08X     0        0 4711 2 0 20 4 0 10 -1%n"
                .formatted(
                        field((InetSocketAddress) of.getRemoteSocketAddress(), asIpv6),
                        field((InetSocketAddress) of.getLocalSocketAddress(), asIpv6),
                        count);
        Path next = files.resolve("next");
        Files.writeString(next, "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n" + line);
        Files.move(next, files.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes an address as Linux does. IPv4 addresses of IPv6 sockets are mapped to IPv6. */
    private static String field(InetSocketAddress end, boolean asIpv6) {
        InetAddress address = end.getAddress();
        StringBuilder words = new StringBuilder();
        if (asIpv6 && !(address instanceof Inet6Address)) {
            words.append("0000000000000000");
            words.append("%08X".formatted(Integer.reverseBytes(0xffff)));
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress()).order(ByteOrder.nativeOrder());
        while (bytes.hasRemaining()) {
            words.append("%08X".formatted(bytes.getInt()));
        }
        return words + ":%04X".formatted(end.getPort());
    }
}
