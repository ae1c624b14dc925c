package dev.tidemark.http;

import static dev.tidemark.http.FeedResourceTest.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jumps, the end of a walk, and counts, as a client sees them. */
@QuarkusTest
@QuarkusTestResource(FeedServer.class)
class JumpOverHttpTest {

    /** The tide with the number i is of minute i. */
    private static final String INSERT =
            "insert into tides select i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute'"
                    + " from generate_series(%d, %d) as i";

    @BeforeEach
    void ten_tides() {
        execute("truncate tides");
        execute(INSERT.formatted(1, 10));
    }

    @Test
    void from_starts_the_page_at_the_first_item_at_or_beyond_the_value() {
        assertThat(ids("/api/tides?limit=3&from=2026-01-01T00:07:00Z")).isEqualTo(down(7, 5));
        assertThat(ids("/api/tides?limit=3&from=2026-01-01T00:07:30Z")).isEqualTo(down(7, 5));
        JsonPath page = page("/api/tides?limit=3&from=2026-01-01T00:07:00Z");
        assertThat(page.getBoolean("has_prev")).isTrue();
        assertThat(page.getBoolean("has_more")).isTrue();
    }

    @Test
    void around_has_half_the_page_before_the_value_and_fills_it_at_an_end() {
        assertThat(ids("/api/tides?limit=5&around=2026-01-01T00:05:00Z")).isEqualTo(down(7, 3));
        assertThat(ids("/api/tides?limit=4&around=2026-01-01T00:05:00Z")).isEqualTo(down(7, 4));
        assertThat(ids("/api/tides?limit=5&around=2026-01-01T00:01:00Z")).isEqualTo(down(5, 1));
        assertThat(ids("/api/tides?limit=5&around=2026-01-01T00:10:00Z")).isEqualTo(down(10, 6));
    }

    @Test
    void an_item_is_jumped_to_by_its_key() {
        assertThat(ids("/api/tides?limit=3&from_id=7")).isEqualTo(down(7, 5));
        assertThat(ids("/api/tides?limit=5&around_id=5")).isEqualTo(down(7, 3));
        assertThat(page("/api/twins?limit=1&from_id=1&from_id=y").getString("items[0].b"))
                .isEqualTo("y");
    }

    @Test
    void a_jump_beyond_the_end_is_a_place_to_come_back_from() {
        JsonPath page = page("/api/tides?limit=3&from=2025-01-01T00:00:00Z");
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getBoolean("has_more")).isFalse();
        assertThat(ids("/api/tides?limit=3&cursor=" + page.getString("prev_cursor")))
                .isEqualTo(down(3, 1));
        assertThat(page.getString("cursors.last")).isNotNull();
    }

    @Test
    void the_same_jump_gives_the_same_bytes() {
        for (String jump : List.of("around_id=5", "from=2026-01-01T00:07:00Z")) {
            assertThat(Wire.get("/api/tides?limit=4&" + jump).body())
                    .isEqualTo(Wire.get("/api/tides?limit=4&" + jump).body());
        }
    }

    @Test
    void a_hole_is_closed_down_to_the_old_bookmark() {
        String top = page("/api/tides?limit=4").getString("cursors.top");
        execute(INSERT.formatted(11, 17));
        assertThat(closed(top, 3)).isEqualTo(down(17, 11));
        assertThat(closed(top, 7)).as("the border is a page's").isEqualTo(down(17, 11));
        assertThat(closed(top, 8)).isEqualTo(down(17, 11));
    }

    @Test
    void a_hole_is_closed_as_well_when_the_bookmarks_item_is_gone() {
        String top = page("/api/tides?limit=4").getString("cursors.top");
        execute(INSERT.formatted(11, 13));
        execute("delete from tides where id in (9, 10, 11)");
        assertThat(closed(top, 1)).isEqualTo(down(13, 12));
    }

    @Test
    void nothing_new_is_an_empty_page_at_the_bookmark_itself() {
        String top = page("/api/tides?limit=4").getString("cursors.top");
        JsonPath page = page("/api/tides?limit=4&until=" + top);
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getBoolean("has_more")).isFalse();
        assertThat(ids("/api/tides?limit=4&cursor=" + page.getString("cursors.last")))
                .isEqualTo(down(10, 7));
    }

    @Test
    void a_count_is_exact_up_to_the_feeds_cap() {
        assertThat(page("/api/notes?limit=1&kind=rare&count=exact").getMap("count"))
                .isEqualTo(Map.of("value", 5, "relation", "exact"));
        assertThat(page("/api/notes?limit=1&count=exact").getMap("count"))
                .isEqualTo(Map.of("value", 20, "relation", "at_least"));
    }

    @Test
    void an_estimate_is_never_below_what_the_page_proves() {
        JsonPath page = page("/api/notes?limit=20&count=estimate");
        assertThat(page.getString("count.relation")).isEqualTo("estimate");
        assertThat(page.getInt("count.value")).isGreaterThanOrEqualTo(21);
    }

    @Test
    void a_count_stands_behind_all_other_members_and_only_where_it_was_asked_for() {
        assertThat(page("/api/notes?limit=1&count=exact").getMap("").keySet())
                .containsExactly(
                        "items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "count");
        assertThat(page("/api/notes?limit=1").getMap("")).doesNotContainKey("count");
    }

    /** What a client reads that was away: from the top down to the bookmark, until nothing more stands between. */
    private static List<String> closed(String bookmark, int limit) {
        List<String> read = new ArrayList<>();
        String list = "/api/tides?limit=" + limit + "&until=" + bookmark;
        JsonPath page = page(list);
        while (true) {
            read.addAll(page.getList("items.id"));
            String next = page.getString("next_cursor");
            assertThat(page.getBoolean("has_more")).isEqualTo(next != null);
            if (next == null) {
                return read;
            }
            page = page(list + "&cursor=" + next);
            assertThat(page.getList("items")).as("has_more was true").isNotEmpty();
        }
    }

    private static List<String> ids(String url) {
        return page(url).getList("items.id");
    }

    private static List<String> down(int high, int low) {
        return IntStream.rangeClosed(0, high - low)
                .mapToObj(i -> Integer.toString(high - i))
                .toList();
    }

    private static void execute(String sql) {
        String url = ConfigProvider.getConfig().getValue("quarkus.datasource.reactive.url", String.class);
        try (Connection connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
