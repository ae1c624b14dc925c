package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.client.LiveItem.Mark;
import dev.tidemark.client.LiveState.Status;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A live list against a server whose feed holds at most twelve cards in a window, five on a page. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class LiveListTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    /** The paths and queries of all requests. */
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
    private Cards table;
    private FeedList<JsonNode> cards;

    @BeforeEach
    void createCards() {
        table = new Cards(pool);
        table.reset(9);
        cards = Cards.ofServer(requests);
    }

    @AfterEach
    void closeLists() throws Exception {
        for (AutoCloseable list : opened) {
            list.close();
        }
        OpenLiveStreams.awaitNone();
    }

    private LiveList<JsonNode> open(LiveList.Builder<JsonNode> builder) {
        LiveList<JsonNode> live = builder.open();
        opened.add(live);
        awaitState(live, state -> state.status() == Status.CONNECTED);
        return live;
    }

    private static <T> LiveState<T> awaitState(LiveList<T> live, Predicate<LiveState<T>> condition) {
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

    private long streams() {
        return requests.stream().filter(request -> request.contains("/live")).count();
    }

    @Test
    void editsMovesAndDeletionsOfOthersAppearAtOnce() {
        LiveList<JsonNode> live = open(cards.limit(5).live(Cards::key));
        awaitIds(live, 9, 8, 7, 6, 5);
        List<JsonNode> before = live.state().values();

        table.write("update cards set body = 'new' where id = 8");
        awaitState(live, state -> state.values().get(1).get("body").asText().equals("new"));
        assertThat(live.state().values().get(0)).isSameAs(before.get(0));

        table.write("update cards set at = '2026-01-01 00:07:30' where id = 5");
        awaitIds(live, 9, 8, 5, 7, 6);

        table.write("delete from cards where id in (9, 7)");
        awaitIds(live, 8, 5, 6);

        table.write("insert into cards values (50, '2026-01-01 00:06:30', null, 'card', 'between')");
        awaitIds(live, 8, 5, 50, 6);
        assertThat(live.state().hasMore()).isTrue();
        assertThat(live.state().hasPrev()).isFalse();
        assertThat(live.state().error()).isEmpty();
        assertThat(streams()).isEqualTo(1);
    }

    @Test
    void newItemsAboveTheFirstWaitForShowNew() {
        LiveList<JsonNode> live = open(cards.limit(3).live(Cards::key));
        table.insert(10, 11);
        awaitState(live, state -> state.newAbove() == 2);
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7);

        table.write("delete from cards where id = 10");
        awaitState(live, state -> state.newAbove() == 1);

        live.showNew();
        assertThat(Cards.ids(live.state())).containsExactly(11, 9, 8, 7);
        assertThat(live.state().newAbove()).isZero();
    }

    @Test
    void newItemsAppearAtOnceUnderThePolicyAll() {
        LiveList<JsonNode> live = open(cards.limit(3).live(Cards::key).policy(LivePolicy.all()));
        table.insert(10, 11);
        awaitIds(live, 11, 10, 9, 8, 7);
        assertThat(live.state().newAbove()).isZero();
    }

    @Test
    void aPolicyOfTheProgramDecidesAboutAllItemsThatWait() {
        LiveList<JsonNode> live = open(cards.limit(2).live(Cards::key).policy(waiting -> waiting.stream()
                .anyMatch(card -> card.get("title").asText().equals("mine"))));
        table.insert(10, 10);
        awaitState(live, state -> state.newAbove() == 1);
        table.write("insert into cards values (11, '2026-02-01', null, 'mine', null)");
        awaitIds(live, 11, 10, 9, 8);
    }

    @Test
    void anItemThatMovesAboveTheFirstWaits() {
        LiveList<JsonNode> live = open(cards.order("edited").limit(3).live(Cards::key));
        table.write("update cards set edited_at = '2026-02-01' where id = 8");
        awaitIds(live, 9, 7);
        assertThat(live.state().newAbove()).isEqualTo(1);
        live.showNew();
        assertThat(Cards.ids(live.state())).containsExactly(8, 9, 7);
    }

    @Test
    void itemsThatLeaveTheirPlaceCanBeMarkedUntilShowNew() {
        LiveList<JsonNode> live =
                open(cards.order("edited").limit(5).live(Cards::key).deleted(LiveList.Deleted.MARK));
        table.write("delete from cards where id in (9, 7, 5)");
        table.write("update cards set edited_at = '2026-02-01' where id = 6");
        LiveState<JsonNode> marked = awaitState(live, state -> state.newAbove() == 1);
        assertThat(Cards.ids(marked)).containsExactly(9, 8, 7, 6, 5);
        assertThat(marked.items())
                .extracting(LiveItem::mark)
                .containsExactly(Mark.DELETED, Mark.PRESENT, Mark.DELETED, Mark.MOVED_UP, Mark.DELETED);

        live.showNew();
        assertThat(Cards.ids(live.state())).containsExactly(6, 8);
        assertThat(live.state().items()).extracting(LiveItem::mark).containsOnly(Mark.PRESENT);
    }

    @Test
    void aListGrowsWithOneMoreStream() {
        LiveList<JsonNode> live = open(cards.limit(2).live(Cards::key));
        live.loadMore().join();
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7, 6);
        live.loadMore().join();
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7, 6, 5, 4);
        Await.until("a second stream", () -> streams() == 2);

        table.write("update cards set body = 'new' where id in (4, 9)");
        awaitState(
                live,
                state -> state.values().get(5).get("body").asText().equals("new")
                        && state.values().get(0).get("body").asText().equals("new"));
        assertThat(streams()).isEqualTo(2);
        assertThat(requests.stream().filter(request -> request.startsWith("/api/cards?")))
                .as("each page is read once")
                .hasSize(3);
    }

    @Test
    void concurrentCallsOfLoadMoreShareOneRead() {
        LiveList<JsonNode> live = open(cards.limit(2).live(Cards::key));
        var one = live.loadMore();
        var two = live.loadMore();
        one.join();
        two.join();
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7, 6);
    }

    @Test
    void theEndOfTheListIsFollowed() {
        LiveList<JsonNode> live = open(cards.limit(5).live(Cards::key));
        live.loadMore().join();
        assertThat(live.state().hasMore()).isFalse();
        live.loadMore().join();
        table.write("insert into cards values (0, '2025-12-31', null, 'card', 'old')");
        awaitIds(live, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    }

    @Test
    void aListBegunInTheMiddleGrowsInBothDirections() {
        LiveList<JsonNode> live = open(cards.limit(3).live(Cards::key).from(PageStart.aroundId("5")));
        awaitIds(live, 6, 5, 4);
        assertThat(live.state().hasPrev()).isTrue();
        table.insert(10, 10);
        live.loadPrevious().join();
        assertThat(Cards.ids(live.state())).containsExactly(9, 8, 7, 6, 5, 4);
        live.loadMore().join();
        live.loadPrevious().join();
        assertThat(Cards.ids(live.state())).containsExactly(10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
        awaitState(live, state -> !state.hasPrev() && !state.hasMore());
        table.write("delete from cards where id in (2, 7)");
        awaitIds(live, 10, 9, 8, 6, 5, 4, 3, 1);
    }

    @Test
    void aLongListLetsGoOfTheOtherEnd() {
        table.reset(40);
        LiveList<JsonNode> live = open(cards.limit(5).live(Cards::key));
        while (live.state().hasMore()) {
            live.loadMore().join();
            assertThat(live.state().items()).hasSizeLessThanOrEqualTo(12);
        }
        assertThat(Cards.ids(live.state())).endsWith(3, 2, 1).hasSizeGreaterThan(9);
        assertThat(live.state().hasPrev()).isTrue();
        table.write("update cards set body = 'new' where id = 1");
        awaitState(live, state -> state.values()
                .get(state.values().size() - 1)
                .get("body")
                .asText()
                .equals("new"));
        while (live.state().hasPrev()) {
            live.loadPrevious().join();
            assertThat(live.state().items()).hasSizeLessThanOrEqualTo(12);
        }
        assertThat(Cards.ids(live.state())).startsWith(40, 39, 38).hasSizeGreaterThan(9);
    }

    @Test
    void aFullListKeepsItsItemsIfThereAreNoneBelow() {
        table.reset(14);
        LiveList<JsonNode> live = open(cards.limit(5).live(Cards::key).policy(LivePolicy.all()));
        live.loadMore().join();
        table.insert(15, 16);
        awaitIds(live, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5);
        table.write("delete from cards where id < 5");
        live.loadMore().join();
        awaitIds(live, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5);
        assertThat(live.state().hasPrev()).isFalse();
        assertThat(live.state().hasMore()).isFalse();
    }

    @Test
    void itemsThatAFullWindowPushesOutCanBeReadAgain() {
        table.reset(15);
        LiveList<JsonNode> live =
                open(cards.limit(5).live(Cards::key).policy(LivePolicy.all()).deleted(LiveList.Deleted.MARK));
        live.loadMore().join();
        table.insert(16, 20);
        awaitIds(live, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9);
        assertThat(live.state().items()).extracting(LiveItem::mark).containsOnly(Mark.PRESENT);
        live.loadMore().join();
        assertThat(Cards.ids(live.state())).endsWith(8, 7, 6, 5, 4).doesNotHaveDuplicates();
    }

    @Test
    void anEmptyListShowsItsFirstItemAtOnce() {
        table.reset(0);
        LiveList<JsonNode> live = open(cards.live(Cards::key));
        table.insert(1, 1);
        awaitIds(live, 1);
    }

    @Test
    void filtersAndFieldsApply() {
        LiveList<JsonNode> live =
                open(cards.where("title", "mine").fields("id", "title").live(Cards::key));
        table.write("update cards set title = 'mine' where id in (2, 3)");
        awaitIds(live, 3, 2);
        assertThat(live.state().values().get(0)).hasSize(2);
        table.write("update cards set title = 'card' where id = 3");
        awaitIds(live, 2);
    }

    @Test
    void keysCanHaveSeveralColumns() {
        pool.query("truncate legs").executeAndAwait();
        pool.query("insert into legs select '2025-12-30'::date + i, i, 'long' from generate_series(0, 3) i")
                .executeAndAwait();
        LiveList<String> live = TidemarkClient.of(TestServer.url(""))
                .feed("legs", json -> json)
                .live(leg -> List.of(
                        leg.replaceAll(".*\"day\":\"([^\"]*)\".*", "$1"),
                        leg.replaceAll(".*\"number\":(\\d+).*", "$1")))
                .open();
        opened.add(live);
        awaitState(live, state -> state.status() == Status.CONNECTED);
        pool.query("delete from legs where number = 2").executeAndAwait();
        awaitState(live, state -> state.items().size() == 3);
    }

    @Test
    void subscribersGetThePresentStateAndEachLaterOne() {
        LiveList<JsonNode> live = open(cards.limit(2).live(Cards::key));
        Recorder recorder = new Recorder();
        live.subscribe(recorder);
        assertThat(recorder.states).extracting(Cards::ids).containsExactly(List.of(9, 8));
        table.write("delete from cards where id = 9");
        Await.until("a second state", () -> recorder.states.size() == 2);
        assertThat(Cards.ids(recorder.states.get(1))).containsExactly(8);

        live.close();
        assertThat(recorder.signals).containsExactly("completed");
        assertThat(Cards.ids(live.state())).containsExactly(8);
        assertThatThrownBy(() -> live.loadMore().join()).hasMessageContaining("the list is closed");
    }

    @Test
    void aProblemFailsTheListWithItsDetail() {
        LiveList<JsonNode> live = cards.where("titel", "mine").live(Cards::key).open();
        opened.add(live);
        Recorder recorder = new Recorder();
        live.subscribe(recorder);
        awaitState(live, state -> state.status() == Status.FAILED);
        String message = "400 unknown_parameter: there is no parameter \"titel\" here; the nearest name is \"title\"";
        assertThat(live.state().error())
                .hasValueSatisfying(error -> assertThat(error).hasMessage(message));
        Await.until("a signal", () -> !recorder.signals.isEmpty());
        assertThat(recorder.signals).containsExactly("failed: " + message);
    }

    @Test
    void aFeedWithoutDeltaFailsTheList() {
        LiveList<Letter> live = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .live(Letter::id)
                .open();
        opened.add(live);
        awaitState(live, state -> state.status() == Status.FAILED);
        assertThat(live.state().error().orElseThrow())
                .hasMessage("400 not_supported: this feed is not declared with delta, so it has no live windows");
        assertThat(live.state().items()).as("the first page").isNotEmpty();
    }

    @Test
    void aFunctionForKeysThatReturnsSomethingElseFailsTheList() {
        LiveList<JsonNode> live =
                cards.live(card -> "card " + card.get("id").asText()).open();
        opened.add(live);
        awaitState(live, state -> state.status() == Status.FAILED);
        assertThat(live.state().error().orElseThrow())
                .hasMessage("the function for keys returned [card 9], which is not the item's key");
    }

    @Test
    void aListCannotStartWithUntil() {
        String top = cards.page().top().orElseThrow();
        assertThatThrownBy(() -> cards.live(Cards::key).from(PageStart.first().until(top)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a live list cannot start with until");
    }

    /** Records states and terminal signals, and requests everything. */
    static class Recorder implements Flow.Subscriber<LiveState<JsonNode>> {

        final List<LiveState<JsonNode>> states = new CopyOnWriteArrayList<>();
        final List<String> signals = new CopyOnWriteArrayList<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveState<JsonNode> state) {
            states.add(state);
        }

        @Override
        public void onError(Throwable failure) {
            signals.add("failed: " + failure.getMessage());
        }

        @Override
        public void onComplete() {
            signals.add("completed");
        }
    }
}
