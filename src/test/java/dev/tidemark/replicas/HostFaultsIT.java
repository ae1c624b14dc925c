package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.live.WindowCopy;
import dev.tidemark.local.DedicatedPostgres;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts are overloaded, freeze, fail, are shut down, promoted and replaced, while clients read from all of them. No
 * client sees the list go back in time, and all clients continue. Each test continues with the cluster as the previous
 * one left it, because the start of another cluster would take longer than any of the tests.
 */
@Order(4)
@Timeout(1800)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Slow
class HostFaultsIT {

    /**
     * The number of notes that are written between two faults or repairs. With a {@code soak.factor}, the tests write
     * for about ten minutes in total.
     */
    private static final int WATCHED_NOTES = Soak.isOn() ? 3_600 : 60;

    @TempDir
    static Path directory;

    private static NotesCluster cluster;

    /** The server, which runs from the first test to the last. */
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        cluster = new NotesCluster(directory, "3s");
        // This lag allows even the late standby to serve pages, so only floors keep lists from going back in time.
        server = cluster.startServer("1m").awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    @Order(1)
    void pagesAreSpreadEvenlyOverTheStandbys() throws Exception {
        String page = nextPageTarget(server, "notes", 3);
        // The check is repeated, because a busy machine can keep a standby from being used for a moment.
        Await.until("the standbys take turns", () -> isServedByTurns(page));
    }

    /**
     * Requests a page twice, twenty times. Returns whether each standby served one request of every pair, and the
     * primary none.
     */
    private static boolean isServedByTurns(String page) throws Exception {
        long prompt = NotesCluster.readCount(server, cluster.promptStandby);
        long late = NotesCluster.readCount(server, cluster.lateStandby);
        long primary = NotesCluster.readCount(server, cluster.primary);
        for (int turns = 1; turns <= 20; turns++) {
            json(server, page);
            json(server, page);
            if (NotesCluster.readCount(server, cluster.promptStandby) != prompt + turns
                    || NotesCluster.readCount(server, cluster.lateStandby) != late + turns) {
                return false;
            }
        }
        return NotesCluster.readCount(server, cluster.primary) == primary;
    }

    /**
     * The table is locked on the primary and on one standby, and then also on the other standby. Statements wait for
     * the lock.
     */
    @Test
    @Order(2)
    void readsOfAnOverloadedStandbyMoveToTheOtherStandbyNotToThePrimary() throws Exception {
        // Nothing that waits for the lock times out, so an overloaded host stays overloaded.
        try (DeployedServer patient = cluster.startServer(
                        "1h", Map.of("tidemark.statement-timeout", "10m", "tidemark.longest-wait", "1ms"))
                .awaitReady()) {
            List<String> pages = new ArrayList<>();
            for (int items = 1; items <= 10; items++) {
                pages.add(nextPageTarget(patient, "unindexed", items));
            }
            for (DedicatedPostgres standby : List.of(cluster.promptStandby, cluster.lateStandby)) {
                // A host rejects no statement before it has answered some.
                Await.until(
                        "it has served pages",
                        () -> patient.get(pages.get(0)).statusCode() == 200
                                && NotesCluster.readCount(patient, standby) > 10);
            }
            // A standby that has this note has reached the floors of the pages' cursors.
            NotesCluster.write(cluster.primary, 1, new HashSet<>());
            cluster.awaitCaughtUp(cluster.lateStandby);
            pauseReplay(cluster.lateStandby);
            Load load = new Load(patient, pages);
            int linesBefore = patient.log().size();
            try (Connection lock = cluster.primary.connect()) {
                lock.setAutoCommit(false);
                lock.createStatement().execute("lock table notes");
                // The standby takes the lock when it receives the lock's WAL record, which the switch flushes.
                cluster.primary.run("select pg_switch_wal()");
                Await.until("the standby has the lock", () -> isLocked(cluster.promptStandby));
                for (String page : pages) {
                    load.overload(cluster.promptStandby);
                    // The other standby can also reject some reads, while it answers those that have moved to it.
                    Await.until(
                            "the other standby serves the page",
                            () -> patient.get(page + "&limit=1").statusCode() == 200);
                }
                cluster.lateStandby.run("select pg_wal_replay_resume()");
                Await.until("the other standby has the lock", () -> isLocked(cluster.lateStandby));
                load.overload(cluster.promptStandby);
                load.overload(cluster.lateStandby);
                if (patient.log().stream().skip(linesBefore).noneMatch(line -> line.contains(" is unavailable: "))) {
                    assertThat(NotesCluster.inFlightCount(patient, cluster.primary))
                            .isZero();
                    assertThat(NotesCluster.rejectedCount(patient, cluster.primary))
                            .isZero();
                } else {
                    // A busy machine can keep a host from answering for so long that its reads move to the primary.
                    System.out.println("NOT TESTED: reads stay away from the primary; a standby was unavailable");
                }
            } finally {
                cluster.lateStandby.run("select pg_wal_replay_resume()");
            }
            load.await();
        }
    }

