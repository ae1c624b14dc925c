package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of whole numbers that are times: {@code sent_ms}, {@code edited_ms}, {@code seen_s}, {@code at_us}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class EpochTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    @BeforeEach
    void fillTables() {
        run("TRUNCATE signals, people CASCADE");
        run("INSERT INTO people VALUES (1, 'Ada')");
        run("""
                INSERT INTO signals VALUES
                  (1, -9223372036854775808, NULL, -2147483648, -9223372036854775808, -32768, 1),
                  (2, -62167219200001, NULL, -1, -1, -1, NULL),
                  (3, -1, 5, 0, 0, 0, 9),
                  (4, 0, 5, NULL, NULL, NULL, 1),
                  (5, 1, 6, 1768557600, 1768557600123456, 32767, 1),
                  (6, 1768557600123, NULL, 1768557600, 1768557600123400, 1, 1),
                  (7, 1768557600124, 1768557600124, 1768557600, 1768557600123000, 1, NULL),
                  (8, 1768557600124, 9223372036854775807, 2147483647, 1768557600000000, 2, 1),
                  (9, 9223372036854775807, 7, NULL, 9223372036854775807, NULL, NULL)""");
    }

    @Test
    void anItemHasTimesInUtcWithThreeOrSixDigitsIfTheyAreNeeded() {
        assertThat(item(1))
                .isEqualTo("{\"sent_ms\":\"-292275055-05-16T16:47:04.192Z\",\"edited_ms\":null,"
                        + "\"seen_s\":\"1901-12-13T20:45:52Z\",\"at_us\":\"-290308-12-21T19:59:05.224192Z\","
                        + "\"tiny_s\":\"1969-12-31T14:53:52Z\"}");
        assertThat(item(2))
                .isEqualTo("{\"sent_ms\":\"-0001-12-31T23:59:59.999Z\",\"edited_ms\":null,"
                        + "\"seen_s\":\"1969-12-31T23:59:59Z\",\"at_us\":\"1969-12-31T23:59:59.999999Z\","
                        + "\"tiny_s\":\"1969-12-31T23:59:59Z\"}");
        assertThat(item(4))
                .isEqualTo("{\"sent_ms\":\"1970-01-01T00:00:00Z\",\"edited_ms\":\"1970-01-01T00:00:00.005Z\","
                        + "\"seen_s\":null,\"at_us\":null,\"tiny_s\":null}");
        assertThat(item(7))
                .isEqualTo("{\"sent_ms\":\"2026-01-16T10:00:00.124Z\",\"edited_ms\":\"2026-01-16T10:00:00.124Z\","
                        + "\"seen_s\":\"2026-01-16T10:00:00Z\",\"at_us\":\"2026-01-16T10:00:00.123Z\","
                        + "\"tiny_s\":\"1970-01-01T00:00:01Z\"}");
        assertThat(item(9))
                .isEqualTo("{\"sent_ms\":\"+292278994-08-17T07:12:55.807Z\",\"edited_ms\":\"1970-01-01T00:00:00.007Z\","
                        + "\"seen_s\":null,\"at_us\":\"+294247-01-10T04:00:54.775807Z\",\"tiny_s\":null}");
    }

    private static String item(int id) {
        String body = get("/api/signals?limit=1&from_id=" + id + "&fields=sent_ms,edited_ms,seen_s,at_us,tiny_s")
                .asString();
        return body.substring("{\"items\":[".length(), body.indexOf("],\"next_cursor\""));
    }

    /** A time that is finer than the unit lies between two numbers. One can be beyond the column's numbers, too. */
    @ParameterizedTest
    @CsvSource({
        "sent_ms=2026-01-16T10:00:00.124Z, sent_ms = 1768557600124",
        "sent_ms=2026-01-16T12:00:00.124%2B02:00, sent_ms = 1768557600124",
        "sent_ms=2026-01-16T10:00:00.1235Z, false",
        "sent_ms=2026-01-16T10:00:00.1235Z&sent_ms=1970-01-01T00:00:00Z, sent_ms = 0",
        "sent_ms=%2B292278994-08-17T07:12:55.807Z, sent_ms = 9223372036854775807",
        "sent_ms=infinity, false",
        "sent_ms=1970-01-01T00:00:00.001Z&sent_ms=1969-12-31T23:59:59.999Z, 'sent_ms IN (1, -1)'",
        "sent_ms.gte=2026-01-16T10:00:00.1235Z, sent_ms > 1768557600123",
        "sent_ms.gt=2026-01-16T10:00:00.1235Z, sent_ms > 1768557600123",
        "sent_ms.gt=2026-01-16T10:00:00.123Z, sent_ms > 1768557600123",
        "sent_ms.gte=2026-01-16T10:00:00.123Z, sent_ms >= 1768557600123",
        "sent_ms.lte=2026-01-16T10:00:00.1235Z, sent_ms <= 1768557600123",
        "sent_ms.lt=2026-01-16T10:00:00.1235Z, sent_ms <= 1768557600123",
        "sent_ms.lt=2026-01-16T10:00:00.123Z, sent_ms < 1768557600123",
        "sent_ms.lte=2026-01-16T10:00:00.123Z, sent_ms <= 1768557600123",
        "sent_ms.gt=1969-12-31T23:59:59.9985Z, sent_ms > -2",
        "sent_ms.lt=1969-12-31T23:59:59.9985Z, sent_ms < -1",
        "sent_ms.gte=1969-12-31T23:59:59.9995Z, sent_ms >= 0",
        "sent_ms.lte=1969-12-31T23:59:59.9995Z, sent_ms <= -1",
        "sent_ms.gte=infinity, false",
        "sent_ms.lt=infinity, true",
        "sent_ms.gt=-infinity, true",
        "sent_ms.lte=-infinity, false",
        "edited_ms.lt=infinity, edited_ms IS NOT NULL",
        "edited_ms.is=null, edited_ms IS NULL",
        "edited_ms.is=notnull&sent_ms.gt=1970-01-01T00:00:00Z, edited_ms IS NOT NULL AND sent_ms > 0",
        "seen_s=2026-01-16T10:00:00Z, seen_s = 1768557600",
        "seen_s=2026-01-16T10:00:00.001Z, false",
        "seen_s=2040-01-01T00:00:00Z, false",
        "seen_s.lt=2040-01-01T00:00:00Z, seen_s IS NOT NULL",
        "seen_s.gte=2040-01-01T00:00:00Z, false",
        "seen_s.gt=1900-01-01T00:00:00Z, seen_s IS NOT NULL",
        "seen_s.lte=1900-01-01T00:00:00Z, false",
        "seen_s.lte=-0043-03-15T00:00:00Z, false",
        "at_us=2026-01-16T10:00:00.123456Z, at_us = 1768557600123456",
        "at_us.gt=2026-01-16T10:00:00.1234Z&at_us.lt=9999-12-31T00:00:00Z, at_us = 1768557600123456",
        "at_us.gt=%2B294247-01-10T04:00:54.775807Z, false",
        "at_us.lt=%2B294270-01-01T00:00:00Z, at_us IS NOT NULL",
        "at_us.gte=-290309-01-01T00:00:00Z, at_us IS NOT NULL",
        "tiny_s.gt=1970-01-01T00:00:00Z, tiny_s > 0",
        "tiny_s=1970-01-01T09:06:07Z, tiny_s = 32767",
        "tiny_s=1970-01-01T09:06:08Z, false"
    })
    void aFilterComparesExactly(String filter, String condition) {
        List<String> expected = ids("SELECT id FROM signals WHERE " + condition + " ORDER BY sent_ms DESC, id DESC");
        JsonDocument page = read("/api/signals?count=exact&fields=id&" + filter);
        assertThat(page.getList("items.id")).isEqualTo(expected);
        assertThat(page.getInt("count.value")).isEqualTo(expected.size());
        assertThat(walk("/api/signals?limit=2&order=oldest-edited&" + filter))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "sent_ms=1768557600124, invalid_filter, sent_ms",
        "sent_ms=2026-01-16T10:00:00, invalid_filter, sent_ms",
        "sent_ms.gt=2026-01-16, invalid_filter, sent_ms.gt",
        "sent_ms.lt=2026-01-16T10:00:00.1234567Z, invalid_filter, sent_ms.lt",
        "from=1768557600124, invalid_anchor, from",
        "around=soon, invalid_anchor, around",
        "sent_ms.prefix=2, unknown_parameter, sent_ms.prefix"
    })
    void anythingButATimeIsRejected(String query, String code, String parameter) {
        JsonDocument problem = JsonDocument.of(get("/api/signals?" + query));
        assertThat(problem.getString("code")).isEqualTo(code);
        assertThat(problem.getString("parameter")).isEqualTo(parameter);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void aWalkInEveryOrderReturnsEveryRowOnce(int limit) {
        Map.of(
                        "newest", "sent_ms DESC, id DESC",
                        "oldest", "sent_ms, id",
                        "edited", "edited_ms DESC NULLS LAST, id DESC",
                        "oldest-edited", "edited_ms NULLS FIRST, id",
                        "seen", "seen_s, at_us DESC, id DESC")
                .forEach((order, by) -> assertThat(walk("/api/signals?order=" + order + "&limit=" + limit))
                        .as(order)
                        .isEqualTo(ids("SELECT id FROM signals ORDER BY " + by)));
    }

    /** A jump starts with the first item at or beyond the value, in the direction of the order. */
    @ParameterizedTest
    @CsvSource({
        "newest, 2026-01-16T10:00:00.124Z, sent_ms <= 1768557600124",
        "newest, 2026-01-16T10:00:00.1235Z, sent_ms <= 1768557600123",
        "newest, 2026-01-16T10:00:00.123Z, sent_ms <= 1768557600123",
        "newest, infinity, true",
        "newest, -0002-01-01T00:00:00Z, sent_ms < -62167219200001",
        "oldest, 2026-01-16T10:00:00.1235Z, sent_ms > 1768557600123",
        "oldest, 1969-12-31T23:59:59.9995Z, sent_ms >= 0",
        "oldest, -infinity, true",
        "edited, 1970-01-01T00:00:00.0055Z, 'edited_ms <= 5 OR edited_ms IS NULL'",
        "oldest-edited, 1970-01-01T00:00:00.0055Z, edited_ms >= 6",
        "seen, 2026-01-16T10:00:00.5Z, 'seen_s > 1768557600 OR seen_s IS NULL'",
        "seen, 2050-01-01T00:00:00Z, seen_s IS NULL",
        "seen, 1800-01-01T00:00:00Z, true"
    })
    void aJumpStartsAtTheNextNumber(String order, String from, String condition) {
        String by = JsonDocument.of(get("/api")).getString("feeds[name=signals].orders[name=" + order + "].by");
        List<String> expected = ids("SELECT id FROM signals WHERE " + condition + " ORDER BY " + by);
        JsonDocument page = Pages.read("/api/signals?order=" + order + "&from=" + from);
        assertThat(page.getList("items.id")).isEqualTo(expected);
        assertThat(page.getBoolean("has_prev")).isEqualTo(expected.size() < 9);
        if (expected.size() < 9) {
            JsonDocument before =
                    Pages.read("/api/signals?order=" + order + "&cursor=" + page.getString("prev_cursor"));
            assertThat(before.getList("items.id")).hasSize(9 - expected.size());
        }
    }

    @Test
    void anItemIsListedWithItsTimesByEveryProtocol() {
        List<Object> items = Pages.read("/api/signals?order=oldest").getList("items");
        assertThat(items).hasSize(9);
        assertThat(Pages.read("/v3/signals?order=oldest&limit=9").getList("result.rows"))
                .isEqualTo(items);
        assertThat(Pages.read("/v3/signals-by-offset?order=oldest&limit=9").getList("result.rows"))
                .isEqualTo(items);
        List<Object> exported = given().accept("application/x-ndjson")
                .get("/api/signals?order=oldest")
                .asString()
                .lines()
                .map(JsonDocument::of)
                .filter(line -> line.getMap("item") != null)
                .<Object>map(line -> line.getMap("item"))
                .toList();
        assertThat(exported).isEqualTo(items);
        String moment = Pages.read("/api/signals").getString("moment");
        run("UPDATE signals SET sent_ms = 2 WHERE id = 5");
        assertThat(Pages.read("/api/signals?since=" + moment).getList("items.sent_ms"))
                .contains("1970-01-01T00:00:00.002Z");
    }

    @Test
    void aLiveOrderIsPinned() {
        run("TRUNCATE signals");
        run("INSERT INTO signals SELECT i, i, i FROM generate_series(1, 6) i");
        JsonDocument first = Pages.read("/api/signals?order=oldest-edited&limit=2");
        run("UPDATE signals SET edited_ms = 1768557600124 WHERE id IN (1, 4)");
        JsonDocument second =
                Pages.read("/api/signals?order=oldest-edited&limit=9&cursor=" + first.getString("next_cursor"));
        assertThat(second.getList("items.id")).containsExactly("3", "5", "6");
    }

    /** The page shows the items in the order of their edits, last edit first. */
    @Test
    void aLiveWindowFollowsEditsAndMovesOfALiveOrderOfTimes() {
        run("TRUNCATE signals");
        run("INSERT INTO signals SELECT i, 1768557600000 + i, 1768557600000 + i FROM generate_series(1, 4) i");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String list = "order=edited&limit=3&fields=id,sent_ms,edited_ms";
        try (EventClient window = EventClient.open("/api/signals/live?" + list)) {
            Event page = window.nextEvent();
            assertThat(page.name()).isEqualTo("page");
            assertThat(page.json().getList("keys")).containsExactly("4", "3", "2");
            assertThat(page.json().getList("items.edited_ms"))
                    .containsExactly(
                            "2026-01-16T10:00:00.004Z", "2026-01-16T10:00:00.003Z", "2026-01-16T10:00:00.002Z");

            run("UPDATE signals SET sent_ms = 0 WHERE id = 3");
            JsonDocument edit = window.nextEvent().json();
            assertThat(edit.getList("placed")).isEmpty();
            assertThat(edit.getString("items[0]"))
                    .isEqualTo("{id=3, sent_ms=1970-01-01T00:00:00Z, edited_ms=2026-01-16T10:00:00.003Z}");

            run("UPDATE signals SET edited_ms = 1768557600999 WHERE id = 1");
            Event move = window.nextEvent();
            assertThat(move.name()).isEqualTo("change");
            assertThat(move.json().getList("removed")).containsExactly("2");
            assertThat(move.json().getList("placed").toString()).isEqualTo("[[1, null]]");
            assertThat(move.json().getString("items[0]"))
                    .isEqualTo("{id=1, sent_ms=2026-01-16T10:00:00.001Z, edited_ms=2026-01-16T10:00:00.999Z}");

            TestPostgres.awaitEndOfOpenQuarkusTransactions();
            JsonDocument refreshed = Pages.read("/api/signals?" + list + "&since=" + page.id());
            assertThat(refreshed.getList("keys")).containsExactly("1", "4", "3");
            assertThat(refreshed.getList("items.edited_ms"))
                    .containsExactly("2026-01-16T10:00:00.999Z", "2026-01-16T10:00:00.003Z");
        }
    }

    @Test
    void clientsSeeTheTypeOfATimestamp() {
        JsonDocument feeds = Pages.read("/api");
        assertThat(feeds.getList("feeds[name=signals].columns.type"))
                .containsExactly(
                        "bigint",
                        "timestamp with time zone",
                        "timestamp with time zone",
                        "timestamp with time zone",
                        "timestamp with time zone",
                        "timestamp with time zone");
        assertThat(feeds.getList("feeds[name=signals].filters.type")).containsOnly("timestamp with time zone");
    }

    private static List<Object> walk(String path) {
        JsonDocument page = read(path);
        List<Object> ids = new ArrayList<>(page.getList("items.id"));
        while (page.getBoolean("has_more")) {
            page = read(path + "&cursor=" + page.getString("next_cursor"));
            ids.addAll(page.getList("items.id"));
        }
        List<Object> backward = new ArrayList<>(page.getList("items.id"));
        while (page.getBoolean("has_prev")) {
            page = read(path + "&cursor=" + page.getString("prev_cursor"));
            backward.addAll(0, page.getList("items.id"));
        }
        assertThat(backward).as("backward").isEqualTo(ids);
        return ids;
    }

    private static JsonDocument read(String path) {
        return JsonDocument.of(given().urlEncodingEnabled(false).get(path));
    }

    private List<String> ids(String query) {
        return StreamSupport.stream(
                        pool.query(query)
                                .execute()
                                .await()
                                .atMost(Duration.ofSeconds(9))
                                .spliterator(),
                        false)
                .map(row -> row.getLong(0).toString())
                .toList();
    }

    private void run(String sql) {
        pool.query(sql).execute().await().atMost(Duration.ofSeconds(9));
    }
}
