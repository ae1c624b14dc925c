package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java client with a feed of 6,500 tales, of which a page of a search looks at 1,000. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class SearchTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private FeedList<JsonNode> whales;

    @BeforeEach
    void fillTable() {
        execute("truncate tales");
        execute("insert into tales select i, '2026-01-01Z'::timestamptz + i * interval '1 minute', 'shelf',"
                + " case when i in (200, 300, 2700, 2800, 2900) then 'whale' else 'tale' end, '', null"
                + " from generate_series(1, 6500) i");
        execute("analyze tales");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        whales = TidemarkClient.of(TestServer.url(""))
                .feed("tales", JACKSON::readTree)
                .where("q", "whale")
                .limit(2);
    }

    @AfterEach
    void emptyTable() {
        execute("truncate tales");
    }

    private void execute(String sql) {
        pool.query(sql).executeAndAwait();
    }

    private static String key(JsonNode tale) {
        return tale.get("id").asText();
    }

    private static List<String> ids(Stream<JsonNode> tales) {
        return tales.map(SearchTest::key).toList();
    }

    @Test
    void theTopOfNewItemsIsThatOfTheFirstOneThatIsFound() {
        String top = whales.page(PageStart.fromId("300")).top().orElseThrow();
        NewItems<JsonNode> found = whales.newItems(top);
        assertThat(ids(found.items().stream())).containsExactly("2900", "2800", "2700");
        String next = found.top().orElseThrow();
        assertThat(whales.newItems(next)).isEqualTo(new NewItems<>(List.of(), found.top()));
        execute("update tales set title = 'whale' where id = 3000");
        assertThat(ids(whales.newItems(next).items().stream())).containsExactly("3000");
    }

    private static void loadUntil(KeptList<JsonNode> kept, BooleanSupplier isDone) {
        for (int pages = 0; !isDone.getAsBoolean(); pages++) {
            assertThat(pages).isLessThan(20);
            kept.loadMore();
        }
    }

    private static void loadAll(KeptList<JsonNode> kept) {
        loadUntil(kept, () -> !kept.hasMore());
    }

    @Test
    void aKeptSearchGoesOnOverPagesWithoutItems() {
        KeptList<JsonNode> kept = whales.keep(SearchTest::key);
        kept.refresh();
        assertThat(kept.items()).isEmpty();
        assertThat(kept.hasMore()).isTrue();
        loadAll(kept);
        assertThat(ids(kept.items().stream())).containsExactly("2900", "2800", "2700", "300", "200");
    }

    @Test
    void aRefreshOfAKeptSearchGoesAsFarAsTheListDoes() {
        MemoryStore store = new MemoryStore();
        KeptList<JsonNode> kept = whales.keep(SearchTest::key, store);
        kept.refresh();
        loadUntil(kept, () -> kept.items().size() == 3);
        execute("update tales set title = 'whale' where id = 6000");
        execute("delete from tales where id = 2800");
        KeptList<JsonNode> next = whales.keep(SearchTest::key, store.die());
        next.refresh();
        assertThat(ids(next.items().stream())).containsExactly("6000", "2900", "2700");
        loadAll(next);
        assertThat(ids(next.items().stream())).containsExactly("6000", "2900", "2700", "300", "200");
        execute("update tales set title = 'tale' where id = 200");
        next.refresh();
        assertThat(ids(next.items().stream())).containsExactly("6000", "2900", "2700", "300");
        assertThat(next.hasMore()).isFalse();
    }

    @Test
    void aRefreshedKeptSearchHoldsAtMostDeltaMaxItems() {
        KeptList<JsonNode> kept = whales.keep(SearchTest::key);
        kept.refresh();
        loadAll(kept);
        // The first page looks at 1,000 rows, and lacks one item.
        execute("update tales set title = 'whale' where id between 4501 and 6500 and id <> 6000");
        kept.refresh();
        assertThat(kept.items()).hasSize(1000);
        assertThat(key(kept.items().get(999))).isEqualTo("5500");
        assertThat(kept.hasMore()).isTrue();
        kept.loadMore();
        assertThat(ids(kept.items().stream().skip(1000))).containsExactly("5499", "5498");
    }

    @Test
    void aKeptSearchThatHasFoundNothingSoFarIsFollowed() {
        KeptList<JsonNode> kept = whales.keep(SearchTest::key);
        try (Stream<LiveEvent> events = kept.events()) {
            Iterator<LiveEvent> iterator = events.iterator();
            kept.apply(iterator.next());
            assertThat(kept.items()).isEmpty();
            execute("update tales set title = 'whale' where id = 6000");
            kept.apply(iterator.next());
            assertThat(ids(kept.items().stream())).containsExactly("6000");
            assertThat(kept.hasMore()).isTrue();
        }
        loadAll(kept);
        assertThat(ids(kept.items().stream())).containsExactly("6000", "2900", "2800", "2700", "300", "200");
        OpenLiveStreams.awaitNone();
    }
}