    /** Page requests that wait for a lock or are rejected. */
    private static final class Load {

        private final DeployedServer server;
        private final List<String> pages;
        private final List<CompletableFuture<?>> waiting = new ArrayList<>();
        private int sent;

        Load(DeployedServer server, List<String> pages) {
            this.server = server;
            this.pages = pages;
        }

        /** Sends requests until the standby rejects one. */
        void overload(DedicatedPostgres standby) throws Exception {
            long rejected = NotesCluster.rejectedCount(server, standby);
            while (NotesCluster.rejectedCount(server, standby) == rejected) {
                // Equal requests would share one statement.
                int limit = 2 + sent / pages.size();
                waiting.add(send(server, pages.get(sent % pages.size()) + "&limit=" + limit));
                sent++;
            }
        }

        void await() {
            waiting.forEach(CompletableFuture::join);
        }
    }

    /**
     * After a switch to a new WAL file, the primary's position is after the header of the new file, but no standby has
     * received this header yet.
     */
    @Test
    @Order(3)
    void noStandbyLagsAfterAWalSwitch() throws Exception {
        awaitNoLag(cluster.lateStandby);
        pauseReplay(cluster.lateStandby);
        try {
            cluster.primary.run("create table switched (id int); select pg_switch_wal()");
            Await.until("the switch is known", () -> NotesCluster.useOf(server, cluster.lateStandby)
                    .startsWith("standby, behind by"));
            awaitNoLag(cluster.promptStandby);
        } finally {
            cluster.lateStandby.run("select pg_wal_replay_resume()");
        }
    }

    /**
     * The page of the cursor was read on the primary while no standby responded. No standby has applied what this page
     * shows, and no other page of the list was read after it.
     */
    @Test
    @Order(4)
    void noRequestWithACursorShowsAnOlderStateThanTheCursorsPage() throws Exception {
        List<DedicatedPostgres> standbys = List.of(cluster.promptStandby, cluster.lateStandby);
        List<String> lists = List.of("id.gt=0", "id.gt=1", "id.gt=2", "id.gt=3", "id.gt=4");
        List<String> cursors = new ArrayList<>();
        for (String list : lists) {
            cursors.add(json("/api/counted?limit=3&" + list).getString("next_cursor"));
        }
        Set<Integer> written = new HashSet<>();
        try {
            for (DedicatedPostgres standby : standbys) {
                pauseReplay(standby);
            }
            NotesCluster.write(cluster.primary, 1, written);
            for (DedicatedPostgres standby : standbys) {
                standby.freeze();
                awaitUse(standby, "unavailable");
            }
            for (int i = 0; i < lists.size(); i++) {
                JsonObject page = json("/api/counted?limit=1&" + lists.get(i) + "&cursor=" + cursors.get(i));
                cursors.set(i, page.getJsonObject("cursors").getString("last"));
            }
            for (DedicatedPostgres standby : standbys) {
                standby.thaw();
                awaitUse(standby, "standby");
            }
            int note = written.iterator().next();
            String newest = "\"id\":\"" + note + "\"";
            String until = "&until=" + cursors.get(0);
            assertThat(page("/api/counted?limit=1&id.gt=0" + until)).contains(newest);
            until = "&until=" + cursors.get(1);
            assertThat(export("id.gt=1" + until)).contains(newest);
            until = "&until=" + cursors.get(2);
            assertThat(export("id.gt=2&from_id=" + note + until)).contains(newest);
            JsonObject counted = json("/api/counted?limit=1&count=exact&id.gt=3&cursor=" + cursors.get(3));
            long notes = NotesCluster.noteCount(cluster.primary);
            assertThat(counted.getJsonObject("count").getLong("value")).isEqualTo(notes - 3);
            JsonObject universal = json("/v3/counted?limit=1&id.gt=4&after=" + cursors.get(4));
            assertThat(universal.getJsonObject("result").getJsonObject("paging").getLong("count"))
                    .isEqualTo(notes - 4);
        } finally {
            for (DedicatedPostgres standby : standbys) {
                standby.thaw();
                standby.run("select pg_wal_replay_resume()");
            }
        }
    }

    @Test
    @Order(5)
    void noClientGoesBackInTimeWhateverHappensToTheHosts() throws Exception {
        Set<Integer> written = ConcurrentHashMap.newKeySet();
        try (WatchingClients clients = new WatchingClients(server);
                LateCommitWriter late = new LateCommitWriter()) {
            clients.start();
            Await.until("the newest note is known", () -> !clients.followedIds.isEmpty());
            late.startWritingTo(cluster.primary);
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            cluster.promptStandby.freeze();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);
            cluster.promptStandby.thaw();
            awaitUse(cluster.promptStandby, "standby");
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            cluster.promptStandby.stop();
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);
            cluster.promptStandby.start();
            awaitUse(cluster.promptStandby, "standby");
            NotesCluster.write(cluster.primary, WATCHED_NOTES, written);

