package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.Await;
import dev.tidemark.Slow;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * An event stream of a phone that loses its reception. The phone is a process in a network namespace of its own, from
 * which no packet returns. Only root can create this namespace; otherwise, the test is skipped.
 */
@Tag("chaos")
@Timeout(300)
@Slow
@Isolated
class DeadPhoneIT {

    private static final String PHONE = "tidemark-phone";
    private static final String SERVER_ADDRESS = "10.213.47.1";

    @TempDir
    Path directory;

    private FaultSetup setup;

    @BeforeEach
    void createPhone() throws Exception {
        assumeTrue(
                run("ip", "netns", "add", PHONE)
                        && run("ip", "link", "add", "tm-server", "type", "veth", "peer", "tm-phone", "netns", PHONE),
                "ip cannot create a network namespace");
        for (String arguments : List.of(
                "address add " + SERVER_ADDRESS + "/24 dev tm-server",
                "link set tm-server up",
                "-netns " + PHONE + " address add 10.213.47.2/24 dev tm-phone",
                "-netns " + PHONE + " link set tm-phone up")) {
            assertThat(run(("ip " + arguments).split(" "))).as(arguments).isTrue();
        }
        setup = new FaultSetup(directory, Map.of());
    }

    @AfterEach
    void removePhone() throws Exception {
        if (setup != null) {
            setup.close();
        }
        run("ip", "netns", "delete", PHONE);
        run("ip", "link", "delete", "tm-server");
    }

    @Test
    void theEventStreamOfAPhoneThatLosesItsReceptionIsClosedWithinAMinute() throws Exception {
        String top = new JsonObject(setup.server.get("/api/things?limit=1").body())
                .getJsonObject("cursors")
                .getString("top");
        Process phone = new ProcessBuilder("ip", "netns", "exec", PHONE, "bash", "-c", """
                exec 3<>/dev/tcp/%s/%d
                printf 'GET /api/things/fresh?cursor=%s HTTP/1.1\\r\\nHost: x\\r\\nAccept: text/event-stream\\r\\n\\r\\n' >&3
                cat <&3
                """.formatted(
                                SERVER_ADDRESS, setup.server.port(), top))
                .start();
        try (BufferedReader received =
                new BufferedReader(new InputStreamReader(phone.getInputStream(), StandardCharsets.UTF_8))) {
            Await.until("the stream has begun", () -> received.readLine().startsWith("data:"));
            assertThat(openStreams()).isEqualTo(1);
            assertThat(run("ip", "-netns", PHONE, "route", "add", "blackhole", SERVER_ADDRESS))
                    .isTrue();
            long silentSince = System.nanoTime();
            Await.until("the stream is closed", () -> openStreams() == 0);
            Duration open = Duration.ofNanos(System.nanoTime() - silentSince);
            System.out.println("DEAD PHONE closed after " + open.toSeconds() + " s");
        } finally {
            phone.destroyForcibly();
        }
    }

    private int openStreams() throws Exception {
        return setup.server
                .getManagement("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("tidemark_fresh_streams "))
                .mapToInt(line -> (int) Double.parseDouble(line.split(" ")[1]))
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether the command succeeded. */
    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }
}
