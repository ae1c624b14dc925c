package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database whose host has frozen, or that is behind a network that drops packets: connected, and silent. */
@QuarkusTest
@QuarkusTestResource(value = FrozenDatabaseTest.Wire.class, restrictToAnnotatedClass = true)
class FrozenDatabaseTest {

    private static final String FROZEN = "frozen-database-test.frozen";

    @AfterEach
    void thaw() {
        System.clearProperty(FROZEN);
    }

    /** The statement timeout is the database's own; nobody ends a statement for a database that does not live. */
    @Test
    void aPageIsUnavailableIfTheDatabaseStopsAnswering() {
        assertThat(RawRequest.get("/api/letters?limit=1").status()).isEqualTo(200);
        System.setProperty(FROZEN, "true");
        assertThat(RawRequest.get("/api/letters?limit=1").body()).containsAnyOf("unavailable", "timeout");
    }

    @Test
    void readinessIsDownIfTheDatabaseStopsAnswering() {
        assertThat(RawRequest.get("/q/health/ready").status()).isEqualTo(200);
        System.setProperty(FROZEN, "true");
        assertThat(RawRequest.get("/q/health/ready").status()).isEqualTo(503);
    }

    /** Passes bytes between Tidemark and its database, until it is told not to. */
    public static class Wire extends TestFeedsResource {

        private ServerSocket door;

        @Override
        public int order() {
            return super.order() + 1;
        }

        @Override
        public Map<String, String> start() {
            Map<String, String> config = super.start();
            try {
                door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            start(this::accept);
            config.computeIfPresent(
                    "quarkus.datasource.reactive.url",
                    (name, url) -> url.replace(":" + TestPostgres.port(), ":" + door.getLocalPort()));
            return config;
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = door.accept();
                    Socket server = new Socket("localhost", TestPostgres.port());
                    start(() -> pass(client, server));
                    start(() -> pass(server, client));
                }
            } catch (IOException e) {
                // The test is over.
            }
        }

        private static void pass(Socket from, Socket to) {
            byte[] bytes = new byte[8192];
            try (from;
                    to) {
                int read = from.getInputStream().read(bytes);
                while (read > 0) {
                    while (System.getProperty(FROZEN) != null) {
                        Thread.sleep(50);
                    }
                    to.getOutputStream().write(bytes, 0, read);
                    read = from.getInputStream().read(bytes);
                }
            } catch (IOException | InterruptedException e) {
                // One side has gone; the other goes with it.
            }
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work, "wire");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void stop() {
            try {
                door.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