            late.stop();
            cluster.awaitCaughtUp(cluster.promptStandby);
            cluster.awaitCaughtUp(cluster.lateStandby);
            try (EventClient stream = EventClient.open(server.port(), freshNotesTarget(), "");
                    NewestNotes live = new NewestNotes(Collections.max(written))) {
                assertThat(stream.next()).contains("\"count\":0");
                live.awaitNotesOf(cluster.primary);
                cluster.primary.kill();
                Await.until(
                        "pages are read without a primary",
                        () -> server.get("/api/notes").statusCode() == 200);
                cluster.promptStandby.run("select pg_promote()");
                late.startWritingTo(cluster.promptStandby);
                awaitUse(cluster.promptStandby, "primary");
                // The stream listens to the new primary, so each of two later notes is counted.
                NotesCluster.write(cluster.promptStandby, 1, written);
                Await.until("a note is counted", () -> stream.next().contains("\"count\":1"));
                NotesCluster.write(cluster.promptStandby, 1, written);
                Await.until("both are counted", () -> stream.next().contains("\"count\":2"));
                NotesCluster.write(cluster.promptStandby, WATCHED_NOTES, written);
                live.awaitNotesOf(cluster.promptStandby);
            }
            cluster.lateStandby.run("alter system set primary_conninfo = 'host=localhost user=postgres port=%d'"
                    .formatted(cluster.promptStandby.port()));
            cluster.lateStandby.run("alter system set recovery_min_apply_delay = 0");
            cluster.lateStandby.run("select pg_reload_conf()");
            awaitUse(cluster.lateStandby, "standby");
            NotesCluster.write(cluster.promptStandby, WATCHED_NOTES, written);

