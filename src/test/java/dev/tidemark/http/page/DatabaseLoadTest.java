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
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        Queue<String> rejected = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> clients = IntStream.rangeClosed(1, CLIENTS)
                .mapToObj(limit -> requestUntilStopped(limit, stopped, served, rejected))
                .toList();
        for (int round = 1; round <= ROUNDS; round++) {
            int before = served.get();
            double pinnedBefore = Metrics.value(PINNED_STATEMENTS);
            Await.until(
                    "pages are served over pinned connections",
                    () -> served.get() > before + 200 && Metrics.value(PINNED_STATEMENTS) > pinnedBefore + 50);
            FreshFeedsProfile.execute(TERMINATE_ALL);
        }
        stopped.set(true);
        clients.forEach(CompletableFuture::join);
        // Statements can wait too long until all connections are open again. On a busy machine, the first statements
        // over a new connection can exceed the statement timeout, because they must be planned.
        assertThat(rejected).allSatisfy(code -> assertThat(code).isIn("unavailable", "overloaded", "timeout"));
        Await.until("nothing is in flight", () -> Metrics.value(PINNED_STATEMENTS_IN_FLIGHT) == 0);
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

    /** Each statement takes 0.8 s. Three or four run at a time. */
    @Test
    void aPageThatWouldWaitTooLongIsRejectedAndFastPagesAreNotDelayed() {
        AtomicBoolean stopped = new AtomicBoolean();
        Queue<Duration> rejected = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> clients = IntStream.rangeClosed(1, 60)
                .mapToObj(limit -> retryUntilStopped(limit, stopped, rejected))
                .toList();
        try {
            Await.until("a hundred are rejected", () -> rejected.size() > 100);
            assertThat(send("/api/letters?limit=3").join().statusCode()).isEqualTo(200);
        } finally {
            stopped.set(true);
        }
        clients.forEach(CompletableFuture::join);
        assertThat(rejected.stream().sorted().toList().get(rejected.size() / 2)).isLessThan(Duration.ofMillis(200));
        assertThat(Metrics.value("tidemark_statements_rejected_total{connections=\"free\"}"))
                .isPositive();
        Await.until(
                "nothing is in flight",
                () -> Metrics.value("tidemark_statements_in_flight{connections=\"free\"}") == 0);
    }

    /** Of the four connections, one is left to other tables if the application has read any. */
    @Test
    void unindexedStatementsAreLimitedToTheirConnections() {
        List<CompletableFuture<HttpResponse<String>>> asked = IntStream.rangeClosed(1, 12)
                .mapToObj(limit -> send("/api/essays?limit=" + limit))
                .toList();
        AtomicInteger most = new AtomicInteger();
        Await.until("three statements run", () -> most.accumulateAndGet(sleepingSessions(), Math::max) >= 3);
        Await.until("all have been answered", () -> {
            most.accumulateAndGet(sleepingSessions(), Math::max);
            return asked.stream().allMatch(CompletableFuture::isDone);
        });
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

    private CompletableFuture<Void> retryUntilStopped(
            int limit, AtomicBoolean stopped, Queue<Duration> rejectionTimes) {
        long start = System.nanoTime();
        return send("/api/essays?limit=" + limit).thenCompose(answer -> {
            if (answer.statusCode() == 503) {
                assertThat(answer.body()).contains("\"overloaded\"");
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                rejectionTimes.add(Duration.ofNanos(System.nanoTime() - start));
            }
            return stopped.get()
                    ? CompletableFuture.completedFuture(null)
                    : retryUntilStopped(limit, stopped, rejectionTimes);
        });
    }

    private CompletableFuture<HttpResponse<String>> send(String path) {
        return client.sendAsync(HttpRequest.newBuilder(root.resolve(path)).build(), BodyHandlers.ofString());
    }
}
