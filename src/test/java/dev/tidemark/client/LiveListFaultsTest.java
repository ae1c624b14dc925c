package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.Slow;
import dev.tidemark.client.LiveState.Status;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.FaultyProxy.Mode;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a live list does when streams break, cannot be opened, or carry nonsense. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
@Slow
class LiveListFaultsTest {

    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(5));

    private static final Retry THREE_ATTEMPTS =
            new Retry(3, Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(5));

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
    private final LiveListTest.Recorder recorder = new LiveListTest.Recorder();
    private FaultyProxy proxy;
    private Front front;
    private Cards table;

    @BeforeEach
    void createCards() throws IOException {
        table = new Cards(pool);
        table.reset(9);
        proxy = new FaultyProxy(TestServer.port());
        front = new Front();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable list : opened) {
            list.close();
        }
        proxy.close();
        front.close();
        OpenLiveStreams.awaitNone();
    }

    private LiveList.Builder<JsonNode> overProxy() {
        return over(TidemarkClient.of(URI.create("http://localhost:" + proxy.port())));
    }

    private LiveList.Builder<JsonNode> overFront() {
        return over(front.client());
    }

    private static LiveList.Builder<JsonNode> over(TidemarkClient client) {
        return Cards.of(client.timeout(Duration.ofSeconds(1)).retry(Retry.NONE))
                .limit(3)
                .live(Cards::key)
                .policy(LivePolicy.all())
                .retry(QUICK_RETRY)
                .pollInterval(Duration.ofMillis(100));
    }

    private LiveList<JsonNode> open(LiveList.Builder<JsonNode> builder, Status expected) {
        LiveList<JsonNode> live = builder.open();
        opened.add(live);
        live.subscribe(recorder);
        awaitState(live, state -> state.status() == expected);
        return live;
    }

    private static LiveState<JsonNode> awaitState(LiveList<JsonNode> live, Predicate<LiveState<JsonNode>> condition) {
        try {
            Await.until("the state", () -> condition.test(live.state()));
        } catch (AssertionError e) {
            throw new AssertionError("the state is " + live.state(), e);
        }
        return live.state();
    }

    private static void awaitIds(LiveList<JsonNode> live, Integer... ids) {
        awaitState(live, state -> Cards.ids(state).equals(List.of(ids)));
    }

    @Test
    void aStreamThatIsCutResumesWithWhatWasMissed() {
        LiveList<JsonNode> live = open(overProxy(), Status.CONNECTED);
        List<JsonNode> before = live.state().values();
        for (int id = 10; id < 15; id++) {
            proxy.cut();
            table.insert(id, id);
            int newest = id;
            awaitState(live, state -> Cards.ids(state).get(0) == newest);
        }
        assertThat(Cards.ids(live.state())).containsExactly(14, 13, 12, 11, 10, 9, 8, 7);
        assertThat(live.state().values().subList(5, 8))
                .as("unchanged items are not read again")
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsExactlyElementsOf(before);
        assertThat(recorder.states)
                .isNotEmpty()
                .as("no state shows an item twice")
                .allSatisfy(state -> assertThat(Cards.ids(state)).doesNotHaveDuplicates());
    }

    @Test
    void aListWithoutNetworkIsOfflineAndComesBack() {
        LiveList<JsonNode> live = open(overProxy(), Status.CONNECTED);
        proxy.setMode(Mode.CUT);
        // No event with this item fits into the thousand bytes that the proxy lets pass.
        table.write("update cards set body = repeat('x', 2000) where id = 9");
        LiveState<JsonNode> offline = awaitState(live, state -> state.status() == Status.OFFLINE);
        assertThat(offline.error().orElseThrow())
                .hasMessageStartingWith("localhost:" + proxy.port() + " did not respond");
        assertThat(Cards.ids(offline)).containsExactly(9, 8, 7);

        proxy.setMode(Mode.PASS);
        LiveState<JsonNode> back = awaitState(live, state -> state.status() == Status.CONNECTED);
        assertThat(back.values().get(0).get("body").asText()).hasSize(2000);
        assertThat(back.error()).isEmpty();
    }

    @Test
    void aListThatStartsOfflineConnectsLater() {
        proxy.setMode(Mode.CUT);
        table.write("update cards set body = repeat('x', 2000)");
        LiveList<JsonNode> live = open(overProxy(), Status.OFFLINE);
        proxy.setMode(Mode.PASS);
        awaitIds(live, 9, 8, 7);
        awaitState(live, state -> state.status() == Status.CONNECTED);
    }

    @Test
    void aLimitedNumberOfAttemptsFailsTheList() throws IOException {
        LiveList<JsonNode> live = open(
                overProxy().retry(new Retry(3, Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofSeconds(5))),
                Status.CONNECTED);
        proxy.close();
        LiveState<JsonNode> failed = awaitState(live, state -> state.status() == Status.FAILED);
        assertThat(failed.error().orElseThrow())
                .hasMessage("localhost:" + proxy.port() + " did not respond: java.net.ConnectException");
        assertThat(Cards.ids(failed)).containsExactly(9, 8, 7);
    }

    @Test
    void pollsThatSucceedStartTheNumberOfAttemptsAgain() {
        AtomicInteger polls = new AtomicInteger();
        front.streams = Front.response(404, "text/html", "");
        front.pages = exchange -> {
            if (exchange.getRequestURI().getQuery().contains("since=") && polls.incrementAndGet() % 2 == 0) {
                Front.response(503, "application/problem+json", "{\"status\":503,\"code\":\"unavailable\"}")
                        .respond(exchange);
            } else {
                front.forward(exchange);
            }
        };
        LiveList<JsonNode> live =
                open(overFront().retry(THREE_ATTEMPTS).pollInterval(Duration.ofMillis(5)), Status.POLLING);
        Await.until("ten polls fail", () -> polls.get() >= 20);
        assertThat(live.state().status()).isNotEqualTo(Status.FAILED);
    }

    @Test
    void attemptsThatGetNoResponseFailTheList() {
        front.streams = front::withhold;
        front.pages = exchange -> {
            if (exchange.getRequestURI().getQuery().contains("since=")) {
                front.withhold(exchange);
            } else {
                front.forward(exchange);
            }
        };
        LiveList<JsonNode> live = open(overFront().retry(THREE_ATTEMPTS), Status.FAILED);
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7);
    }

    @Test
    void aFunctionForRequestsThatWaitsBlocksNoMethod() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch hasToken = new CountDownLatch(1);
        LiveList<JsonNode> live = over(front.client().onRequest(request -> {
                    asked.countDown();
                    awaitToken(hasToken);
                }))
                .open();
        opened.add(live);
        asked.await();
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
                assertThat(live.state().items()).isEmpty();
                live.close();
            });
        } finally {
            hasToken.countDown();
        }
    }

    private static void awaitToken(CountDownLatch hasToken) {
        try {
            hasToken.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStreamThatFallsSilentAfterItHasWorkedIsReplacedByAStream() {
        LiveList<JsonNode> live = open(overProxy().silence(Duration.ofSeconds(2)), Status.CONNECTED);
        table.insert(10, 10);
        awaitIds(live, 10, 9, 8, 7);
        proxy.silence();
        table.insert(11, 11);
        awaitIds(live, 11, 10, 9, 8, 7);
        assertThat(recorder.states).extracting(LiveState::status).doesNotContain(Status.POLLING);
    }

    @Test
    void closingTheListClosesItsConnection() {
        LiveList<JsonNode> live = open(overProxy(), Status.CONNECTED);
        live.close();
        Await.until("the client has disconnected", () -> proxy.connections() == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "404, text/html",
        "406, application/problem+json",
        "403, text/html",
        "200, text/html",
        "503, application/problem+json"
    })
    void aListIsPolledIfNoStreamCanBeOpened(int status, String contentType) {
        String code = status == 503 ? "overloaded" : "not_acceptable";
        front.streams = Front.response(status, contentType, "{\"status\":" + status + ",\"code\":\"" + code + "\"}");
        LiveList<JsonNode> live = open(overFront(), Status.POLLING);
        table.insert(10, 10);
        table.write("update cards set body = 'new' where id = 8");
        table.write("delete from cards where id = 7");
        awaitState(
                live,
                state -> Cards.ids(state).equals(List.of(10, 9, 8))
                        && state.values().get(2).get("body").asText().equals("new"));
        live.loadMore().join();
        assertThat(Cards.ids(live.state())).containsExactly(10, 9, 8, 6, 5, 4);
        assertThat(live.state().status()).isEqualTo(Status.POLLING);

        front.streams = front::forward;
        awaitState(live, state -> state.status() == Status.CONNECTED);
        table.insert(11, 11);
        awaitIds(live, 11, 10, 9, 8, 6, 5, 4);
    }

    @Test
    void aListIsPolledIfAProxyWithholdsItsEvents() {
        front.streams = front::withhold;
        LiveList<JsonNode> live = open(overFront(), Status.POLLING);
        table.insert(10, 10);
        awaitIds(live, 10, 9, 8, 7);
    }

    @Test
    void aListBegunInTheMiddleIsPolledWithItsOwnStart() {
        front.streams = Front.response(404, "text/html", "");
        LiveList<JsonNode> live = open(overFront().from(PageStart.aroundId("5")), Status.POLLING);
        awaitIds(live, 6, 5, 4);
        table.write("insert into cards values (50, '2026-01-01 00:04:30', null, 'card', 'between')");
        table.insert(10, 10);
        awaitIds(live, 6, 5, 50, 4);
        live.loadPrevious().join();
        awaitIds(live, 9, 8, 7, 6, 5, 50, 4);
        live.loadPrevious().join();
        awaitIds(live, 10, 9, 8, 7, 6, 5, 50, 4);
    }

    @Test
    void theLoginPageOfANetworkDoesNotFailTheList() {
        Front.Streams login = Front.response(200, "text/html", "<h1>Welcome</h1>");
        front.streams = login;
        front.pages = login;
        LiveList<JsonNode> live = open(overFront(), Status.OFFLINE);
        front.streams = front::forward;
        front.pages = front::forward;
        awaitIds(live, 9, 8, 7);
    }

    @Test
    void aChangeThatDoesNotFitIsNotAppliedAndTheStreamIsResumed() {
        AtomicInteger count = new AtomicInteger();
        front.streams = exchange -> {
            if (count.getAndIncrement() == 0) {
                Front.response(
                                200,
                                "text/event-stream",
                                "event: change\nid: x\ndata: {\"removed\":[\"77\"],\"placed\":[],\"items\":[],"
                                        + "\"has_more\":false,\"has_prev\":false,\"cursors\":{\"top\":null,\"last\":null}}\n\n")
                        .respond(exchange);
            } else {
                front.forward(exchange);
            }
        };
        LiveList<JsonNode> live = open(overFront(), Status.CONNECTED);
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7);
        assertThat(front.streamQueries).hasSize(2);
        assertThat(front.streamQueries.get(1)).isEqualTo(front.streamQueries.get(0));
    }

    @Test
    void aProblemOnTheStreamFailsTheList() {
        front.streams = Front.response(
                200,
                "text/event-stream",
                "event: problem\ndata: {\"status\":404,\"code\":\"unknown_feed\",\"detail\":\"there is no feed\"}\n\n");
        LiveList<JsonNode> live = open(overFront(), Status.FAILED);
        assertThat(live.state().error().orElseThrow()).hasMessage("404 unknown_feed: there is no feed");
    }

    @Test
    void aMomentThatTheServerRejectsIsDropped() {
        front.streams = exchange -> {
            if (front.streamQueries.size() == 1) {
                Front.response(400, "application/problem+json", "{\"status\":400,\"code\":\"invalid_moment\"}")
                        .respond(exchange);
            } else {
                front.forward(exchange);
            }
        };
        LiveList<JsonNode> live = open(overFront(), Status.CONNECTED);
        assertThat(front.streamQueries.get(0)).contains("since=");
        assertThat(front.streamQueries.get(1)).doesNotContain("since=");
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7);
    }

    @Test
    void cursorsThatTheServerRejectsStartTheListAgain() {
        front.streams = exchange -> {
            if (front.streamQueries.size() == 1) {
                Front.response(410, "application/problem+json", "{\"status\":410,\"code\":\"cursor_expired\"}")
                        .respond(exchange);
            } else {
                front.forward(exchange);
            }
        };
        LiveList<JsonNode> live = open(overFront(), Status.CONNECTED);
        table.insert(10, 10);
        awaitIds(live, 10, 9, 8, 7);
    }

    @Test
    void anItemThatAStreamNamesAndTheListDoesNotHaveIsRead() {
        front.streams = exchange -> {
            if (front.streamQueries.size() == 1) {
                Front.response(
                                200,
                                "text/event-stream",
                                "event: page\nid: x\ndata: {\"items\":[],\"keys\":[\"9\",\"8\",\"7\",\"5\",\"99\"],"
                                        + "\"next_cursor\":null,\"has_more\":false,\"prev_cursor\":null,\"has_prev\":false,"
                                        + "\"cursors\":{\"top\":null,\"last\":null},\"limit\":12,\"moment\":\"x\"}\n\n")
                        .respond(exchange);
            } else {
                front.withhold(exchange);
            }
        };
        open(overFront(), Status.CONNECTED);
        Await.until("the item is shown; 99 has disappeared meanwhile", () -> recorder.states.stream()
                .anyMatch(state -> Cards.ids(state).equals(List.of(9, 8, 7, 5))));
    }

    @Test
    void anEditWhileAPageIsOnItsWayIsNotLost() throws Exception {
        LiveList<JsonNode> live = open(overFront(), Status.CONNECTED);
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        front.pages = exchange -> {
            String page = front.get(exchange.getRequestURI().toString());
            read.countDown();
            released.await();
            Front.response(200, "application/json", page).respond(exchange);
        };
        CompletableFuture<Void> more = live.loadMore();
        read.await();
        table.write("update cards set body = 'new' where id in (9, 5)");
        awaitState(live, state -> body(state, 0).equals("new"));
        released.countDown();
        more.join();
        awaitState(live, state -> body(state, 4).equals("new"));
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7, 6, 5, 4);
    }

    private static String body(LiveState<JsonNode> state, int index) {
        return state.values().get(index).get("body").asText();
    }
}
