package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.Soak;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Responses while the database is overloaded or closes connections. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class DatabaseLoadTest {

    /** Each client requests a different page size, so that no two requests share a read. */
    private static final int CLIENTS = 30;

    private static final int ROUNDS = Soak.times(3);

    private static final String PINNED_STATEMENTS = "tidemark_statements_seconds_count{connections=\"pinned\"}";
    private static final String PINNED_STATEMENTS_IN_FLIGHT = "tidemark_statements_in_flight{connections=\"pinned\"}";

    private static final String TERMINATE_ALL = "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where datname = current_database() and pid <> pg_backend_pid()";

    @TestHTTPResource("/")
    URI root;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void connectionsAreReestablishedAndClientsSeeOnlyTemporaryProblems() {
        AtomicInteger served = new AtomicInteger();
        Queue<String> rejected = new ConcurrentLinkedQueue<>();
        try (Clients clients =
                Clients.start(CLIENTS, (limit, stopped) -> requestUntilStopped(limit, stopped, served, rejected))) {
            for (int round = 1; round <= ROUNDS; round++) {
                int before = served.get();
                double pinnedBefore = Metrics.value(PINNED_STATEMENTS);
                Await.until(
                        "pages are served over pinned connections",
                        () -> served.get() > before + 200 && Metrics.value(PINNED_STATEMENTS) > pinnedBefore + 50);
                FreshFeedsProfile.execute(TERMINATE_ALL);
            }
        }
        // Statements can wait too long until all connections are open again. On a busy machine, the first statements
        // over a new connection can exceed the statement timeout, because they must be planned.
        assertThat(rejected).allSatisfy(code -> assertThat(code).isIn("unavailable", "overloaded", "timeout"));
        Await.until("nothing is in flight", () -> Metrics.value(PINNED_STATEMENTS_IN_FLIGHT) == 0);
    }

    /** Clients that send requests until they are stopped. A failure of one of them fails the test when they stop. */
    private record Clients(AtomicBoolean stopped, List<CompletableFuture<Void>> running) implements AutoCloseable {

        /** @param client the client with the page size from 1 to the number of clients */
        static Clients start(int count, BiFunction<Integer, AtomicBoolean, CompletableFuture<Void>> client) {
            AtomicBoolean stopped = new AtomicBoolean();
            return new Clients(
                    stopped,
                    IntStream.rangeClosed(1, count)
                            .mapToObj(limit -> client.apply(limit, stopped))
                            .toList());
        }

        @Override
        public void close() {
            stopped.set(true);
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        }
    }

    /** One client, which requests the same page again and again. Each page must be complete. */
    private CompletableFuture<Void> requestUntilStopped(
            int limit, AtomicBoolean stopped, AtomicInteger served, Queue<String> problemCodes) {
        return send("/api/letters?fields=id&limit=" + limit).thenCompose(answer -> {
            JsonDocument json = JsonDocument.of(answer.body());
            if (answer.statusCode() == 200) {
                assertThat(json.getList("items")).hasSize(limit);
                served.incrementAndGet();
            } else {
                problemCodes.add(json.getString("code"));
                assertThat(answer.headers().firstValue("Retry-After").isPresent())
                        .isEqualTo(answer.statusCode() == 503);
            }
            return stopped.get()
                    ? CompletableFuture.completedFuture(null)
                    : requestUntilStopped(limit, stopped, served, problemCodes);
        });
    }

    @BeforeEach
    void makeEssaysSlow() {
        FreshFeedsProfile.execute("insert into crawling default values");
    }

    @AfterEach
    void makeEssaysFast() {
        FreshFeedsProfile.execute("delete from crawling");
    }

    /**
     * Each statement takes 0.8 s. Three or four run at a time. Only statements that have not waited for their turn
     * count as rejected.
     */
    @Test
    void aPageThatWouldWaitTooLongIsRejectedBeforeItWaitsAndOtherPagesAreServed() {
        double before = rejectedStatements();
        AtomicInteger rejected = new AtomicInteger();
        try (Clients clients =
                Clients.start(60, (limit, stopped) -> requestSlowPagesUntilStopped(limit, stopped, rejected))) {
            Await.until("a hundred are rejected", () -> rejected.get() > 100 && rejectedStatements() - before > 100);
            // On a busy machine, some can exceed the statement timeout.
            assertThat(IntStream.rangeClosed(1, 20)
                            .mapToObj(limit ->
                                    send("/api/letters?limit=" + limit).join().statusCode()))
                    .contains(200)
                    .isSubsetOf(200, 504);
        }
        Await.until(
                "nothing is in flight",
                () -> Metrics.value("tidemark_statements_in_flight{connections=\"free\"}") == 0);
    }

    private static double rejectedStatements() {
        return Metrics.value("tidemark_statements_rejected_total{connections=\"free\"}");
    }

    /** Of the four connections, one is left to other tables if the application has read any. */
    @Test
    void unindexedStatementsAreLimitedToTheirConnections() {
        AtomicInteger most = new AtomicInteger();
        AtomicInteger observations = new AtomicInteger();
        try (Clients clients = Clients.start(
                12, (limit, stopped) -> requestSlowPagesUntilStopped(limit, stopped, new AtomicInteger()))) {
            Await.until("three statements run, and were observed for a while", () -> {
                int running = sleepingSessions();
                most.accumulateAndGet(running, Math::max);
                return running > 0 && observations.incrementAndGet() >= 50 && most.get() >= 3;
            });
        }
        assertThat(most).hasValueLessThanOrEqualTo(4);
    }

    private static int sleepingSessions() {
        try (Connection connection = FreshFeedsProfile.connection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and wait_event = 'PgSleep'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> requestSlowPagesUntilStopped(
            int limit, AtomicBoolean stopped, AtomicInteger rejected) {
        return send("/api/essays?limit=" + limit).thenCompose(answer -> {
            if (answer.statusCode() == 503) {
                // On a busy machine, the first statement of a connection can take longer than the longest silence,
                // here 2 s.
                // The database then counts as unavailable.
                String code = JsonDocument.of(answer.body()).getString("code");
                assertThat(code).isIn("overloaded", "unavailable");
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                rejected.addAndGet(code.equals("overloaded") ? 1 : 0);
            }
            return stopped.get()
                    ? CompletableFuture.completedFuture(null)
                    : requestSlowPagesUntilStopped(limit, stopped, rejected);
        });
    }

    private CompletableFuture<HttpResponse<String>> send(String path) {
        return client.sendAsync(HttpRequest.newBuilder(root.resolve(path)).build(), BodyHandlers.ofString());
    }
}
