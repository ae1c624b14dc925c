package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.http.fresh.EventStream;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server over a primary, a standby, and a standby that applies changes three seconds late. */
@Timeout(300)
class ReplicasIT {

    private static final int NEW_NOTES = 60;

    @TempDir
    static Path directory;

    private static NotesCluster cluster;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        cluster = new NotesCluster(directory);
        server = cluster.serve("1s").awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** The standby that is late serves nothing, and the primary only what the other standby has not applied yet. */
    @Test
    void pagesAreReadOnStandbysThatAreNotLate() throws Exception {
        NotesCluster.write(cluster.primary, 10, new HashSet<>());
        Await.until("the late standby is known", () -> NotesCluster.use(server, cluster.late)
                .startsWith("late"));
        long before = NotesCluster.reads(server, cluster.late);
        try (WatchingClients clients = new WatchingClients(server)) {
            clients.start();
            NotesCluster.write(cluster.primary, NEW_NOTES, new HashSet<>());
            clients.stop();
        }
        assertThat(NotesCluster.reads(server, cluster.late)).isEqualTo(before);
        assertThat(NotesCluster.reads(server, cluster.prompt))
                .isGreaterThan(NotesCluster.reads(server, cluster.primary));
    }

    @Test
    void aTagDoesNotChangeWithTheFloor() throws Exception {
        for (String target : List.of("/api/notes?limit=2", "/v3/notes?limit=2")) {
            HttpResponse<String> before = server.get(target);
            cluster.primary.run("create table if not exists elsewhere (id int); insert into elsewhere values (1)");
            cluster.awaitCaughtUp(cluster.prompt);
            Await.until(
                    "the floor is another one", () -> !server.get(target).body().equals(before.body()));
            assertThat(tag(server.get(target))).isEqualTo(tag(before));
            NotesCluster.write(cluster.primary, 1, new HashSet<>());
            Await.until(
                    "the page is another one", () -> !tag(server.get(target)).equals(tag(before)));
        }
    }

    @Test
    void anEventStreamCountsWhatTheStandbyHasNotApplied() throws Exception {
        String top = new JsonObject(server.get("/api/notes?limit=1").body())
                .getJsonObject("cursors")
                .getString("top");
        try (EventStream stream = EventStream.open(server.port(), "/api/notes/fresh?cursor=" + top, "")) {
            assertThat(stream.next()).contains("\"count\":0");
            cluster.prompt.run("select pg_wal_replay_pause()");
            NotesCluster.write(cluster.primary, 1, new HashSet<>());
            assertThat(stream.next()).contains("\"count\":1");
        } finally {
            cluster.prompt.run("select pg_wal_replay_resume()");
        }
    }

    private static String tag(HttpResponse<String> page) {
        return page.headers().firstValue("ETag").orElseThrow();
    }
}
