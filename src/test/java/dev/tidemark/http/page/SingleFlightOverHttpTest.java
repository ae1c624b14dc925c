package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that run while many clients request the same page, so that a read of it is always in progress. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class SingleFlightOverHttpTest {

    private static final int CLIENTS = 24;
    private static final int ROWS = 80;

    @TestHTTPResource("/api/notes?kind=flown&limit=100&fields=id")
    URI page;

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private List<CompletableFuture<Integer>> clients;

    @BeforeEach
    void startClients() {
        clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> requestUntilStopped(0))
                .toList();
    }

    @AfterEach
    void stopClients() {
        stopped.set(true);
        clients.forEach(CompletableFuture::join);
        FreshFeedsProfile.execute("delete from notes where kind = 'flown'");
    }

    /** @return the total number of responses */
    private CompletableFuture<Integer> requestUntilStopped(int responseCount) {
        return client.sendAsync(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
                .thenCompose(answer -> {
                    assertThat(answer.statusCode()).isEqualTo(200);
                    return stopped.get()
                            ? CompletableFuture.completedFuture(responseCount + 1)
                            : requestUntilStopped(responseCount + 1);
                });
    }

    @Test
    void aRequestNeverGetsAPageThatWasReadBeforeIt() throws Exception {
        List<String> committed = new ArrayList<>();
        for (int i = 1; i <= ROWS; i++) {
            int id = 1_000_000 + i;
            FreshFeedsProfile.execute("insert into notes values (" + id + ", now(), 'flown')");
            committed.add(0, Integer.toString(id));
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
            assertThat(JsonDocument.of(answer.body()).getList("items.id", String.class))
                    .isEqualTo(committed);
        }
    }

    @Test
    void equalRequestsShareOneRead() {
        double before = joinedRequests();
        Await.until("a thousand requests have joined", () -> joinedRequests() > before + 1_000);
    }

    private static double joinedRequests() {
        return Metrics.value("tidemark_pages_joined_total");
    }
}
