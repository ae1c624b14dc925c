package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.FaultyProxy.Mode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The deployed jar over a PostgreSQL that fails in various ways while clients scroll. All responses are pages, or
 * problems after which a client can retry. Every scroll reaches the end of the list, with each item shown once and in
 * the list's order. The time to recover is printed. Each test but the last undoes its fault even if it fails, so that
 * the next one starts with a database that works.
 */
@Order(4)
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {

    private static final int CLIENTS = Soak.isOn() ? 20 : 10;
    private static final Duration MIN_FAULT_DURATION = Duration.ofMillis(1_500);

    @TempDir
    static Path directory;

    private static FaultSetup setup;
    private static DedicatedPostgres postgres;
    private static FaultyProxy proxy;
    private static DeployedServer server;

    private ScrollingClients scrolls;

    @BeforeAll
    static void start() throws Exception {
        setup = new FaultSetup(directory, "-Xmx128m");
        postgres = setup.postgres;
        proxy = setup.proxy;
        server = setup.server;
    }

    @AfterEach
    void endScrolls() {
        if (scrolls != null) {
            scrolls.close();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        setup.close();
    }

    @Test
    void scrollsSurviveAKilledPostgres(TestInfo test) throws Exception {
        startScrolls("things");
        postgres.kill();
        try {
            scrolls.awaitFirstFailure();
            assertThat(server.isReady()).isFalse();
            Thread.sleep(MIN_FAULT_DURATION.toMillis());
        } finally {
            postgres.start();
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveARestartOfPostgres(TestInfo test) throws Exception {
        startScrolls("things");
        postgres.stop();
        try {
            scrolls.awaitFirstFailure();
        } finally {
            postgres.start();
        }
        assertRecovery(test);
    }

    /** After a restart, all rows count as written, but only what changed is sent. */
    @Test
    @Slow
    void aLiveWindowGoesOnAfterARestartOfPostgres() throws Exception {
        try (EventClient stream = EventClient.open(server.port(), "/api/things/live?limit=5", "")) {
            assertThat(stream.nextEvent().json().getList("keys")).hasSize(5);
            postgres.stop();
            try {
                Await.until("a new stream is rejected", () -> {
                    try (EventClient rejected = EventClient.open(server.port(), "/api/things/live?limit=5", "")) {
                        return rejected.status() == 503;
                    }
                });
            } finally {
                postgres.start();
            }
            postgres.run("update things set note = 'edited' where id = 1000");
            JsonDocument change = stream.nextEvent().json();
            assertThat(change.getList("items.id")).isEqualTo(List.of(1000));
            assertThat(change.getList("removed")).isEmpty();
        } finally {
            postgres.run("update things set note = repeat('x', 50) where id = 1000");
        }
        server.awaitReady();
        assertThat(server.errors()).isEmpty();
    }

    /** PostgreSQL is frozen for longer than the statement timeout. */
    @Test
    @Slow
    void scrollsSurviveAFrozenPostgres(TestInfo test) throws Exception {
        startScrolls("things");
        postgres.freeze();
        try {
            scrolls.awaitFirstFailure();
            assertThat(server.getManagement("/q/health/ready").statusCode()).isEqualTo(503);
        } finally {
            postgres.thaw();
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveExhaustedConnections(TestInfo test) throws Exception {
        startScrolls("things");
        List<Connection> others = new ArrayList<>();
        postgres.run("alter role reader connection limit 0");
        postgres.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'");
        try {
            assertThatThrownBy(() -> {
                        while (true) {
                            others.add(postgres.connect());
                        }
                    })
                    .isInstanceOfSatisfying(SQLException.class, full -> assertThat(full.getSQLState())
                            .isEqualTo("53300"));
            scrolls.awaitFirstFailure();
            Thread.sleep(MIN_FAULT_DURATION.toMillis());
        } finally {
            try (var statement = others.get(0).createStatement()) {
                statement.execute("alter role reader connection limit -1");
            }
            for (Connection other : others) {
                other.close();
            }
        }
        assertRecovery(test);
    }

    @Test
    void scrollsSurviveALockedTable(TestInfo test) throws Exception {
        startScrolls("things");
        try (Connection other = postgres.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table things in access exclusive mode");
            scrolls.awaitFirstFailure();
            Thread.sleep(MIN_FAULT_DURATION.toMillis());
        }
        assertRecovery(test);
        assertThat(scrolls.count("503 overloaded")).isPositive();
    }

    /**
     * The requests for the locked table all ask for different pages, because requests for the same page share a read.
     */
    @Test
    @Slow
    void aLockedTableDoesNotHoldUpOtherTables() throws Exception {
        ScrollingClients others = setup.startClients("others", CLIENTS);
        try (others;
                Connection owner = postgres.connect();
                var statement = owner.createStatement()) {
            others.awaitPages();
            owner.setAutoCommit(false);
            statement.execute("lock table things in access exclusive mode");
            for (int round = 0; round < 3; round++) {
                List<String> codes =
                        IntStream.rangeClosed(1, 100)
                                .mapToObj(limit -> startGet("/api/things?limit=" + limit))
                                .toList()
                                .stream()
                                .map(response -> response.join().getString("code"))
                                .toList();
                assertThat(codes).containsOnly("overloaded");
                others.awaitPages();
            }
            String seen = others.finish();
            System.out.println("FAULT a locked table: the clients of another table saw " + seen);
            // If they had to wait for the same connections, more than half of their requests would fail. On a busy
            // machine, some time out.
            assertThat(others.failures()).as(seen).isLessThanOrEqualTo(others.count("200") / 4);
        }
        server.awaitReady();
        assertThat(server.errors()).isEmpty();
    }

    private static CompletableFuture<JsonDocument> startGet(String target) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + target))
                .build();
        return DeployedServer.HTTP
                .sendAsync(request, BodyHandlers.ofString())
                .thenApply(response -> JsonDocument.of(response.body()));
    }

    @Test
    void scrollsSurviveConnectionsCutWithinAResult(TestInfo test) throws Exception {
        startScrolls("things");
        proxy.setMode(Mode.CUT);
        try {
            scrolls.awaitFirstFailure();
            Thread.sleep(MIN_FAULT_DURATION.toMillis());
        } finally {
            proxy.setMode(Mode.PASS);
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveConnectionsCutRepeatedly(TestInfo test) throws Exception {
        startScrolls("things");
        for (int i = 0; i < 5; i++) {
            proxy.cut();
            scrolls.awaitPages();
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveResultsInSmallFragments(TestInfo test) throws Exception {
        startScrolls("things");
        proxy.setMode(Mode.FRAGMENT);
        try {
            scrolls.awaitPages();
        } finally {
            proxy.setMode(Mode.PASS);
        }
        assertRecovery(test);
        // On a busy machine, some pages can take longer than the short timeout of their statements.
        assertThat(scrolls.count("503 overloaded") + scrolls.count("504 timeout"))
                .as(scrolls.answers())
                .isEqualTo(scrolls.failures());
    }

    @Test
    @Slow
    void scrollsSurviveSlowResults(TestInfo test) throws Exception {
        startScrolls("things");
        proxy.setMode(Mode.DELAY);
        try {
            scrolls.awaitPages();
        } finally {
            proxy.setMode(Mode.PASS);
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveErrorsOfAFullDisk(TestInfo test) throws Exception {
        startScrolls("checked");
        postgres.run("insert into trouble values ('53100')");
        try {
            scrolls.awaitFirstFailure();
            Await.until(
                    "the other feed is served", () -> server.get("/api/things").statusCode() == 200);
            Thread.sleep(MIN_FAULT_DURATION.toMillis());
        } finally {
            postgres.run("delete from trouble");
        }
        assertRecovery(test);
    }

    @Test
    @Slow
    void scrollsSurviveARenamedColumn(TestInfo test) throws Exception {
        startScrolls("things");
        postgres.run("alter table things rename column note to remark");
        try {
            scrolls.awaitFirstFailure();
            awaitReadinessReport("column 'note' no longer exists");
        } finally {
            postgres.run("alter table things rename column remark to note");
        }
        assertRecovery(test);
    }

    /**
     * Waits until the readiness response contains the given text. Requests fail at once, but readiness reports the
     * fault only after the feed has been compared with its table again.
     */
    private static void awaitReadinessReport(String text) throws Exception {
        while (!server.getManagement("/q/health/ready").body().contains(text)) {
            Thread.sleep(10);
        }
    }

    private void startScrolls(String feed) throws Exception {
        scrolls = setup.startClients(feed, CLIENTS);
        scrolls.awaitPages();
    }

    private void assertRecovery(TestInfo test) throws Exception {
        setup.assertRecovery(test.getTestMethod().orElseThrow().getName(), scrolls);
    }

    /**
     * The database stays frozen, so a server that waited for it would not end. This test is the last one, because it
     * stops the server.
     */
    @Test
    @Order(Integer.MAX_VALUE)
    @Slow
    void theServerStopsWhileItsDatabaseIsFrozen() throws Exception {
        startScrolls("things");
        postgres.freeze();
        scrolls.awaitFirstFailure();
        scrolls.close();
        long asked = System.nanoTime();
        server.askToStop();
        server.awaitEnd();
        System.out.printf(
                "FAULT stop while PostgreSQL is frozen: %d ms%n",
                Duration.ofNanos(System.nanoTime() - asked).toMillis());
    }
}
