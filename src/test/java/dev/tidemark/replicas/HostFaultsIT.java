package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Soak;
import dev.tidemark.local.DedicatedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts hang, fail, are shut down and promoted, while clients read over all of them. None sees the list go back in time, and all
 * go on.
 */
@Timeout(900)
class HostFaultsIT {

    /** How many notes are written between two events. */
    private static final int WATCHED_NOTES = Soak.times(60);

    @TempDir
    Path directory;

    private NotesCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new NotesCluster(directory, "3s");
    }

    /** Even the late standby may serve: only floors keep lists from going back. */
    private DeployedServer serve() throws Exception {
        return cluster.serve("10s").awaitReady();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void nothingGoesBackInTimeWhateverHappensToTheHosts() throws Exception {
        DeployedServer server = serve();
        Set<Integer> written = ConcurrentHashMap.newKeySet();
        try (WatchingClients clients = new WatchingClients(server);
                LateCommits late = new LateCommits()) {
            clients.start();
            Await.until("the newest note is known", () -> !clients.followed.isEmpty());
            late.to(cluster.primary);
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            cluster.prompt.freeze();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);
            cluster.prompt.thaw();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            cluster.prompt.stop();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);
            cluster.prompt.start();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            late.stop();
            cluster.awaitCaughtUp(cluster.prompt);
            cluster.primary.kill();
            Await.until(
                    "pages are read without a primary",
                    () -> server.get("/api/notes").statusCode() == 200);
            cluster.prompt.run("select pg_promote()");
            late.to(cluster.prompt);
            NotesCluster.write(cluster.prompt, WATCHED_NOTES, written);
            cluster.late.run("alter system set primary_conninfo = 'host=localhost user=postgres port=%d'"
                    .formatted(cluster.prompt.port()));
            cluster.late.run("alter system set recovery_min_apply_delay = 0");
            cluster.late.run("select pg_reload_conf()");
            Await.until("the other standby follows", () -> NotesCluster.use(server, cluster.late)
                    .startsWith("standby"));
            NotesCluster.write(cluster.prompt, WATCHED_NOTES, written);

            late.stop();
            Await.until("all notes were received", () -> clients.followed.containsAll(written));
            clients.stop();
            assertThat(clients.faults).isEmpty();
            assertThat(clients.scrolls).hasPositiveValue();
        }
        assertThat(server.errors()).isEmpty();
    }

    @Test
    void oneHostThatAnswersIsEnoughToStart() throws Exception {
        cluster.primary.kill();
        cluster.late.kill();
        DeployedServer server = serve();
        assertThat(server.get("/api/notes").statusCode()).isEqualTo(200);
        assertThat(NotesCluster.use(server, cluster.primary)).startsWith("unavailable: ");
        assertThat(NotesCluster.use(server, cluster.prompt)).isEqualTo("standby");
    }

    /** Notes that are committed long after their time, behind the places of most clients. */
    private static final class LateCommits implements AutoCloseable {

        private Thread writer;

        void to(DedicatedPostgres host) {
            writer = new Thread(() -> {
                try (Connection connection = host.connect()) {
                    connection.setAutoCommit(false);
                    while (!Thread.currentThread().isInterrupted()) {
                        connection
                                .createStatement()
                                .execute(
                                        "insert into notes (written_at, body) values (now() - interval '2 days', 'late')");
                        connection.createStatement().execute("select pg_sleep(0.3)");
                        connection.commit();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
        }

        void stop() throws InterruptedException {
            if (writer != null) {
                writer.interrupt();
                writer.join();
            }
        }

        @Override
        public void close() throws InterruptedException {
            stop();
        }
    }
}
