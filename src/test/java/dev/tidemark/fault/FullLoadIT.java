package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Full load for ten minutes, or as many as {@code -Dchaos.minutes} sets, with a restart of PostgreSQL in the middle.
 */
@Tag("chaos")
@Slow
@Isolated
class FullLoadIT {

    private static final Duration DURATION = Duration.ofMinutes(Integer.getInteger("chaos.minutes", 10));
    private static final int CLIENTS = 50;

    @TempDir
    Path directory;

    private FaultSetup setup;

    @Test
    void underFullLoadNothingLeaksAndEveryPageIsCorrect() throws Exception {
        setup = new FaultSetup(directory, Map.of("TIDEMARK_STATEMENT_TIMEOUT", "5s"), "-Xmx128m");
        try (ScrollingClients scrolls = setup.startClients("things", CLIENTS, Duration.ZERO)) {
            Thread.sleep(DURATION.toMillis() / 5);
            State early = measureState("early");
            Thread.sleep(DURATION.toMillis() * 3 / 10);
            assertThat(scrolls.failures())
                    .as("errors while nothing is wrong: " + scrolls.answers())
                    .isZero();
            setup.postgres.stop();
            scrolls.awaitFirstFailure();
            setup.postgres.start();
            long restartNanos = System.nanoTime();
            scrolls.awaitPages();
            Thread.sleep(DURATION.toMillis() / 4);
            long failures = scrolls.failures();
            Thread.sleep(DURATION.toMillis() / 4);
            assertThat(scrolls.failures())
                    .as("errors long after the database was back: " + scrolls.answers())
                    .isEqualTo(failures);
            Duration unhealthy = scrolls.timeToLastFailure(restartNanos);
            awaitAtMostSessions(early.sessions() + 5);
            State late = measureState("late");
            System.out.printf("FULL LOAD last failure %d ms after the database was back%n", unhealthy.toMillis());
            System.out.println("FULL LOAD " + scrolls.finish());
            assertThat(late.heapMegabytes()).isLessThan(early.heapMegabytes() + 10);
            assertThat(late.fileDescriptors()).isLessThan(early.fileDescriptors() + 20);
        } finally {
            setup.close();
        }
    }

    /**
     * Waits until the server has at most this many sessions. The connections that the pools opened to replace lost
     * ones are closed after a minute without use.
     */
    private void awaitAtMostSessions(int max) throws Exception {
        long start = System.nanoTime();
        while (setup.sessions() > max) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("time until idle connections are closed; still open: " + setup.sessions())
                    .isLessThan(Duration.ofMinutes(2));
            Thread.sleep(500);
        }
    }

    private record State(long heapMegabytes, long residentMegabytes, long fileDescriptors, int sessions) {}

    private State measureState(String when) throws Exception {
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(setup.server.pid()),
                        "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        State state = new State(heapMegabytes(), setup.residentMegabytes(), setup.fileDescriptors(), setup.sessions());
        System.out.println("FULL LOAD " + when + ": " + state);
        return state;
    }

    private long heapMegabytes() throws IOException, InterruptedException {
        return setup.server
                        .getManagement("/q/metrics")
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("jvm_gc_live_data_size_bytes")
                                || line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                        .filter(line -> line.contains("Old") || line.contains("Tenured"))
                        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum()
                >> 20;
    }
}
