package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.local.FaultyProxy;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After random writes, growth in both directions, and cut connections, a live list is a part of the list as a reader from
 * the start gets it, and its flags are those of this part.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Slow
class LiveListModelTest {

    private static final int MAX_WRITES = 4;
    private static final int IDS = 24;
    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofSeconds(5));

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final long seed = Seed.next();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @EnumSource
    void aLiveListIsAlwaysAPartOfTheList(LiveList.Deleted deleted) throws Exception {
        Cards table = new Cards(pool);
        table.reset(15);
        FeedList<JsonNode> cards = Cards.of(TidemarkClient.of(TestServer.url("")));
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port());
                LiveList<JsonNode> live = Cards.of(TidemarkClient.of(URI.create("http://localhost:" + proxy.port())))
                        .limit(3)
                        .live(Cards::key)
                        .from(PageStart.aroundId("8"))
                        .deleted(deleted)
                        .retry(QUICK_RETRY)
                        .open()) {
            for (int i = 0; i < Soak.times(40); i++) {
                for (int n = random.nextInt(MAX_WRITES) + 1; n > 0; n--) {
                    table.write(randomWrite());
                }
                switch (random.nextInt(8)) {
                    case 0, 1 -> live.loadMore();
                    case 2 -> live.loadPrevious();
                    case 3 -> proxy.cut();
                    case 4 -> proxy.setMode(random.nextBoolean() ? FaultyProxy.Mode.DELAY : FaultyProxy.Mode.PASS);
                    default -> {
                        // Only the writes.
                    }
                }
                assertNoneTwice(live.state());
                if (random.nextBoolean()) {
                    awaitPart(live, cards);
                }
            }
            awaitPart(live, cards);
        }
    }

    private String randomWrite() {
        int id = random.nextInt(IDS) + 1;
        String time = "'2026-01-01'::timestamptz + " + (random.nextInt(IDS) + 1) + " * interval '1 minute'";
        return switch (random.nextInt(5)) {
            case 0, 1 ->
                "insert into cards values (" + id + ", " + time + ", null, 'card', 'new') on conflict do nothing";
            case 2 -> "update cards set body = '" + random.nextInt() + "' where id = " + id;
            case 3 -> "update cards set at = " + time + " where id = " + id;
            default -> "delete from cards where id = " + id;
        };
    }

    private static void assertNoneTwice(LiveState<JsonNode> state) {
        assertThat(Cards.ids(state.items().stream()
                        .filter(item -> item.mark() == LiveItem.Mark.PRESENT)
                        .map(LiveItem::value)
                        .toList()))
                .doesNotHaveDuplicates();
    }

    private void awaitPart(LiveList<JsonNode> live, FeedList<JsonNode> cards) {
        live.showNew();
        List<JsonNode> all = cards.items().toList();
        try {
            Await.until("the list is true", () -> {
                live.showNew();
                return isPart(live.state(), all);
            });
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + live.state() + "\nis no part of " + all, e);
        }
    }

    private static boolean isPart(LiveState<JsonNode> state, List<JsonNode> all) {
        List<JsonNode> part = state.values();
        int start = Collections.indexOfSubList(all, part);
        // An empty part can be anywhere.
        return start >= 0
                && (part.isEmpty()
                        || (start > 0) == state.hasPrev() && (state.hasMore() || start + part.size() == all.size()));
    }
}
