package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.client.LiveList.Part;
import dev.tidemark.client.LiveState.Status;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import dev.tidemark.local.FaultyProxy;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A kept list against a server whose feed holds at most twelve cards in a window, five on a page. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class KeptListTest {

    private static final String EDIT = "update cards set body = 'new' where id = ";

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    /** The paths and queries of all requests. */
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
    private Cards table;
    private FeedList<JsonNode> cards;
    private MemoryStore store = new MemoryStore();

    @BeforeEach
    void createCards() {
        table = new Cards(pool);
        table.reset(9);
        cards = Cards.ofServer(requests).limit(3);
    }

    @AfterEach
    void closeLists() throws Exception {
        for (AutoCloseable list : opened) {
            list.close();
        }
        OpenLiveStreams.awaitNone();
    }

    private KeptList<JsonNode> keep(FeedList<JsonNode> list) {
        KeptList<JsonNode> kept = list.live(Cards::key).keep(store);
        opened.add(kept);
        return kept;
    }

    /** Keeps the cards from 9 to 4, as a process that has died did. */
    private void keepCards() {
        KeptList<JsonNode> kept = keep(cards);
        kept.refresh().join();
        kept.loadMore().join();
        kept.close();
        store = store.die();
        requests.clear();
    }

    private static void awaitState(KeptList<JsonNode> kept, Status status, Integer... ids) {
        try {
            Await.until(
                    "the state",
                    () -> kept.state().status() == status
                            && Cards.ids(kept.state()).equals(List.of(ids)));
        } catch (AssertionError e) {
            throw new AssertionError("the state is " + kept.state(), e);
        }
    }

    @Test
    void aListIsShownWithoutARequestAndRefreshedWithOne() {
        keepCards();
        table.write(EDIT + 8);
        table.write("update cards set at = '2026-01-01 00:07:30' where id = 5");
        table.write("delete from cards where id = 7");
        table.insert(10, 10);

        KeptList<JsonNode> kept = keep(cards);
        assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
        assertThat(Cards.ids(kept.state())).containsExactly(9, 8, 7, 6, 5, 4);
        assertThat(kept.state().hasMore()).isTrue();
        List<JsonNode> before = kept.state().values();
        assertThat(requests).isEmpty();

        kept.refresh().join();
        assertThat(requests).hasSize(1);
        assertThat(kept.state().newAbove()).isEqualTo(1);
        kept.showNew();
        List<JsonNode> values = kept.state().values();
        assertThat(Cards.ids(values)).containsExactly(10, 9, 8, 5, 6, 4);
        assertThat(values.get(2).get("body").asText()).isEqualTo("new");
        assertThat(List.of(values.get(1), values.get(4), values.get(5)))
                .as("items that have not changed are not sent")
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsExactly(before.get(0), before.get(3), before.get(5));
        assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
    }

    @Test
    void afterMoreNewItemsThanAListCanHoldItHasNoGap() {
        keepCards();
        table.insert(10, 40);
        KeptList<JsonNode> kept = keep(cards);
        kept.refresh().join();
        assertThat(Cards.ids(kept.state())).containsExactly(40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29);
        assertThat(kept.state().hasMore()).isTrue();
        kept.loadMore().join();
        assertThat(Cards.ids(kept.state())).containsSequence(30, 29, 28, 27, 26);
    }

    @Test
    void anItemOfWhichTheListHasNoCopyIsRead() {
        keepCards();
        edit(part -> {
            List<List<String>> keys = part.window().keys();
            return new Part<>(
                    new Window<>(
                            Stream.concat(keys.stream().limit(1), keys.stream().skip(3))
                                    .toList(),
                            part.window().items()),
                    part.top(),
                    part.bottom(),
                    part.moment());
        });
        KeptList<JsonNode> kept = keep(cards);
        assertThat(Cards.ids(kept.state())).containsExactly(9, 6, 5, 4);
        kept.refresh().join();
        assertThat(Cards.ids(kept.state())).containsExactly(9, 8, 7, 6, 5, 4);
        assertThat(requests).hasSize(2).last().asString().contains("from_id=8").contains("limit=2");
    }

    @Test
    void anEditOfAPageBelowTheRefreshedPartIsNotLost() {
        keepCards();
        table.write(EDIT + 8);
        KeptList<JsonNode> kept = keep(cards);
        kept.loadMore().join();
        kept.close();
        store = store.die();
        table.write(EDIT + 2);
        KeptList<JsonNode> next = keep(cards);
        assertThat(Cards.ids(next.state())).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
        next.refresh().join();
        assertThat(next.state().values())
                .filteredOn(card -> card.get("body").asText().equals("new"))
                .extracting(Cards::key)
                .containsExactly("8", "2");
    }

    static Stream<UnaryOperator<Part<JsonNode>>> rejectedParts() {
        return Stream.of(
                part -> new Part<>(part.window(), null, "made-up", part.moment()),
                part -> new Part<>(part.window(), null, titleCursor(), part.moment()),
                part -> new Part<>(part.window(), null, part.bottom(), "made-up"),
                part -> new Part<>(part.window(), null, part.bottom(), null));
    }

    private static String titleCursor() {
        return Cards.of(TidemarkClient.of(TestServer.url("")))
                .order("title")
                .page()
                .last()
                .orElseThrow();
    }

    /** Replaces what is kept. */
    private void edit(UnaryOperator<Part<JsonNode>> change) {
        KeptForm<JsonNode> form = new KeptForm<>(cards, FeedList.keyValuesOf(Cards::key), JsonNode::toString);
        store = new MemoryStore(form.write(change.apply(form.read(store.bytes()).orElseThrow())));
    }

    @ParameterizedTest
    @MethodSource("rejectedParts")
    void aListThatTheServerRejectsIsShownUntilItsFirstPageHasBeenRead(UnaryOperator<Part<JsonNode>> change) {
        keepCards();
        edit(change);
        table.insert(10, 10);
        KeptList<JsonNode> kept = keep(cards);
        LiveListTest.Recorder recorder = new LiveListTest.Recorder();
        kept.subscribe(recorder);
        kept.refresh().join();
        assertThat(Cards.ids(kept.state())).containsExactly(10, 9, 8);
        assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
        assertThat(recorder.states)
                .extracting(Cards::ids)
                .containsExactly(List.of(9, 8, 7, 6, 5, 4), List.of(10, 9, 8));
        kept.follow();
        table.insert(11, 11);
        Await.until("the new card", () -> kept.state().newAbove() == 1);
    }

    @ParameterizedTest
    @MethodSource("rejectedParts")
    void aListThatTheServerRejectsCanBeFollowed(UnaryOperator<Part<JsonNode>> change) {
        keepCards();
        edit(change);
        table.write("delete from cards where id = 9");
        KeptList<JsonNode> kept = keep(cards);
        LiveListTest.Recorder recorder = new LiveListTest.Recorder();
        kept.subscribe(recorder);
        kept.follow();
        Await.until(
                "the list is true",
                () -> kept.state().status() == Status.CONNECTED
                        && Cards.ids(kept.state()).get(0) == 8);
        assertThat(recorder.states)
                .allSatisfy(state -> assertThat(state.items()).isNotEmpty());
    }

    @Test
    void aFeedThatNoLongerHasDeltaIsReadFromItsStart() {
        String moment = cards.page().moment().orElseThrow();
        FeedList<Letter> letters = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .limit(2);
        KeptList<Letter> first = letters.live(Letter::id).keep(store);
        opened.add(first);
        first.refresh().join();
        List<Letter> page = first.state().values();
        assertThat(page).isEqualTo(letters.page().items());
        first.refresh().join();
        first.close();
        KeptForm<String> form = new KeptForm<>(
                TidemarkClient.of(TestServer.url("")).feed("letters", json -> json), List::of, json -> json);
        Part<String> part = form.read(store.bytes()).orElseThrow();
        assertThat(part.moment()).isNull();
        store = new MemoryStore(form.write(new Part<>(part.window().subWindow(0, 1), null, part.bottom(), moment)));

        KeptList<Letter> kept = letters.live(Letter::id).keep(store);
        opened.add(kept);
        assertThat(kept.state().values()).isEqualTo(page.subList(0, 1));
        kept.refresh().join();
        assertThat(kept.state().values()).isEqualTo(page);
        assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
        kept.follow();
        Await.until("the list has failed", () -> kept.state().status() == Status.FAILED);
        assertThat(kept.state().values()).isEqualTo(page);
        assertThat(kept.state().error().orElseThrow()).hasMessageContaining("not declared with delta");
    }

    @Test
    void aPausedListCanBeRefreshedAfterARejection() throws Exception {
        try (Front front = new Front();
                KeptList<JsonNode> kept =
                        Cards.of(front.client()).limit(3).live(Cards::key).keep(store)) {
            kept.refresh().join();
            front.pages = Front.response(401, "application/problem+json", "{\"status\":401,\"code\":\"unauthorized\"}");
            assertThatThrownBy(() -> kept.refresh().join()).hasRootCauseInstanceOf(ProblemException.class);
            awaitState(kept, Status.PAUSED, 9, 8, 7);
            front.pages = front::forward;
            kept.refresh().join();
            assertThat(kept.state().error()).isEmpty();
        }
    }

    @Test
    void aRefreshOfAListThatIsFollowedLeavesItConnected() {
        KeptList<JsonNode> kept = keep(cards);
        LiveListTest.Recorder recorder = new LiveListTest.Recorder();
        kept.follow();
        awaitState(kept, Status.CONNECTED, 9, 8, 7);
        kept.subscribe(recorder);
        table.write(EDIT + 8);
        kept.refresh().join();
        assertThat(recorder.states).extracting(LiveState::status).isNotEmpty().containsOnly(Status.CONNECTED);
    }

    @Test
    void aListThatIsFollowedIsSavedWhileItIsOpen() {
        KeptList<JsonNode> kept = keep(cards);
        kept.follow();
        awaitState(kept, Status.CONNECTED, 9, 8, 7);
        table.write(EDIT + 8);
        Await.until("the edit is saved", () -> store.bytes() != null && new String(store.bytes()).contains("\"new\""));
        store = store.die();
        assertThat(keep(cards).state().values().get(1).get("body").asText()).isEqualTo("new");
    }

    @Test
    void aListThatIsPausedDisconnectsAndIsFollowedAgain() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port());
                KeptList<JsonNode> kept = Cards.of(TidemarkClient.of(URI.create("http://localhost:" + proxy.port())))
                        .live(Cards::key)
                        .keep(store)) {
            kept.follow();
            awaitState(kept, Status.CONNECTED, 9, 8, 7);
            kept.refresh().join();
            awaitState(kept, Status.CONNECTED, 9, 8, 7);
            kept.pause();
            assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
            table.write("delete from cards where id = 8");
            kept.refresh().join();
            assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
            assertThat(Cards.ids(kept.state())).containsExactly(9, 7);
            kept.follow();
            awaitState(kept, Status.CONNECTED, 9, 7);
            table.write("delete from cards where id = 9");
            awaitState(kept, Status.CONNECTED, 7);
        }
    }

    @Test
    void aListWithoutNetworkStaysShownAndIsRefreshedLater() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port())) {
            FeedList<JsonNode> list = Cards.of(TidemarkClient.of(URI.create("http://localhost:" + proxy.port()))
                            .retry(Retry.NONE))
                    .limit(3);
            KeptList<JsonNode> kept = keep(list);
            kept.refresh().join();
            proxy.setMode(FaultyProxy.Mode.CUT);
            table.write("update cards set body = repeat('x', 2000) where id = 9");
            assertThatThrownBy(() -> kept.refresh().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(FeedException.class)
                    .hasMessageContaining("did not respond");
            assertThat(kept.state().status()).isEqualTo(Status.PAUSED);
            assertThat(kept.state().error()).isPresent();
            assertThat(Cards.ids(kept.state())).containsExactly(9, 8, 7);

            proxy.setMode(FaultyProxy.Mode.PASS);
            kept.refresh().join();
            assertThat(kept.state().error()).isEmpty();
            assertThat(kept.state().values().get(0).get("body").asText()).hasSize(2000);
        }
    }

    @Test
    void aStoreThatFailsFailsTheRefreshAndNotTheList() {
        store.failure = new IOException("the disk is full");
        KeptList<JsonNode> kept = keep(cards);
        assertThatThrownBy(() -> kept.refresh().join())
                .hasRootCauseMessage("the disk is full")
                .hasMessageContaining("the list cannot be saved: java.io.IOException: the disk is full");
        assertThat(Cards.ids(kept.state())).containsExactly(9, 8, 7);
        store.failure = null;
        kept.refresh().join();
        store = store.die();
        assertThat(Cards.ids(keep(cards).state())).containsExactly(9, 8, 7);
    }

    @Test
    void aListThatIsClosedIsNotRefreshed() {
        KeptList<JsonNode> kept = keep(cards);
        LiveListTest.Recorder recorder = new LiveListTest.Recorder();
        kept.subscribe(recorder);
        kept.close();
        assertThat(recorder.signals).containsExactly("completed");
        assertThatThrownBy(() -> kept.refresh().join()).hasMessageContaining("the list is closed");
        assertThat(store.bytes()).as("nothing has been read").isNull();
    }
}
