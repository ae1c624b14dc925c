package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A feed with an order by last activity, and with filters inside {@code jsonb}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class DerivedColumnsOverHttpTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final TestStreams streams = new TestStreams();

    @BeforeEach
    void fillTable() {
        run("TRUNCATE dossiers");
        run("INSERT INTO people VALUES (1, 'Ada') ON CONFLICT (id) DO UPDATE SET name = 'Ada'");
        run("""
                INSERT INTO dossiers SELECT i, '2026-01-01Z'::timestamptz + i * interval '1 hour',
                  CASE WHEN i % 4 = 0 THEN '2026-02-01Z'::timestamptz - i * interval '1 hour' END,
                  CASE i % 3 WHEN 0 THEN '{}' WHEN 1 THEN '{"kind": "in_voice", "size": 9007199254740993}'
                    ELSE jsonb_build_object('kind', 'letter', 'size', i) END,
                  CASE WHEN i % 2 = 0 THEN 1 END
                FROM generate_series(1, 12) i""");
    }

    @AfterEach
    void close() {
        streams.close();
    }

    @Test
    void aDerivedColumnIsAMemberOfAnItemInTheFormOfItsType() {
        assertThat(Pages.read("/api/dossiers?limit=1&from_id=1").getString("items[0]"))
                .isEqualTo("{id=1, activity=2026-01-01T01:00:00Z, kind=in_voice, size=9007199254740993, author=null}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /api/dossiers                                          | 4 8 12 11 10 9 7 6 5 3 2 1
            /api/dossiers?order=size                               | 3 6 9 12 2 5 8 11 1 4 7 10
            /api/dossiers?kind=letter                              | 8 11 5 2
            /api/dossiers?kind=letter&kind=in_voice                | 4 8 11 10 7 5 2 1
            /api/dossiers?kind.is=null                             | 12 9 6 3
            /api/dossiers?kind.prefix=in_                          | 4 10 7 1
            /api/dossiers?kind.contains=N_V                        | 4 10 7 1
            /api/dossiers?size.gte=5&size.lt=9                     | 8 5
            /api/dossiers?activity.gte=2026-01-02T00:00:00Z        | 4 8 12
            /api/dossiers?order=size&kind=letter                   | 2 5 8 11
            """)
    void everyListIsWalkedForwardAndBack(String list, String expected) {
        for (int limit : new int[] {1, 2, 5}) {
            String page = list + (list.contains("?") ? "&" : "?") + "fields=id&limit=" + limit;
            List<String> forward = new ArrayList<>();
            JsonDocument read = Pages.read(page);
            forward.addAll(read.getList("items.id"));
            while (read.getBoolean("has_more")) {
                read = Pages.read(page + "&cursor=" + read.getString("next_cursor"));
                forward.addAll(read.getList("items.id"));
            }
            assertThat(String.join(" ", forward)).isEqualTo(expected);
            List<String> backward = new ArrayList<>(read.getList("items.id"));
            while (read.getBoolean("has_prev")) {
                read = Pages.read(page + "&cursor=" + read.getString("prev_cursor"));
                backward.addAll(0, read.getList("items.id"));
            }
            assertThat(String.join(" ", backward)).isEqualTo(expected);
        }
    }

    @Test
    void jumpsCountsExportsAndTheUniversalProtocolTakeADerivedOrder() {
        assertThat(Pages.read("/api/dossiers?limit=3&around=2026-01-01T11:00:00Z")
                        .getList("items.id"))
                .isEqualTo(List.of("12", "11", "10"));
        assertThat(Pages.read("/api/dossiers?limit=2&from_id=6&kind.is=null&count=exact")
                        .getString("count"))
                .isEqualTo("{value=4, relation=exact}");
        JsonPath first = JsonPath.from(given().get("/v3/dossiers?limit=3").asString());
        assertThat(first.getList("result.rows.id")).isEqualTo(List.of("4", "8", "12"));
        assertThat(JsonPath.from(given().get("/v3/dossiers?limit=3&after=" + first.getString("result.paging.next"))
                                .asString())
                        .getList("result.rows.id"))
                .isEqualTo(List.of("11", "10", "9"));
        assertThat(given().accept("application/x-ndjson")
                        .get("/api/dossiers?fields=id,size,author&kind=letter&limit=2")
                        .asString())
                .contains("{\"item\":{\"id\":\"8\",\"size\":\"8\",\"author\":{\"name\":\"Ada\"}}}\n"
                        + "{\"item\":{\"id\":\"11\",\"size\":\"11\",\"author\":null}}");
    }

    @Test
    void aRefreshSendsTheRowsThatWereWrittenAtTheirNewPlace() {
        String moment = Pages.read("/api/dossiers").getString("moment");
        run("UPDATE dossiers SET edited_at = '2026-03-01Z', detail = detail || '{\"size\": 1}' WHERE id = 2");
        JsonDocument refreshed = Pages.read("/api/dossiers?since=" + moment);
        assertThat(refreshed.getList("keys")).startsWith("2", "4", "8").hasSize(12);
        assertThat(refreshed.getString("items"))
                .isEqualTo("[{id=2, activity=2026-03-01T00:00:00Z, kind=letter, size=1, author={name=Ada}}]");
    }

    @Test
    void aLiveWindowMovesTheItemsWhoseActivityChanges() {
        EventClient stream = streams.open("/api/dossiers/live?limit=3&fields=id,activity");
        assertThat(stream.nextEvent().data()).contains("\"keys\":[\"4\",\"8\",\"12\"]");
        run("UPDATE dossiers SET edited_at = '2026-03-01Z' WHERE id = 3");
        assertThat(stream.nextEvent().data()).contains("2026-03-01T00:00:00Z");
    }

    @Test
    void freshCountsWhatIsBeforeAPositionOfADerivedOrder() {
        String top = Pages.read("/api/dossiers?limit=1").getString("cursors.top");
        run("UPDATE dossiers SET edited_at = '2026-03-01Z' WHERE id IN (3, 5)");
        assertThat(given().get("/api/dossiers/fresh?cursor=" + top).asString())
                .isEqualTo("{\"count\":2,\"capped\":false}");
    }

    @Test
    void anExpressionThatFailsForARowMakesTheFeedUnavailable() {
        run("UPDATE dossiers SET detail = '{\"size\": \"many\"}' WHERE id = 12");
        assertThat(given().get("/api/dossiers").jsonPath().getString("code")).isEqualTo("feed_unavailable");
        run("UPDATE dossiers SET detail = '{}' WHERE id = 12");
        assertThat(given().get("/api/dossiers").statusCode()).isEqualTo(200);
    }

    private void run(String sql) {
        pool.query(sql).execute().await().indefinitely();
    }
}
