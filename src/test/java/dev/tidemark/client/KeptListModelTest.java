package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import dev.tidemark.local.FaultyProxy;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * After random writes between and during processes that die, a kept list is a part of what the database has. While
 * random writes and cut connections follow each other, it is after each event the window as it stood at one moment.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(300)
@Slow
class KeptListModelTest {

    private static final int MAX_WRITES = 4;

    /** As many cards as fit into a window. */
    private static final int WINDOW = 12;

    private static final int IDS = 24;
    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofSeconds(5));

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final long seed = Seed.next();
    private final Random random = new Random(seed);
    private Cards table;

    @BeforeEach
    void createCards() {
        table = new Cards(pool);
        table.reset(15);
    }

    @AfterEach
    void awaitEndOfStreams() {
        OpenLiveStreams.awaitNone();
    }

    @Test
    void aKeptListIsAPartOfTheListAfterEachRefresh() {
        MemoryStore store = new MemoryStore();
        for (int process = 0; process < Soak.times(40); process++) {
            write(IDS);
            KeptList<JsonNode> kept =
                    Cards.of(TidemarkClient.of(TestServer.url(""))).limit(3).keep(Cards::key, store);
            for (int i = random.nextInt(4); i > 0; i--) {
                act(kept);
                write(IDS);
            }
            if (random.nextInt(4) == 0) {
                kept.save();
            }
            store = store.die();
        }
    }

    private void act(KeptList<JsonNode> kept) {
        switch (random.nextInt(4)) {
            case 0 -> kept.loadMore();
            case 1 -> {
                try (Follower<JsonNode> follower = new Follower<>(kept)) {
                    write(IDS);
                    List<String> rows = rows("");
                    follower.await(items -> !follower.states.isEmpty() && isTrue(kept, rows));
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + ": the rows are " + rows(""), e);
                }
                readToEnd(kept);
            }
            default -> {
                kept.refresh();
                List<String> rows = rows("");
                assertThat(isTrue(kept, rows))
                        .as("seed %s: %s is a part of %s", seed, shown(kept.items()), rows)
                        .isTrue();
                readToEnd(kept);
            }
        }
    }

    /** If all items below the list have been deleted, the list learns it when it reads on. */
    private void readToEnd(KeptList<JsonNode> kept) {
        List<String> rows = rows("");
        List<String> shown = shown(kept.items());
        if (!shown.isEmpty() && shown.get(shown.size() - 1).equals(rows.get(rows.size() - 1))) {
            kept.loadMore();
            assertThat(kept.hasMore()).as("seed %s: %s", seed, shown).isFalse();
            assertThat(shown(kept.items())).as("seed %s", seed).isEqualTo(shown);
        }
    }

    @Test
    void afterEachEventAListIsTheWindowAtOneMoment() throws Exception {
        table.reset(WINDOW);
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port())) {
            KeptList<JsonNode> list = Cards.of(TidemarkClient.of(URI.create("http://localhost:" + proxy.port()))
                            .retry(QUICK_RETRY))
                    .limit(5)
                    .keep(Cards::key);
            list.refresh();
            JsonNode last = list.items().get(4);
            String until = "where (at, id) >= ('" + last.get("at").asText() + "', "
                    + last.get("id").asText() + ")";
            List<List<String>> windows = new ArrayList<>(List.of(rows(until)));
            try (Follower<JsonNode> follower = new Follower<>(list)) {
                for (int i = 0; i < Soak.times(60); i++) {
                    for (int n = random.nextInt(MAX_WRITES) + 1; n > 0; n--) {
                        table.write(randomWrite(WINDOW));
                        windows.add(rows(until));
                    }
                    switch (random.nextInt(8)) {
                        case 0 -> proxy.cut();
                        case 1 -> proxy.setMode(random.nextBoolean() ? FaultyProxy.Mode.DELAY : FaultyProxy.Mode.PASS);
                        default -> {
                            // Only the writes.
                        }
                    }
                    if (random.nextBoolean()) {
                        List<String> present = windows.get(windows.size() - 1);
                        follower.await(items -> shown(items).equals(present));
                    }
                }
                List<String> present = windows.get(windows.size() - 1);
                follower.await(items -> shown(items).equals(present));
                assertFollowsOneAnother(follower.states, windows);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Asserts that each state is a window that is not older than that of the state before. */
    private static void assertFollowsOneAnother(List<List<JsonNode>> states, List<List<String>> windows) {
        int moment = 0;
        for (List<JsonNode> state : states) {
            int next = windows.subList(moment, windows.size()).indexOf(shown(state));
            assertThat(next)
                    .as("%s is none of the windows %s", shown(state), windows.subList(moment, windows.size()))
                    .isNotNegative();
            moment += next;
        }
    }

    private void write(int ids) {
        for (int n = random.nextInt(MAX_WRITES + 1); n > 0; n--) {
            table.write(randomWrite(ids));
        }
    }

    private String randomWrite(int ids) {
        int id = random.nextInt(ids) + 1;
        String time = "'2026-01-01'::timestamptz + " + (random.nextInt(ids) + 1) + " * interval '1 minute'";
        return switch (random.nextInt(5)) {
            case 0, 1 ->
                "insert into cards values (" + id + ", " + time + ", null, 'card', 'new') on conflict do nothing";
            case 2 -> "update cards set body = '" + random.nextInt() + "' where id = " + id;
            case 3 -> "update cards set at = " + time + " where id = " + id;
            default -> "delete from cards where id = " + id;
        };
    }

    /** @param where the condition of a window; empty for the whole list */
    private List<String> rows(String where) {
        List<String> rows = new ArrayList<>();
        pool.query("select id || ' ' || body from cards " + where + " order by at desc, id desc")
                .executeAndAwait()
                .forEach(row -> rows.add(row.getString(0)));
        return rows;
    }

    /** Whether the list holds a part of the rows, and knows whether there are others. */
    private static boolean isTrue(KeptList<JsonNode> kept, List<String> rows) {
        List<String> shown = shown(kept.items());
        return shown.size() <= rows.size()
                && rows.subList(0, shown.size()).equals(shown)
                && (kept.hasMore() || shown.size() == rows.size());
    }

    private static List<String> shown(List<JsonNode> cards) {
        return cards.stream()
                .map(card -> card.get("id").asText() + " " + card.get("body").asText())
                .toList();
    }
}