            late.stop();
            int newest = Collections.max(written);
            Await.until("the newest note was received", () -> {
                clients.check();
                return clients.followedIds.contains(newest);
            });
            clients.stop();
            assertThat(clients.followedIds).containsAll(written);
            assertThat(clients.scrolls).hasPositiveValue();
        }
    }

    @Test
    @Order(6)
    void aFormerPrimaryServesNothing() throws Exception {
        cluster.primary.start();
        awaitUse(cluster.primary, "diverged: it is the primary of an older timeline");
        long reads = NotesCluster.readCount(server, cluster.primary);
        for (int i = 0; i < 6; i++) {
            json("/api/notes?limit=" + (i + 1));
        }
        assertThat(NotesCluster.readCount(server, cluster.primary)).isEqualTo(reads);
        cluster.primary.kill();
    }

    /** The primary and the other standby do not respond. */
    @Test
    @Order(7)
    void oneStandbyIsEnoughToStart() throws Exception {
        cluster.promptStandby.kill();
        try (DeployedServer second = cluster.startServer("1m").awaitReady()) {
            json(second, "/api/notes");
            awaitUse(second, cluster.primary, "unavailable: ");
            awaitUse(second, cluster.promptStandby, "unavailable: ");
            awaitUse(second, cluster.lateStandby, "standby");
            assertThat(second.log())
                    .anyMatch(line -> line.contains("localhost:" + cluster.primary.port() + " is unavailable: "));
        }
    }

    /** The primary might have it. */
    @Test
    @Order(8)
    void anItemThatTheOnlyStandbyLacksIsNotDeniedWithoutAPrimary() throws Exception {
        json("/api/notes?from_id=1");
        assertThat(server.get("/api/notes?from_id=0").statusCode()).isEqualTo(503);
    }

    /** Old cursors have a later timeline than the new cluster, and later positions. */
    @Test
    @Order(9)
    void aRebuiltClusterIsServedWithOldCursors() throws Exception {
        String old = nextPageTarget(server, "notes", 3);
        cluster.lateStandby.kill();
        Await.until("no host answers", () -> server.get(old).statusCode() == 503);
        try (DedicatedPostgres rebuilt = new DedicatedPostgres(directory.resolve("rebuilt"), cluster.primary.port())) {
            NotesCluster.createNotes(rebuilt);
            rebuilt.run("insert into notes (body) values ('rebuilt')");
            Await.until(
                    "its notes are served",
                    () -> server.get("/api/notes?limit=1").body().contains("rebuilt"));
            awaitUse(rebuilt, "primary");
            json(old);
        }
        assertThat(server.errors()).isEmpty();
    }

    /** A live window of the notes from one note on, at most {@link #LIMIT}. */
    private static final class NewestNotes implements AutoCloseable {

        private static final int LIMIT = 50;

        private final int firstId;
        private final WindowCopy copy = new WindowCopy("id");
        private final EventClient stream;

        NewestNotes(int firstId) throws Exception {
            this.firstId = firstId;
            String start = json("/api/kept?limit=1&from_id=" + firstId)
                    .getJsonObject("cursors")
                    .getString("top");
            stream =
                    EventClient.open(server.port(), "/api/kept/live?fields=id&limit=" + LIMIT + "&cursor=" + start, "");
        }

        /** Reads events until the window has the notes of this host. */
        void awaitNotesOf(DedicatedPostgres host) throws SQLException {
            while (!copy.keys().equals(notesOf(host))) {
                EventClient.Event event = stream.nextEvent();
                // A window that is read from another host is sent as a page.
                copy.apply(event, event.name().equals("page"));
            }
        }

        private List<String> notesOf(DedicatedPostgres host) throws SQLException {
            try (Connection connection = host.connect();
                    var rows = connection
                            .createStatement()
                            .executeQuery(
                                    "select id from notes where id >= " + firstId + " order by id limit " + LIMIT)) {
                List<String> ids = new ArrayList<>();
                while (rows.next()) {
                    ids.add('"' + rows.getString(1) + '"');
                }
                return ids;
            }
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** The path and query string of the page after the first items of a feed. */
    private static String nextPageTarget(DeployedServer server, String feed, int items) throws Exception {
        JsonObject first = json(server, "/api/" + feed + "?limit=" + items);
        return "/api/" + feed + "?cursor=" + first.getString("next_cursor");
    }

    private static JsonObject json(String target) {
        return json(server, target);
    }

    private static JsonObject json(DeployedServer server, String target) {
        return new JsonObject(page(server, target));
    }

    private static String page(String target, String... headers) {
        return page(server, target, headers);
    }

    /**
     * Requests a page until it is served: a busy machine can keep a host from answering, so that it is not used for a
     * moment.
     */
    private static String page(DeployedServer server, String target, String... headers) {
        AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
        Await.until("a page is served: " + target, () -> {
            answer.set(server.get(target, headers));
            return answer.get().statusCode() == 200;
        });
        return answer.get().body();
    }

    private static String export(String parameters) {
        return page("/api/counted?" + parameters, "Accept", "application/x-ndjson");
    }

    private static String freshNotesTarget() {
        JsonObject first = json("/api/notes?limit=1");
        return "/api/notes/fresh?cursor=" + first.getJsonObject("cursors").getString("top");
    }

    private static CompletableFuture<?> send(DeployedServer server, String target) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + target))
                .build();
        return DeployedServer.HTTP.sendAsync(request, BodyHandlers.discarding());
    }

    private static void awaitUse(DedicatedPostgres host, String use) {
        awaitUse(server, host, use);
    }

    private static void awaitUse(DeployedServer server, DedicatedPostgres host, String use) {
        Await.until(use, () -> NotesCluster.useOf(server, host).startsWith(use));
    }

    /** For a standby that does not lag, readiness reports just {@code standby}, without a lag. */
    private static void awaitNoLag(DedicatedPostgres standby) {
        Await.until("the standby does not lag", () -> NotesCluster.useOf(server, standby)
                .equals("standby"));
    }

    private static void pauseReplay(DedicatedPostgres standby) throws SQLException {
        standby.run("select pg_wal_replay_pause()");
        Await.until("replay is paused", () -> isTrueOn(standby, "pg_get_wal_replay_pause_state() = 'paused'"));
    }

    private static boolean isLocked(DedicatedPostgres standby) throws SQLException {
        return isTrueOn(standby, "exists (select from pg_locks where mode = 'AccessExclusiveLock' and granted)");
    }

    private static boolean isTrueOn(DedicatedPostgres host, String condition) throws SQLException {
        try (Connection connection = host.connect();
                var rows = connection.createStatement().executeQuery("select " + condition)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    /** Writes notes that are committed long after their time, so they appear after the positions of most clients. */
    private static final class LateCommitWriter implements AutoCloseable {

        private volatile boolean stopped;
        private CompletableFuture<Void> writer = CompletableFuture.completedFuture(null);

        void startWritingTo(DedicatedPostgres host) {
            stopped = false;
            writer = CompletableFuture.runAsync(() -> writeTo(host));
        }

        private void writeTo(DedicatedPostgres host) {
            try (Connection connection = host.connect()) {
                connection.setAutoCommit(false);
                while (!stopped) {
                    connection
                            .createStatement()
                            .execute("insert into notes (written_at, body) values (now() - interval '2 days', 'late')");
                    connection.createStatement().execute("select pg_sleep(0.3)");
                    connection.commit();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Stops writing. Fails if a note could not be written. */
        void stop() {
            stopped = true;
            writer.join();
        }

        @Override
        public void close() {
            stop();
        }
    }
}
