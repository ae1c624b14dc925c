package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.Slow;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a followed list does when streams break, cannot be opened, or carry nonsense. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
@Slow
class KeptListFaultsTest {

    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(5));

    private static final Retry THREE_ATTEMPTS =
            new Retry(3, Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(5));

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
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
        for (AutoCloseable follower : opened) {
            follower.close();
        }
        proxy.close();
        front.close();
        OpenLiveStreams.awaitNone();
    }

    private KeptList<JsonNode> overProxy(Retry retry) {
        return over(TidemarkClient.of(URI.create("http://localhost:" + proxy.port())), retry);
    }

    private KeptList<JsonNode> overFront(Retry retry) {
        return over(front.client(), retry);
    }

    /** A list that has read its first page. */
    private static KeptList<JsonNode> over(TidemarkClient client, Retry retry) {
        KeptList<JsonNode> list = Cards.of(client.timeout(Duration.ofSeconds(1)).retry(retry))
                .limit(3)
                .keep(Cards::key);
        list.refresh();
        return list;
    }

    private Follower<JsonNode> follow(KeptList<JsonNode> list) {
        Follower<JsonNode> follower = new Follower<>(list);
        opened.add(follower);
        return follower;
    }

    private static void awaitIds(Follower<JsonNode> follower, Integer... ids) {
        follower.await(items -> Cards.ids(items).equals(List.of(ids)));
    }

    private static void assertFails(Follower<JsonNode> follower, String message) {
        Await.until("the stream has ended", follower.end::isDone);
        assertThatThrownBy(follower.end::join)
                .hasCauseInstanceOf(FeedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aStreamThatIsCutResumesWithWhatWasMissed() {
        KeptList<JsonNode> list = overProxy(QUICK_RETRY);
        List<JsonNode> before = list.items();
        Follower<JsonNode> follower = follow(list);
        for (int id = 10; id < 15; id++) {
            proxy.cut();
            table.insert(id, id);
            int newest = id;
            follower.await(items -> Cards.ids(items).get(0) == newest);
        }
        assertThat(Cards.ids(list.items())).containsExactly(14, 13, 12, 11, 10, 9, 8, 7);
        assertThat(list.items().subList(5, 8))
                .as("unchanged items are not read again")
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsExactlyElementsOf(before);
        assertThat(follower.states)
                .isNotEmpty()
                .as("no state has an item twice")
                .allSatisfy(items -> assertThat(Cards.ids(items)).doesNotHaveDuplicates());
    }

    @Test
    void aListWithoutNetworkStaysAndComesBack() {
        KeptList<JsonNode> list = overProxy(QUICK_RETRY);
        Follower<JsonNode> follower = follow(list);
        follower.await(items -> !follower.states.isEmpty());
        proxy.setMode(Mode.CUT);
        // No event with this item fits into the thousand bytes that the proxy lets pass.
        table.write("update cards set body = repeat('x', 2000) where id = 9");
        Await.until("the client is disconnected", () -> proxy.connections() == 0);
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7);
        proxy.setMode(Mode.PASS);
        follower.await(items -> items.get(0).get("body").asText().length() == 2000);
    }

    @Test
    void aLimitedNumberOfAttemptsEndsTheStreamAndNotTheList() throws IOException {
        KeptList<JsonNode> list = overProxy(THREE_ATTEMPTS);
        Follower<JsonNode> follower = follow(list);
        follower.await(items -> !follower.states.isEmpty());
        proxy.close();
        assertFails(follower, "localhost:" + proxy.port() + " did not respond: java.net.ConnectException");
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7);
    }

    @Test
    void aStreamWithoutRetriesEndsWhenItIsCutAndIsOpenedAgain() {
        KeptList<JsonNode> list = overProxy(Retry.NONE);
        Follower<JsonNode> follower = follow(list);
        follower.await(items -> !follower.states.isEmpty());
        proxy.cut();
        assertFails(follower, "");
        table.insert(10, 10);
        awaitIds(follow(list), 10, 9, 8, 7);
    }

    @Test
    void aConnectionThatFallsSilentIsReplaced() {
        Follower<JsonNode> follower = follow(overProxy(QUICK_RETRY));
        table.insert(10, 10);
        awaitIds(follower, 10, 9, 8, 7);
        proxy.silence();
        table.insert(11, 11);
        awaitIds(follower, 11, 10, 9, 8, 7);
    }

    @Test
    void closingAStreamClosesItsConnection() {
        Follower<JsonNode> follower = follow(overProxy(QUICK_RETRY));
        follower.await(items -> !follower.states.isEmpty());
        follower.close();
        Await.until("the client has disconnected", () -> proxy.connections() == 0);
    }

    @ParameterizedTest
    @CsvSource({"404, text/html", "406, application/problem+json", "403, text/html", "200, text/html"})
    void aListIsRefreshedIfNoStreamCanBeOpened(int status, String contentType) {
        front.streams = Front.response(status, contentType, "{\"status\":" + status + "}");
        KeptList<JsonNode> list = overFront(QUICK_RETRY);
        assertFails(follow(list), status + " ");
        table.insert(10, 10);
        list.refresh();
        assertThat(Cards.ids(list.items())).containsExactly(10, 9, 8, 7);
    }

    @Test
    void aServerWithoutRoomForAStreamIsAskedAgain() {
        front.streams = Front.response(
                503, "application/problem+json", "{\"status\":503,\"code\":\"overloaded\",\"detail\":\"\"}");
        Follower<JsonNode> follower = follow(overFront(QUICK_RETRY));
        Await.until("three attempts", () -> front.streamQueries.size() >= 3);
        front.streams = front::forward;
        table.insert(10, 10);
        awaitIds(follower, 10, 9, 8, 7);
    }

    @Test
    void aProxyThatWithholdsEventsEndsTheStream() {
        front.streams = front::withhold;
        assertFails(follow(overFront(THREE_ATTEMPTS)), "has sent nothing for 2000 ms");
        assertThat(front.streamQueries).hasSize(3);
    }

    @Test
    void aChangeThatDoesNotFitIsNotAppliedAndTheListIsFollowedAgain() {
        front.streams = Front.response(
                200,
                "text/event-stream",
                "event: change\nid: x\ndata: {\"removed\":[\"77\"],\"placed\":[],\"items\":[],"
                        + "\"has_more\":false,\"has_prev\":false,\"cursors\":{\"top\":null,\"last\":null}}\n\n");
        KeptList<JsonNode> list = overFront(QUICK_RETRY);
        assertFails(follow(list), "the server sent a change that removes a key that the window does not have");
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7);
        front.streams = front::forward;
        table.insert(10, 10);
        awaitIds(follow(list), 10, 9, 8, 7);
        assertThat(front.streamQueries.get(1)).isEqualTo(front.streamQueries.get(0));
    }

    @Test
    void aProblemOnTheStreamEndsIt() {
        front.streams = Front.response(
                200,
                "text/event-stream",
                "event: problem\ndata: {\"status\":404,\"code\":\"unknown_feed\",\"detail\":\"there is no feed\"}\n\n");
        assertFails(follow(overFront(QUICK_RETRY)), "404 unknown_feed: there is no feed");
    }

    @ParameterizedTest
    @CsvSource({"400, invalid_moment", "410, cursor_expired"})
    void aListOfWhichTheServerRejectsMomentOrCursorStartsAgainWithARefresh(int status, String code) {
        String problem = "{\"status\":" + status + ",\"code\":\"" + code + "\",\"detail\":\"\"}";
        KeptList<JsonNode> list = overFront(QUICK_RETRY);
        list.loadMore();
        front.streams = Front.response(status, "application/problem+json", problem);
        assertFails(follow(list), status + " " + code);
        front.pages = exchange -> {
            if (exchange.getRequestURI().getQuery().contains("since=")) {
                front.streams.respond(exchange);
            } else {
                front.forward(exchange);
            }
        };
        list.refresh();
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7);
        front.streams = front::forward;
        table.insert(10, 10);
        awaitIds(follow(list), 10, 9, 8, 7);
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
        Follower<JsonNode> follower = follow(overFront(QUICK_RETRY));
        Await.until("an event", () -> !follower.states.isEmpty());
        assertThat(Cards.ids(follower.states.get(0)))
                .as("99 has disappeared meanwhile")
                .containsExactly(9, 8, 7, 5);
    }

    @Test
    void anEditWhileAPageIsOnItsWayIsNotLost() throws Exception {
        KeptList<JsonNode> list = overFront(QUICK_RETRY);
        Follower<JsonNode> follower = follow(list);
        follower.await(items -> !follower.states.isEmpty());
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        front.pages = exchange -> {
            String page = front.get(exchange.getRequestURI().toString());
            read.countDown();
            released.await();
            Front.response(200, "application/json", page).respond(exchange);
        };
        CompletableFuture<Void> more = CompletableFuture.runAsync(list::loadMore);
        read.await();
        table.write("update cards set body = 'new' where id in (9, 5)");
        released.countDown();
        more.join();
        follower.await(items -> Stream.of(0, 4)
                .allMatch(index -> items.get(index).get("body").asText().equals("new")));
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7, 6, 5, 4);
    }
}
