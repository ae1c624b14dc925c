package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kept list that is followed, of a feed that holds at most twelve cards in a window, five on a page. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class KeptListEventsTest {

    private static final String EDIT = "update cards set body = 'new' where id = ";

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    /** The paths and queries of all requests. */
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Cards table;
    private FeedList<JsonNode> cards;

    @BeforeEach
    void createCards() {
        table = new Cards(pool);
        table.reset(9);
        cards = Cards.ofServer(requests);
    }

    @AfterEach
    void closeStreams() throws Exception {
        for (AutoCloseable stream : opened) {
            stream.close();
        }
        OpenLiveStreams.awaitNone();
    }

    private <T> Follower<T> follow(KeptList<T> list) {
        Follower<T> follower = new Follower<>(list);
        opened.add(follower);
        follower.await(items -> !follower.states.isEmpty());
        return follower;
    }

    private static void awaitIds(Follower<JsonNode> follower, Integer... ids) {
        follower.await(items -> Cards.ids(items).equals(List.of(ids)));
    }

    private static String body(List<JsonNode> items, int index) {
        return items.get(index).get("body").asText();
    }

    private long streams() {
        return requests.stream().filter(request -> request.contains("/live")).count();
    }

    @Test
    void whatOthersWriteArrivesByItself() {
        KeptList<JsonNode> list = cards.limit(5).keep(Cards::key);
        Follower<JsonNode> follower = follow(list);
        awaitIds(follower, 9, 8, 7, 6, 5);
        List<JsonNode> before = list.items();

        table.write(EDIT + 8);
        follower.await(items -> body(items, 1).equals("new"));
        assertThat(list.items().get(0)).isSameAs(before.get(0));

        table.write("update cards set at = '2026-01-01 00:07:30' where id = 5");
        awaitIds(follower, 9, 8, 5, 7, 6);
        table.write("delete from cards where id in (9, 7)");
        awaitIds(follower, 8, 5, 6);
        table.write("insert into cards values (50, '2026-01-01 00:06:30', null, 'card', 'between')");
        awaitIds(follower, 8, 5, 50, 6);
        table.insert(10, 11);
        awaitIds(follower, 11, 10, 8, 5, 50, 6);
        assertThat(list.hasMore()).isTrue();
        assertThat(streams()).isEqualTo(1);
    }

    @Test
    void eachEventLeadsToTheWindowOfItsMoment() {
        KeptList<JsonNode> list = cards.limit(5).keep(Cards::key);
        try (Stream<LiveEvent> events = list.events()) {
            Iterator<LiveEvent> iterator = events.iterator();
            LiveEvent page = iterator.next();
            assertThat(page.name()).isEqualTo("page");
            list.apply(page);
            table.write("delete from cards where id = 9");
            LiveEvent change = iterator.next();
            assertThat(change.name()).isEqualTo("change");
            assertThat(Cards.ids(list.items())).as("before").containsExactly(9, 8, 7, 6, 5);
            list.apply(change);
            assertThat(Cards.ids(list.items())).as("after").containsExactly(8, 7, 6, 5);
            assertThat(cards.limit(4)
                            .refresh(list.items(), change.id(), Cards::key)
                            .items())
                    .isEqualTo(list.items());
        }
    }

    /** Otherwise, the following changes would be applied to a list that lacks one. */
    @Test
    void noChangeIsAppliedAfterAnEventThatCannotBeApplied() {
        KeptList<JsonNode> list = cards.limit(5).keep(Cards::key);
        try (Stream<LiveEvent> events = list.events()) {
            Iterator<LiveEvent> iterator = events.iterator();
            list.apply(iterator.next());
            table.write("delete from cards where id = 9");
            LiveEvent change = iterator.next();
            assertThatThrownBy(() -> list.apply(new LiveEvent(change.name(), change.id(), "{")))
                    .isInstanceOf(FeedException.class);
            assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7, 6, 5);
            assertThatThrownBy(iterator::next).isInstanceOf(FeedException.class);
        }
        try (Stream<LiveEvent> events = list.events()) {
            list.apply(events.iterator().next());
            assertThat(Cards.ids(list.items())).containsExactly(8, 7, 6, 5);
        }
    }

    @Test
    void aListThatGrowsIsFollowedToItsEnd() {
        KeptList<JsonNode> list = cards.limit(3).keep(Cards::key);
        Follower<JsonNode> follower = follow(list);
        list.loadMore();
        assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7, 6, 5, 4);
        table.write(EDIT + 4);
        follower.await(items -> body(items, 5).equals("new"));
        list.loadMore();
        assertThat(list.hasMore()).isFalse();
        list.loadMore();
        table.write("insert into cards values (0, '2025-12-31', null, 'card', 'old')");
        awaitIds(follower, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        table.write("delete from cards where id < 4");
        awaitIds(follower, 9, 8, 7, 6, 5, 4);
        assertThat(list.hasMore()).isFalse();
    }

    @Test
    void aListIsRefreshedWhileItIsFollowed() {
        KeptList<JsonNode> list = cards.limit(3).keep(Cards::key);
        Follower<JsonNode> follower = follow(list);
        table.write(EDIT + 8);
        list.refresh();
        assertThat(body(list.items(), 1)).isEqualTo("new");
        table.write("delete from cards where id = 8");
        awaitIds(follower, 9, 7);
    }

    @Test
    void aFullListLetsGoOfItsLastItemsAndReadsThemAgain() {
        table.reset(15);
        KeptList<JsonNode> list = cards.limit(5).keep(Cards::key);
        Follower<JsonNode> follower = follow(list);
        list.loadMore();
        table.insert(16, 20);
        awaitIds(follower, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9);
        table.write("delete from cards where id = 20");
        awaitIds(follower, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8);
        table.write("delete from cards where id between 9 and 18");
        awaitIds(follower, 19, 8, 7, 6);
        list.loadMore();
        assertThat(Cards.ids(list.items())).containsExactly(19, 8, 7, 6, 5, 4, 3, 2, 1);
    }

    @Test
    void anEmptyListGetsItsFirstItem() {
        table.reset(0);
        Follower<JsonNode> follower = follow(cards.limit(5).keep(Cards::key));
        table.insert(1, 1);
        awaitIds(follower, 1);
    }

    @Test
    void filtersOrderAndFieldsApply() {
        KeptList<JsonNode> list =
                cards.where("title", "mine").fields("id", "title").keep(Cards::key);
        Follower<JsonNode> follower = follow(list);
        table.write("update cards set title = 'mine' where id in (2, 3)");
        awaitIds(follower, 3, 2);
        assertThat(list.items().get(0)).hasSize(2);
        table.write("update cards set title = 'card' where id = 3");
        awaitIds(follower, 2);

        Follower<JsonNode> edited = follow(cards.order("edited").limit(3).keep(Cards::key));
        table.write("update cards set edited_at = '2026-02-01' where id = 8");
        awaitIds(edited, 8, 9, 7);
    }

    @Test
    void keysCanHaveSeveralColumns() {
        pool.query("truncate legs").executeAndAwait();
        pool.query("insert into legs select '2025-12-30'::date + i, i, 'long' from generate_series(0, 3) i")
                .executeAndAwait();
        Follower<String> follower = follow(TidemarkClient.of(TestServer.url(""))
                .feed("legs", json -> json)
                .keep(leg -> List.of(
                        leg.replaceAll(".*\"day\":\"([^\"]*)\".*", "$1"),
                        leg.replaceAll(".*\"number\":(\\d+).*", "$1"))));
        follower.await(legs -> legs.size() == 4);
        pool.query("delete from legs where number = 2").executeAndAwait();
        follower.await(legs -> legs.size() == 3);
    }

    @Test
    void anEventOfTheWindowBeforeAReadIsIgnored() {
        KeptList<JsonNode> list = cards.limit(3).keep(Cards::key);
        try (Stream<LiveEvent> events = list.events()) {
            Iterator<LiveEvent> iterator = events.iterator();
            list.apply(iterator.next());
            table.write(EDIT + 9);
            LiveEvent change = iterator.next();
            list.loadMore();
            list.apply(change);
            assertThat(body(list.items(), 0)).isEqualTo("old");
            LiveEvent page = iterator.next();
            assertThat(page.name()).isEqualTo("page");
            list.apply(page);
            assertThat(body(list.items(), 0)).isEqualTo("new");
            assertThat(Cards.ids(list.items())).containsExactly(9, 8, 7, 6, 5, 4);
        }
    }

    @Test
    void aListHasOneStreamWhichEndsWhenItIsClosed() {
        KeptList<JsonNode> list = cards.limit(5).keep(Cards::key);
        Follower<JsonNode> first = follow(list);
        Follower<JsonNode> second = follow(list);
        Await.until("the first stream has ended", first.end::isDone);
        first.end.join();
        table.insert(10, 10);
        awaitIds(second, 10, 9, 8, 7, 6, 5);
        second.close();
        second.end.join();
        OpenLiveStreams.awaitNone();
    }

    @Test
    void whatTheServerRejectsIsThrownWithItsDetail() {
        assertThatThrownBy(() -> cards.where("titel", "mine").keep(Cards::key).events())
                .hasMessage(
                        "400 unknown_parameter: there is no parameter \"titel\" here; the nearest name is \"title\"");
        KeptList<Letter> letters = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .keep(Letter::id);
        try (Stream<LiveEvent> events = letters.events()) {
            assertThatThrownBy(() -> events.forEach(letters::apply))
                    .isInstanceOf(ProblemException.class)
                    .hasMessage("400 not_supported: this feed is not declared with delta, so it has no live windows");
        }
        assertThat(letters.items()).as("the first page").isNotEmpty();
    }

    @Test
    void aFunctionForKeysThatReturnsSomethingElseFails() {
        KeptList<JsonNode> list = cards.keep(card -> "card " + card.get("id").asText());
        try (Stream<LiveEvent> events = list.events()) {
            table.write(EDIT + 9);
            assertThatThrownBy(() -> events.forEach(list::apply))
                    .hasMessage("the function for keys returned [card 9], which is not the item's key");
        }
    }
}
