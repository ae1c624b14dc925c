package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.http.events.EventClient;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server over a primary, a standby, and a standby that applies changes ten minutes late. */
@Timeout(300)
@Slow
class ReplicasIT {

    @TempDir
    static Path directory;

    private static NotesCluster cluster;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        cluster = new NotesCluster(directory, "10min");
        server = cluster.startServer("1s").awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** While nothing is written, no page needs the primary. */
    @Test
    void pagesAreReadOnTheStandbyThatIsNotLate() throws Exception {
        NotesCluster.write(cluster.primary, 10, new HashSet<>());
        Await.until("the late standby is known", () -> NotesCluster.useOf(server, cluster.lateStandby)
                .startsWith("late"));
        cluster.awaitCaughtUp(cluster.promptStandby);
        Await.until("the other one has caught up", () -> NotesCluster.useOf(server, cluster.promptStandby)
                .equals("standby"));
        long late = NotesCluster.readCount(server, cluster.lateStandby);
        // A single attempt might fail, because the standby lags if PostgreSQL itself writes something meanwhile.
        Await.until("no page is read on the primary", ReplicasIT::isOnlyThePromptStandbyRead);
        assertThat(NotesCluster.readCount(server, cluster.lateStandby)).isEqualTo(late);
    }

    private static boolean isOnlyThePromptStandbyRead() throws Exception {
        long prompt = NotesCluster.readCount(server, cluster.promptStandby);
        JsonObject page = page("/api/notes?limit=50");
        for (int pages = 1; pages < 20; pages++) {
            page = page("/api/notes?limit=50&cursor=" + page.getString("next_cursor"));
        }
        return NotesCluster.readCount(server, cluster.promptStandby) == prompt + 20;
    }

    @Test
    void anETagDoesNotChangeWithTheFloor() throws Exception {
        for (String target : List.of("/api/notes?limit=2", "/v3/notes?limit=2")) {
            HttpResponse<String> before = server.get(target);
            cluster.primary.run("create table if not exists elsewhere (id int); insert into elsewhere values (1)");
            cluster.awaitCaughtUp(cluster.promptStandby);
            Await.until(
                    "the floor has changed", () -> !server.get(target).body().equals(before.body()));
            assertThat(etag(server.get(target))).isEqualTo(etag(before));
            NotesCluster.write(cluster.primary, 1, new HashSet<>());
            Await.until("the page has changed", () -> !etag(server.get(target)).equals(etag(before)));
        }
    }

    @Test
    void anEventStreamCountsItemsThatTheStandbyHasNotApplied() throws Exception {
        String top = page("/api/notes?limit=1").getJsonObject("cursors").getString("top");
        try (EventClient stream = EventClient.open(server.port(), "/api/notes/fresh?cursor=" + top, "")) {
            assertThat(stream.next()).contains("\"count\":0");
            cluster.promptStandby.run("select pg_wal_replay_pause()");
            NotesCluster.write(cluster.primary, 1, new HashSet<>());
            assertThat(stream.next()).contains("\"count\":1");
        } finally {
            cluster.promptStandby.run("select pg_wal_replay_resume()");
        }
    }

    @Test
    void anItemThatNoStandbyHasAppliedIsFoundOnThePrimary() throws Exception {
        // This lag allows both standbys to serve pages.
        try (DeployedServer patient = cluster.startServer("1h").awaitReady()) {
            cluster.promptStandby.run("select pg_wal_replay_pause()");
            Set<Integer> written = new HashSet<>();
            NotesCluster.write(cluster.primary, 1, written);
            int note = written.iterator().next();
            HttpResponse<String> page = patient.get("/api/notes?limit=1&from_id=" + note);
            assertThat(page.body()).contains("\"id\":\"" + note + "\"");
            assertThat(patient.get("/api/notes?around_id=0").statusCode()).isEqualTo(404);
        } finally {
            cluster.promptStandby.run("select pg_wal_replay_resume()");
        }
    }

    @Test
    void aHostWhosePositionCannotBeQueriedServesNothingAndReadinessReportsTheCause() throws Exception {
        String granted = "execute on function pg_current_wal_insert_lsn()";
        NotesCluster.write(cluster.primary, 1, new HashSet<>());
        cluster.awaitCaughtUp(cluster.promptStandby);
        // If replay were not paused, the standby would lose the privilege too.
        cluster.promptStandby.run("select pg_wal_replay_pause()");
        cluster.primary.run("revoke " + granted + " from public");
        try {
            Await.until("the primary is no longer used", () -> NotesCluster.useOf(server, cluster.primary)
                    .startsWith("unavailable: "));
            assertThat(NotesCluster.useOf(server, cluster.primary))
                    .contains("permission denied for function pg_current_wal_insert_lsn");
            Await.until(
                    "pages are read on the standby",
                    () -> server.get("/api/notes").statusCode() == 200);
        } finally {
            cluster.primary.run("grant " + granted + " to public");
            cluster.promptStandby.run("select pg_wal_replay_resume()");
        }
        Await.until("the primary is used again", () -> NotesCluster.useOf(server, cluster.primary)
                .equals("primary"));
    }

    /**
     * All pages of a feed with delta are read on the same host, because with a moment of another host, all items would
     * be sent.
     */
    @Test
    void aRefreshSendsOnlyWhatWasWrittenSince() throws Exception {
        JsonObject before = page("/api/kept?limit=50");
        JsonObject second = page("/api/kept?limit=50&cursor=" + before.getString("next_cursor"));
        cluster.primary.run("update notes set body = 'edited' where id in (select id from notes"
                + " where body = 'standing' order by id limit 2)");
        cluster.awaitCaughtUp(cluster.promptStandby);
        String refresh = "/api/kept?limit=50&since=" + before.getString("moment");
        Await.until(
                "the edits are sent", () -> page(refresh).getJsonArray("items").size() == 2);
        JsonObject deeper = page(refresh + "&cursor=" + before.getString("next_cursor"));
        assertThat(deeper.getJsonArray("items")).isEmpty();
        assertThat(deeper.getJsonArray("keys")).hasSameSizeAs(second.getJsonArray("items"));
    }

    @Test
    void aServerThatStopsReportsNoHostAsUnavailable() throws Exception {
        try (DeployedServer stopping = cluster.startServer("1s").awaitReady()) {
            stopping.askToStop();
            stopping.awaitEnd();
            assertThat(stopping.log()).noneMatch(line -> line.contains("is unavailable"));
            assertThat(stopping.errors()).isEmpty();
        }
    }

    @Test
    void aFaultInADeclarationIsTheOnlyFailureThatIsReported() throws Exception {
        try (DeployedServer faulty = cluster.startServer("1s", Map.of("tidemark.feeds.notes.colour", "blue"))) {
            assertThat(faulty.awaitEnd()).isEqualTo(1);
            assertThat(faulty.log()).anyMatch(line -> line.endsWith("colour (TIDEMARK_FEEDS:1): unknown property"));
            assertThat(faulty.log()).noneMatch(line -> line.contains("is unavailable"));
            assertThat(faulty.errors()).isEmpty();
        }
    }

    private static JsonObject page(String target) throws Exception {
        return new JsonObject(server.get(target).body());
    }

    private static String etag(HttpResponse<String> page) {
        return page.headers().firstValue("ETag").orElseThrow();
    }
}
