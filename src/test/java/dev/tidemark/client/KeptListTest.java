package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.client.KeptList.Part;
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
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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

    private Cards table;
    private FeedList<JsonNode> cards;
    private MemoryStore store = new MemoryStore();

    @BeforeEach
    void createCards() {
        table = new Cards(pool);
        table.reset(9);
        cards = Cards.ofServer(requests).limit(3);
    }

    private KeptList<JsonNode> keep(FeedList<JsonNode> list) {
        return list.keep(Cards::key, store);
    }

    /** Keeps the cards from 9 to 4, as a process that has died did. */
    private void keepCards() {
        KeptList<JsonNode> kept = keep(cards);
        kept.refresh();
        kept.loadMore();
        store = store.die();
        requests.clear();
    }

    @Test
    void aListIsShownWithoutARequestAndRefreshedWithOne() {
        keepCards();
        table.write(EDIT + 8);
        table.write("update cards set at = '2026-01-01 00:07:30' where id = 5");
        table.write("delete from cards where id = 7");
        table.insert(10, 10);

        KeptList<JsonNode> kept = keep(cards);
        assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7, 6, 5, 4);
        assertThat(kept.hasMore()).isTrue();
        List<JsonNode> before = kept.items();
        assertThat(requests).isEmpty();

        kept.refresh();
        assertThat(requests).hasSize(1);
        List<JsonNode> values = kept.items();
        assertThat(Cards.ids(values)).containsExactly(10, 9, 8, 5, 6, 4);
        assertThat(values.get(2).get("body").asText()).isEqualTo("new");
        assertThat(List.of(values.get(1), values.get(4), values.get(5)))
                .as("items that have not changed are not sent")
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsExactly(before.get(0), before.get(3), before.get(5));
    }

    @Test
    void afterMoreNewItemsThanAListCanHoldItHasNoGap() {
        keepCards();
        table.insert(10, 40);
        KeptList<JsonNode> kept = keep(cards);
        kept.refresh();
        assertThat(Cards.ids(kept.items())).containsExactly(40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29);
        assertThat(kept.hasMore()).isTrue();
        kept.loadMore();
        assertThat(Cards.ids(kept.items())).containsSequence(30, 29, 28, 27, 26);
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
                    part.bottom(),
                    part.moment());
        });
        KeptList<JsonNode> kept = keep(cards);
        assertThat(Cards.ids(kept.items())).containsExactly(9, 6, 5, 4);
        kept.refresh();
        assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7, 6, 5, 4);
        assertThat(requests).hasSize(2).last().asString().contains("from_id=8").contains("limit=2");
    }

    @Test
    void anEditOfAPageBelowTheRefreshedPartIsNotLost() {
        keepCards();
        table.write(EDIT + 8);
        KeptList<JsonNode> kept = keep(cards);
        kept.loadMore();
        store = store.die();
        table.write(EDIT + 2);
        KeptList<JsonNode> next = keep(cards);
        assertThat(Cards.ids(next.items())).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
        next.refresh();
        assertThat(next.items())
                .filteredOn(card -> card.get("body").asText().equals("new"))
                .extracting(Cards::key)
                .containsExactly("8", "2");
    }

    static Stream<UnaryOperator<Part<JsonNode>>> rejectedParts() {
        return Stream.of(
                part -> new Part<>(part.window(), "made-up", part.moment()),
                part -> new Part<>(part.window(), titleCursor(), part.moment()),
                part -> new Part<>(part.window(), part.bottom(), "made-up"),
                part -> new Part<>(part.window(), part.bottom(), null));
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
    void aListThatTheServerRejectsStartsAgainWithItsFirstPage(UnaryOperator<Part<JsonNode>> change) {
        keepCards();
        edit(change);
        table.insert(10, 10);
        KeptList<JsonNode> kept = keep(cards);
        assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7, 6, 5, 4);
        kept.refresh();
        assertThat(Cards.ids(kept.items())).containsExactly(10, 9, 8);
        assertThat(kept.hasMore()).isTrue();
    }

    @Test
    void aFeedThatNoLongerHasDeltaIsReadFromItsStart() {
        String moment = cards.page().moment().orElseThrow();
        FeedList<Letter> letters = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .limit(2);
        KeptList<Letter> first = letters.keep(Letter::id, store);
        first.refresh();
        List<Letter> page = first.items();
        assertThat(page).isEqualTo(letters.page().items());
        first.refresh();
        KeptForm<String> form = new KeptForm<>(
                TidemarkClient.of(TestServer.url("")).feed("letters", json -> json), List::of, json -> json);
        Part<String> part = form.read(store.bytes()).orElseThrow();
        assertThat(part.moment()).isNull();
        store = new MemoryStore(form.write(new Part<>(part.window(), part.bottom(), moment)));

        KeptList<Letter> kept = letters.keep(Letter::id, store);
        kept.loadMore();
        assertThat(kept.items()).hasSize(4);
        kept.refresh();
        assertThat(kept.items()).isEqualTo(page);
    }

    @Test
    void aListCanBeRefreshedAfterARejection() throws Exception {
        try (Front front = new Front()) {
            KeptList<JsonNode> kept = keep(Cards.of(front.client()).limit(3));
            kept.refresh();
            front.pages = Front.response(401, "application/problem+json", "{\"status\":401,\"code\":\"unauthorized\"}");
            assertThatThrownBy(kept::refresh).isInstanceOf(ProblemException.class);
            assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7);
            front.pages = front::forward;
            table.insert(10, 10);
            kept.refresh();
            assertThat(Cards.ids(kept.items())).containsExactly(10, 9, 8, 7);
        }
    }

    @Test
    void whatEventsChangeIsSavedOnRequest() {
        KeptList<JsonNode> kept = keep(cards);
        try (Stream<LiveEvent> events = kept.events()) {
            Iterator<LiveEvent> iterator = events.iterator();
            kept.apply(iterator.next());
            table.write(EDIT + 8);
            kept.apply(iterator.next());
        }
        assertThat(new String(store.bytes())).doesNotContain("\"new\"");
        kept.save();
        store = store.die();
        requests.clear();
        assertThat(keep(cards).items()).isEqualTo(kept.items());
        assertThat(requests).isEmpty();
        OpenLiveStreams.awaitNone();
    }

    @Test
    void aListWithoutNetworkStaysShownAndIsRefreshedLater() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port())) {
            FeedList<JsonNode> list = Cards.of(TidemarkClient.of(URI.create("http://localhost:" + proxy.port()))
                            .retry(Retry.NONE))
                    .limit(3);
            KeptList<JsonNode> kept = keep(list);
            kept.refresh();
            proxy.setMode(FaultyProxy.Mode.CUT);
            table.write("update cards set body = repeat('x', 2000) where id = 9");
            assertThatThrownBy(kept::refresh).isInstanceOf(FeedException.class).hasMessageContaining("did not respond");
            assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7);

            proxy.setMode(FaultyProxy.Mode.PASS);
            kept.refresh();
            assertThat(kept.items().get(0).get("body").asText()).hasSize(2000);
        }
    }

    @Test
    void aStoreThatFailsFailsTheRefreshAndNotTheList() {
        store.failure = new IOException("the disk is full");
        KeptList<JsonNode> kept = keep(cards);
        assertThatThrownBy(kept::refresh)
                .hasRootCauseMessage("the disk is full")
                .hasMessageContaining("the list cannot be saved: java.io.IOException: the disk is full");
        assertThat(Cards.ids(kept.items())).containsExactly(9, 8, 7);
        store.failure = null;
        kept.refresh();
        store = store.die();
        assertThat(Cards.ids(keep(cards).items())).containsExactly(9, 8, 7);
    }
}
