package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Await;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After random writes between and during processes that die, a kept list is a part of what the database has. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(300)
@Slow
class KeptListModelTest {

    private static final int MAX_WRITES = 4;
    private static final int IDS = 24;

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final long seed = Seed.next();
    private final Random random = new Random(seed);
    private Cards table;

    @Test
    void aKeptListIsAPartOfTheListAfterEachRefresh() throws Exception {
        table = new Cards(pool);
        table.reset(15);
        MemoryStore store = new MemoryStore();
        for (int process = 0; process < Soak.times(40); process++) {
            write();
            try (KeptList<JsonNode> kept = Cards.of(TidemarkClient.of(TestServer.url("")))
                    .limit(3)
                    .live(Cards::key)
                    .keep(store)) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    act(kept);
                    write();
                }
                if (random.nextInt(4) == 0) {
                    kept.close();
                }
                store = store.die();
            }
        }
    }

    private void act(KeptList<JsonNode> kept) throws Exception {
        switch (random.nextInt(6)) {
            case 0 -> kept.loadMore().join();
            case 1 -> kept.follow();
            case 2 -> kept.pause();
            case 3 -> {
                kept.follow();
                Await.until("the list is followed with seed " + seed, () -> isTrue(kept, rows()));
                readToEnd(kept);
            }
            default -> {
                kept.refresh().join();
                List<String> rows = rows();
                assertThat(isTrue(kept, rows))
                        .as("seed %s: %s is a part of %s", seed, kept.state(), rows)
                        .isTrue();
                readToEnd(kept);
            }
        }
    }

    /** If all items below the list have been deleted, the list learns it when it reads on. */
    private void readToEnd(KeptList<JsonNode> kept) {
        List<String> rows = rows();
        List<String> shown = shown(kept.state());
        if (!shown.isEmpty() && shown.get(shown.size() - 1).equals(rows.get(rows.size() - 1))) {
            kept.loadMore().join();
            assertThat(kept.state().hasMore())
                    .as("seed %s: %s", seed, kept.state())
                    .isFalse();
            assertThat(shown(kept.state())).as("seed %s", seed).isEqualTo(shown);
        }
    }

    private void write() {
        for (int n = random.nextInt(MAX_WRITES + 1); n > 0; n--) {
            int id = random.nextInt(IDS) + 1;
            String time = "'2026-01-01'::timestamptz + " + (random.nextInt(IDS) + 1) + " * interval '1 minute'";
            table.write(
                    switch (random.nextInt(5)) {
                        case 0, 1 ->
                            "insert into cards values (" + id + ", " + time
                                    + ", null, 'card', 'new') on conflict do nothing";
                        case 2 -> "update cards set body = '" + random.nextInt() + "' where id = " + id;
                        case 3 -> "update cards set at = " + time + " where id = " + id;
                        default -> "delete from cards where id = " + id;
                    });
        }
    }

    private List<String> rows() {
        List<String> rows = new ArrayList<>();
        pool.query("select id || ' ' || body from cards order by at desc, id desc")
                .executeAndAwait()
                .forEach(row -> rows.add(row.getString(0)));
        return rows;
    }

    /** Whether the list shows a part of the rows, and knows whether there are others. */
    private static boolean isTrue(KeptList<JsonNode> kept, List<String> rows) {
        kept.showNew();
        LiveState<JsonNode> state = kept.state();
        List<String> shown = shown(state);
        int start = Collections.indexOfSubList(rows, shown);
        // An empty part can be anywhere.
        return start >= 0
                && (shown.isEmpty()
                        || start > 0 == state.hasPrev() && (state.hasMore() || start + shown.size() == rows.size()));
    }

    private static List<String> shown(LiveState<JsonNode> state) {
        return state.values().stream()
                .map(card -> card.get("id").asText() + " " + card.get("body").asText())
                .toList();
    }
}
