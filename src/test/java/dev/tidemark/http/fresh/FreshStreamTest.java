package dev.tidemark.http.fresh;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.Await;
import dev.tidemark.http.RawRequest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(FreshTables.class)
class FreshStreamTest {

    private static final String NONE = "{\"count\":0,\"capped\":false}";
    private static final String ONE = "{\"count\":1,\"capped\":false}";
    private static final String TWO = "{\"count\":2,\"capped\":false}";

    private final List<EventStream> open = new ArrayList<>();

    @BeforeEach
    void asItWas() {
        FreshTables.execute("delete from notes where id > 200; delete from parcels where id > 10");
    }

    @AfterEach
    void everyStreamThatEndsIsFreed() {
        open.forEach(EventStream::close);
        Await.until("no stream is open", () -> FreshMetrics.streams() == 0);
        Await.until("no list is watched", () -> FreshMetrics.lists() == 0);
    }

    @Test
    void the_number_comes_at_once_and_whenever_it_changes() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
        FreshTables.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(TWO);
        FreshTables.execute("delete from notes where id = 301");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void nobody_on_the_way_keeps_it_back() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream;charset=UTF-8");
        assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
        assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(stream.header("Content-Encoding")).isNull();
        assertThat(stream.header("Content-Length")).isNull();
    }

    @Test
    void a_change_that_leaves_the_number_as_it_was_is_no_event() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        int looks = FreshMetrics.looks();
        FreshTables.execute("update notes set room = 'a' where id = 5");
        Await.until("it was looked at", () -> FreshMetrics.looks() > looks);
        FreshTables.execute("insert into notes values (301)");
        assertThat(stream.next()).as("the next event").isEqualTo(ONE);
    }

    @Test
    void a_filter_and_an_order_are_those_of_the_list() {
        String cursor = page("/api/notes?room=b&order=oldest&limit=1").getString("cursors.last");
        assertThat(cursor).as("an empty list has no bookmark").isNull();
        FreshTables.execute("insert into notes values (301, 'b')");
        cursor = page("/api/notes?room=b&order=oldest&limit=1").getString("cursors.last");
        EventStream stream = open("/api/notes/fresh?room=b&order=oldest&cursor=" + cursor);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("insert into notes values (302, 'a'), (303, 'b')");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void an_edit_shows_in_a_live_order() {
        FreshTables.execute("update notes set edited_at = now() where id = 200");
        String cursor = page("/api/notes?order=edited&limit=1").getString("cursors.top");
        EventStream stream = open("/api/notes/fresh?order=edited&cursor=" + cursor);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("update notes set edited_at = now() where id = 7");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void a_comment_keeps_the_connection_from_looking_idle() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        stream.nextComment();
        stream.nextComment();
        assertThat(stream.next()).isEqualTo(NONE);
        assertThat(stream.peek()).isNull();
    }

    @Test
    void a_table_without_the_trigger_is_looked_at_at_intervals() {
        EventStream stream = open("/api/parcels/fresh?cursor=" + top("parcels"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("insert into parcels values (11)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void a_view_is_looked_at_at_intervals() {
        EventStream stream = open("/api/some_notes/fresh?cursor=" + top("some_notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void after_the_connection_that_listens_was_ended_nothing_is_missed() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name = 'tidemark listens' and datname = current_database()");
        FreshTables.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
        FreshTables.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(TWO);
    }

    @Test
    void all_connections_may_end_and_the_stream_goes_on() {
        EventStream stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshTables.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()");
        FreshTables.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void what_fails_before_the_first_number_is_a_problem_like_any_other() {
        String cursor = top("gone");
        FreshTables.execute("alter table gone rename to away");
        try {
            EventStream stream = open("/api/gone/fresh?cursor=" + cursor);
            assertThat(stream.status()).isEqualTo(503);
            assertThat(stream.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(stream.header("Retry-After")).isEqualTo("1");
        } finally {
            FreshTables.execute("alter table away rename to gone");
            Await.until("it is served again", () -> RawRequest.get("/api/gone").status() == 200);
        }
    }

    @Test
    void who_goes_before_the_first_number_is_freed_too() throws Exception {
        String url = "/api/gone/fresh?cursor=" + top("gone");
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (Connection other = FreshTables.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table gone in access exclusive mode");
            try (Socket client = new Socket("localhost", port)) {
                String request = "GET " + url + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
                client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                Await.until("it waits for its first number", () -> FreshMetrics.streams() == 1);
            }
            Await.until("it is gone", () -> FreshMetrics.streams() == 0);
            other.rollback();
        }
    }

    private EventStream open(String url) {
        EventStream stream = EventStream.open(url);
        open.add(stream);
        return stream;
    }

    private static String top(String feed) {
        return page("/api/" + feed + "?limit=1").getString("cursors.top");
    }

    private static JsonPath page(String url) {
        return given().get(url).jsonPath();
    }
}
