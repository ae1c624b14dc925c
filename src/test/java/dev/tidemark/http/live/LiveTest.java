package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.events.TestStreams;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of the cards 1 to 9, which are ordered newest first. A window has at most 12 items. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
@Timeout(60)
class LiveTest {

    private static final String SLEEPING_SESSIONS =
            "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

    private static final String EVENT_STREAM = "text/event-stream";

    @Inject
    LiveWindows windows;

    @Inject
    ServedFeeds feeds;

    @Inject
    CursorSealer cursors;

    @Inject
    Vertx vertx;

    private final TestStreams streams = new TestStreams();
    private int opened;

    @BeforeEach
    void fillTables() {
        run("TRUNCATE cards; INSERT INTO cards SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute',"
                + " NULL, 'card', repeat('x', i) FROM generate_series(1, 9) i");
        run(
                "TRUNCATE legs; INSERT INTO legs SELECT '2025-12-30'::date + i, i, i || ' km' FROM generate_series(0, 3) i");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
    }

    @AfterEach
    void closeStreams() {
        streams.close();
        OpenLiveStreams.awaitNoWindow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /api/letters/live                        | 400 | not_supported          |
            /api/cards/live?from=2026-01-01T00:00:00Z | 400 | not_supported         | from
            /api/cards/live?around=2026-01-01T00:00:00Z | 400 | not_supported       | around
            /api/cards/live?from_id=3                | 400 | not_supported          | from_id
            /api/cards/live?around_id=3              | 400 | not_supported          | around_id
            /api/cards/live?count=exact              | 400 | not_supported          | count
            /api/cards/live?offset=3                 | 400 | not_supported          | offset
            /api/cards/live?page=2                   | 400 | not_supported          | page
            /api/cards/live?skip=2                   | 400 | not_supported          | skip
            /api/cards/live?titel=a                  | 400 | unknown_parameter      | titel
            /api/cards/live?last_event_id=a          | 400 | unknown_parameter      | last_event_id
            /api/cards/live?limit=0                  | 400 | invalid_limit          | limit
            /api/cards/live?limit=-1                 | 400 | invalid_limit          | limit
            /api/cards/live?limit=some               | 400 | invalid_limit          | limit
            /api/cards/live?limit=                   | 400 | invalid_limit          | limit
            /api/cards/live?cursor=                  | 400 | invalid_cursor         | cursor
            /api/cards/live?cursor=rubbish           | 400 | invalid_cursor         | cursor
            /api/cards/live?until=                   | 400 | invalid_cursor         | until
            /api/cards/live?until=rubbish            | 400 | invalid_cursor         | until
            /api/cards/live?since=                   | 400 | invalid_moment         | since
            /api/cards/live?since=rubbish            | 400 | invalid_moment         | since
            /api/cards/live?order=best               | 400 | unknown_order          | order
            /api/cards/live?fields=id,price          | 400 | invalid_fields         | fields
            /api/cards/live?fields=                  | 400 | invalid_fields         | fields
            /api/cards/live?limit=1&limit=2          | 400 | conflicting_parameters | limit
            /api/cards/live?since=a&since=b          | 400 | conflicting_parameters | since
            /api/nothing/live                        | 404 | unknown_feed           |
            """)
    void whatFailsBeforeTheFirstEventIsAProblem(String target, int status, String code, String parameter) {
        for (String method : List.of("GET", "HEAD")) {
            Response response = send(method, target, "Accept", EVENT_STREAM);
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
            if (method.equals("GET")) {
                assertThat(JsonDocument.of(response).getString("code")).isEqualTo(code);
                assertThat(JsonDocument.of(response).getString("parameter")).isEqualTo(parameter);
            }
        }
    }

    @Test
    void aCursorOfAnotherListIsAMismatch() {
        String cursor = Pages.read("/api/cards?order=title&limit=2").getString("next_cursor");
        for (String parameter : List.of("cursor", "until")) {
            JsonDocument problem =
                    JsonDocument.of(get("/api/cards/live?" + parameter + "=" + cursor, "Accept", EVENT_STREAM));
            assertThat(problem.getString("code")).isEqualTo("cursor_mismatch");
            assertThat(problem.getString("parameter")).isEqualTo(parameter);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-ndjson", "text/plain"})
    void aRequestThatDoesNotAcceptAnEventStreamIsNotAcceptable(String accept) {
        Response response = get("/api/cards/live", "Accept", accept);
        assertThat(response.statusCode()).isEqualTo(406);
        assertThat(JsonDocument.of(response).getString("code")).isEqualTo("not_acceptable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/event-stream",
                "text/*",
                "*/*",
                "text/event-stream, */*;q=0",
                "application/json;q=0, text/event-stream",
                "application/json, text/event-stream;q=0.1"
            })
    void aHeadRequestGetsTheHeadersAndNoStream(String accept) {
        Response head = head("/api/cards/live", "Accept", accept);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.asByteArray()).isEmpty();
        EventClient stream = open("/api/cards/live");
        assertThat(stream.status()).isEqualTo(200);
        for (String header : List.of("Content-Type", "Cache-Control", "Vary", "X-Accel-Buffering")) {
            assertThat(head.header(header)).as(header).isEqualTo(stream.header(header));
        }
    }

    @Test
    void aRequestWithoutAcceptGetsAStream() {
        assertThat(head("/api/cards/live").statusCode()).isEqualTo(200);
    }

    @Test
    void onlyGetAndHeadAreAllowed() {
        Response response = send("POST", "/api/cards/live", "Accept", EVENT_STREAM);
        assertThat(response.statusCode()).isEqualTo(405);
    }

    @Test
    void theHeadersPreventProxiesFromBufferingAndCachesFromStoring() {
        EventClient stream = open("/api/cards/live");
        assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream;charset=UTF-8");
        assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
        assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(stream.header("Content-Encoding")).isNull();
        assertThat(stream.header("Content-Length")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "&order=title", "&order=edited", "&title=card", "&title=none", "&fields=id,body", "&limit=4"
            })
    void theFirstEventIsThePageThatTheSameRequestWithSinceGets(String query) {
        String moment = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id IN (2, 8)");
        String page = text(get("/api/cards?since=" + moment + (query.startsWith("&limit") ? "" : "&limit=12") + query));
        Event first = open("/api/cards/live?since=" + moment + query).nextEvent();
        assertThat(first.name()).isEqualTo("page");
        Map<String, String> expected = RawJson.members(page);
        Map<String, String> members = RawJson.members(first.data());
        assertThat(members.keySet()).containsExactlyElementsOf(expected.keySet());
        expected.remove("moment");
        assertThat(members).containsAllEntriesOf(expected);
    }

    @Test
    void theFirstEventHasAllItemsIfTheClientHoldsNothing() {
        Event first = open("/api/cards/live").nextEvent();
        assertThat(first.json().getList("keys").toString()).isEqualTo("[9, 8, 7, 6, 5, 4, 3, 2, 1]");
        assertHolds(new WindowCopy("id").apply(first, true), "/api/cards");
        assertThat(first.json().getString("moment")).isEqualTo(first.id());
    }

    @Test
    void everyEventHasAMomentAsItsId() {
        EventClient stream = open("/api/cards/live");
        String first = stream.nextEvent().id();
        run("UPDATE cards SET body = 'one' WHERE id = 5");
        String second = stream.nextEvent().id();
        assertThat(since(first)).containsExactly("5");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        run("UPDATE cards SET body = 'two' WHERE id = 6");
        String third = stream.nextEvent().id();
        assertThat(since(second)).contains("6");
        run("UPDATE cards SET body = 'three' WHERE id = 7");
        assertThat(since(third)).contains("7");
    }

    @Test
    void aClientResumesWithTheIdOfItsLastEvent() {
        EventClient before = open("/api/cards/live");
        WindowCopy copy = new WindowCopy("id").apply(before.nextEvent(), true);
        before.close();
        run("UPDATE cards SET body = 'new' WHERE id = 4; DELETE FROM cards WHERE id = 8");
        Event first = resume("/api/cards/live", copy.moment()).nextEvent();
        assertThat(first.json().getList("items.id")).isEqualTo(List.of("4"));
        copy.apply(first, true);
        assertHolds(copy, "/api/cards");
    }

    @Test
    void aClientThatResumesGetsTheItemsWhoseTypeHasChanged() {
        String moment = open("/api/crates/live").nextEvent().id();
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        run("ALTER TYPE measure ADD ATTRIBUTE height int");
        try {
            Await.until("all items are sent", () -> firstItems(resume("/api/crates/live", moment))
                    .equals(List.of("3", "2", "1")));
            WindowCopy copy =
                    new WindowCopy("id").apply(open("/api/crates/live").nextEvent(), true);
            assertHolds(copy, "/api/crates");
        } finally {
            run("ALTER TYPE measure DROP ATTRIBUTE height");
        }
    }

    @Test
    void theHeaderLastEventIdCountsInsteadOfSince() {
        String since = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String lastEvent = moment("/api/cards");
        String target = "/api/cards/live?since=" + since;
        assertThat(resume(target, lastEvent).nextEvent().json().getList("items"))
                .isEmpty();
        assertThat(open(target).nextEvent().json().getList("items.id")).isEqualTo(List.of("4"));
        Response invalid = get(target, "Accept", EVENT_STREAM, "Last-Event-ID", "rubbish");
        assertThat(JsonDocument.of(invalid).getString("code")).isEqualTo("invalid_moment");
        assertThat(JsonDocument.of(invalid).getString("parameter")).isEqualTo("Last-Event-ID");
    }

    /**
     * Scripts that replace EventSource send it because they cannot send the header, and empty if there was no event.
     */
    @Test
    void theParameterLastEventIdMeansTheSameAsTheHeader() {
        String since = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String last = moment("/api/cards");
        assertThat(firstItems(open("/api/cards/live?lastEventId=" + last))).isEmpty();
        assertThat(firstItems(open("/api/cards/live?lastEventId=" + since))).containsExactly("4");
        assertThat(firstItems(open("/api/cards/live?since=" + since + "&lastEventId=" + last)))
                .isEmpty();
        assertThat(firstItems(resume("/api/cards/live?lastEventId=" + since, last)))
                .as("the header counts instead")
                .isEmpty();
        Response invalid = get("/api/cards/live?lastEventId=rubbish", "Accept", EVENT_STREAM);
        assertThat(JsonDocument.of(invalid).getString("code")).isEqualTo("invalid_moment");
        assertThat(JsonDocument.of(invalid).getString("parameter")).isEqualTo("lastEventId");
        Response twice = get("/api/cards/live?lastEventId=" + last + "&lastEventId=" + since, "Accept", EVENT_STREAM);
        assertThat(JsonDocument.of(twice).getString("code")).isEqualTo("conflicting_parameters");
        assertThat(JsonDocument.of(get("/api/cards?lastEventId=" + last)).getString("code"))
                .isEqualTo("unknown_parameter");
    }

    @Test
    void anEmptyLastEventIdCountsAsAbsent() {
        String since = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        int all = firstItems(open("/api/cards/live")).size();
        assertThat(firstItems(resume("/api/cards/live", ""))).hasSize(all);
        assertThat(firstItems(open("/api/cards/live?lastEventId="))).hasSize(all);
        assertThat(firstItems(resume("/api/cards/live?since=" + since, ""))).containsExactly("4");
        assertThat(firstItems(resume("/api/cards/live?lastEventId=" + since, "")))
                .containsExactly("4");
        assertThat(firstItems(open("/api/cards/live?lastEventId=&since=" + since)))
                .containsExactly("4");
    }

    private static List<String> firstItems(EventClient stream) {
        return stream.nextEvent().json().getList("items.id", String.class);
    }

    @Test
    void eachStreamSaysOnceWhenToConnectAgain() {
        Set<Integer> retries = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            EventClient stream = open("/api/cards/live");
            stream.nextEvent();
            if (i == 0) {
                run("UPDATE cards SET body = 'new' WHERE id = 4");
                stream.nextEvent();
            }
            assertThat(stream.retries())
                    .singleElement(InstanceOfAssertFactories.INTEGER)
                    .isBetween(1_000, 5_000);
            retries.addAll(stream.retries());
        }
        assertThat(retries).hasSizeGreaterThan(1);
    }

    @Test
    void clientsThatResumeTogetherGetWhatTheyNeed() {
        EventClient following = open("/api/cards/live");
        following.nextEvent();
        String early = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        following.nextEvent();
        EventClient resuming = open("/api/cards/live?since=" + early);
        EventClient joining = open("/api/cards/live");
        assertThat(resuming.nextEvent().json().getList("items.id")).contains("4");
        assertThat(joining.nextEvent().json().getList("items")).hasSize(9);
        run("UPDATE cards SET body = 'newer' WHERE id = 4");
        for (EventClient stream : List.of(following, resuming, joining)) {
            assertThat(stream.nextEvent().json().getList("items.body")).isEqualTo(List.of("newer"));
        }
    }

    /** The server has not sent the items to the client that resumes, but they did not change. */
    @Test
    void aClientThatHasResumedGetsNoItemsBecauseAnotherJoins() {
        EventClient resumed = open("/api/cards/live?since=" + moment("/api/cards"));
        assertThat(resumed.nextEvent().json().getList("items")).isEmpty();
        open("/api/cards/live").nextEvent();
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        assertThat(resumed.nextEvent().json().getList("items.id")).isEqualTo(List.of("4"));
    }

    @Test
    void aWindowStartsAtTheGapOfACursorOfEitherDirection() {
        JsonDocument first = Pages.read("/api/cards?limit=3");
        JsonDocument second = Pages.read("/api/cards?limit=3&cursor=" + first.getString("next_cursor"));
        for (String cursor : List.of(
                first.getString("next_cursor"), second.getString("prev_cursor"), second.getString("cursors.top"))) {
            Event page = open("/api/cards/live?cursor=" + cursor).nextEvent();
            assertThat(page.json().getList("keys").toString()).isEqualTo("[6, 5, 4, 3, 2, 1]");
            assertThat(page.json().getBoolean("has_prev")).isTrue();
            assertThat(page.json().getBoolean("has_more")).isFalse();
        }
    }

    @Test
    void aWindowEndsAtTheGapOfACursorOfEitherDirection() {
        JsonDocument first = Pages.read("/api/cards?limit=3");
        JsonDocument second = Pages.read("/api/cards?limit=3&cursor=" + first.getString("next_cursor"));
        for (String until : List.of(
                first.getString("next_cursor"), second.getString("prev_cursor"), first.getString("cursors.last"))) {
            EventClient stream = open("/api/cards/live?until=" + until);
            Event page = stream.nextEvent();
            assertThat(page.json().getList("keys").toString()).isEqualTo("[9, 8, 7]");
            assertThat(page.json().getBoolean("has_more"))
                    .as("items before the end")
                    .isFalse();
            assertThat(page.json().getBoolean("has_prev")).isFalse();
        }
        Event between = open("/api/cards/live?cursor=" + first.getString("next_cursor") + "&until="
                        + second.getString("next_cursor"))
                .nextEvent();
        assertThat(between.json().getList("keys").toString()).isEqualTo("[6, 5, 4]");
        Event nothing = open("/api/cards/live?cursor=" + second.getString("next_cursor") + "&until="
                        + first.getString("next_cursor"))
                .nextEvent();
        assertThat(nothing.json().getList("keys")).isEmpty();
        assertThat(nothing.json().getBoolean("has_prev")).isTrue();
    }

    @Test
    void itemsComeInOnlyBetweenTheTwoGaps() {
        JsonDocument page = Pages.read("/api/cards?limit=3");
        EventClient stream = open(
                "/api/cards/live?cursor=" + page.getString("cursors.top") + "&until=" + page.getString("next_cursor"));
        WindowCopy copy = new WindowCopy("id").apply(stream.nextEvent(), true);
        insert(20, "00:07:30");
        insert(21, "00:06:30");
        copy.apply(stream.nextEvent(), false);
        while (copy.keys().size() < 4) {
            copy.apply(stream.nextEvent(), false);
        }
        assertThat(copy.keys()).containsExactly("\"9\"", "\"8\"", "\"20\"", "\"7\"");
        insert(22, "00:10:00");
        copy.apply(stream.nextEvent(), false);
        assertThat(copy.keys()).hasSize(4);
        assertThat(copy.hasPrevious()).as("an item before the window").isTrue();
    }

    @Test
    void newItemsComeInAtTheTopOfAWindowThatStartsAtTheStartOfTheList() {
        EventClient stream = open("/api/cards/live");
        stream.nextEvent();
        insert(20, "00:10:00");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("placed").toString()).isEqualTo("[[20, null]]");
        assertThat(change.getList("removed")).isEmpty();
        assertThat(change.getList("items.id")).isEqualTo(List.of("20"));
        assertThat(change.getBoolean("has_prev")).isFalse();
    }

    @Test
    void theLimitIsLoweredToTheMaximumWhichIsAlsoTheDefault() {
        run("INSERT INTO cards SELECT i, '2025-01-01', NULL, 'old', NULL FROM generate_series(10, 30) i");
        for (String query : List.of("", "?limit=13", "?limit=100000000000", "?limit=12")) {
            Event page = open("/api/cards/live" + query).nextEvent();
            assertThat(page.json().getInt("limit")).isEqualTo(12);
            assertThat(page.json().getList("keys")).hasSize(12);
        }
    }

    @Test
    void hasMoreIsTrueExactlyWhenTheWindowHoldsMoreThanTheLimit() {
        EventClient exact = open("/api/cards/live?limit=9");
        EventClient full = open("/api/cards/live?limit=8");
        assertThat(exact.nextEvent().json().getBoolean("has_more")).isFalse();
        Event first = full.nextEvent();
        assertThat(first.json().getBoolean("has_more")).isTrue();
        assertThat(first.json().getString("next_cursor")).isNotNull();

        run("DELETE FROM cards WHERE id = 1");
        JsonDocument change = full.nextEvent().json();
        assertThat(change.getBoolean("has_more")).isFalse();
        assertThat(change.getList("removed")).isEmpty();
        assertThat(change.getList("items")).isEmpty();
        assertThat(exact.nextEvent().json().getList("removed")).isEqualTo(List.of("1"));

        run("INSERT INTO cards SELECT i, '2025-01-01', NULL, 'old', NULL FROM generate_series(10, 11) i");
        assertThat(full.nextEvent().json().getBoolean("has_more")).isTrue();
        change = exact.nextEvent().json();
        assertThat(change.getList("items.id")).isEqualTo(List.of("11"));
        assertThat(change.getBoolean("has_more")).isTrue();
    }

    @Test
    void anItemThatMovesUpIntoAFullWindowComesWithItsItem() {
        EventClient stream = open("/api/cards/live?limit=4");
        WindowCopy copy = new WindowCopy("id").apply(stream.nextEvent(), true);
        run("DELETE FROM cards WHERE id IN (9, 7)");
        copy.apply(stream.nextEvent(), false);
        assertThat(copy.keys()).containsExactly("\"8\"", "\"6\"", "\"5\"", "\"4\"");
        assertHolds(copy, "/api/cards?limit=4");
    }

    @Test
    void anItemThatLeavesAFullWindowIsRemoved() {
        EventClient stream = open("/api/cards/live?limit=4");
        stream.nextEvent();
        insert(20, "00:08:30");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("6"));
        assertThat(change.getList("placed").toString()).isEqualTo("[[20, 9]]");
    }

    @Test
    void aChangeNamesRemovedPlacedAndEditedItems() {
        EventClient stream = open("/api/cards/live");
        stream.nextEvent();
        run("DELETE FROM cards WHERE id = 5; UPDATE cards SET body = 'new' WHERE id IN (2, 8);"
                + " INSERT INTO cards VALUES (20, '2026-01-01T00:00:30Z', NULL, 'card', NULL),"
                + " (21, '2026-01-01T00:00:40Z', NULL, 'card', NULL)");
        Event event = stream.nextEvent();
        assertThat(event.name()).isEqualTo("change");
        Map<String, String> change = RawJson.members(event.data());
        assertThat(change.keySet()).containsExactly("removed", "placed", "items", "has_more", "has_prev", "cursors");
        assertThat(change.get("removed")).isEqualTo("[\"5\"]");
        assertThat(change.get("placed")).isEqualTo("[[\"21\",\"1\"],[\"20\",\"21\"]]");
        assertThat(event.json().getList("items.id")).isEqualTo(List.of("8", "2", "21", "20"));
        assertThat(change.get("cursors")).isEqualTo(member("cursors", "/api/cards?limit=12&since=" + event.id()));
    }

    @Test
    void anItemThatMovesIsRemovedAndPlaced() {
        EventClient stream = open("/api/cards/live");
        stream.nextEvent();
        run("UPDATE cards SET at = '2026-01-01T00:08:30Z' WHERE id = 2");
        Map<String, String> change = RawJson.members(stream.nextEvent().data());
        assertThat(change.get("removed")).isEqualTo("[\"2\"]");
        assertThat(change.get("placed")).isEqualTo("[[\"2\",\"9\"]]");
        assertThat(RawJson.elements(change.get("items"))).hasSize(1);
    }

    @Test
    void aKeyThatChangesIsRemovedAndTheNewOneIsPlaced() {
        EventClient stream = open("/api/cards/live");
        stream.nextEvent();
        run("UPDATE cards SET id = 50 WHERE id = 5");
        Map<String, String> change = RawJson.members(stream.nextEvent().data());
        assertThat(change.get("removed")).isEqualTo("[\"5\"]");
        assertThat(change.get("placed")).isEqualTo("[[\"50\",\"6\"]]");
    }

    /** The table has no trigger, so it is polled. */
    @Test
    void aKeyOfSeveralColumnsIsAnArray() {
        EventClient stream = open("/api/legs/live");
        WindowCopy copy = new WindowCopy("day", "number").apply(stream.nextEvent(), true);
        assertThat(copy.keys()).startsWith("[\"2025-12-30\",0]");
        run("UPDATE legs SET distance = 'far' WHERE number = 1; UPDATE legs SET day = '2026-06-01' WHERE number = 0");
        Event event = stream.nextEvent();
        Map<String, String> change = RawJson.members(event.data());
        assertThat(change.get("removed")).isEqualTo("[[\"2025-12-30\",0]]");
        assertThat(change.get("placed")).isEqualTo("[[[\"2026-06-01\",0],[\"2026-01-02\",3]]]");
        copy.apply(event, false);
        assertHolds(copy, "/api/legs");
    }

    @Test
    void aFullWindowOfMoreThanAThousandItemsIsReadWholeWhenAnItemMovesUp() {
        run("INSERT INTO legs SELECT '2026-02-01', i, 'far' FROM generate_series(1, 1500) i");
        EventClient stream = open("/api/legs/live?limit=1200");
        WindowCopy copy = new WindowCopy("day", "number").apply(stream.nextEvent(), true);
        assertThat(copy.keys()).hasSize(1200);
        run("DELETE FROM legs WHERE number = 7");
        copy.apply(stream.nextEvent(), false);
        assertThat(copy.keys()).hasSize(1200).endsWith("[\"2026-02-01\",1197]");
    }

    @Test
    void anItemThatNoLongerMatchesTheFilterOrTheFeedIsRemoved() {
        EventClient stream = open("/api/cards/live?title=card");
        stream.nextEvent();
        run("UPDATE cards SET title = 'other' WHERE id = 3; UPDATE cards SET gone = true WHERE id = 6");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("6", "3"));
        assertThat(change.getList("items")).isEmpty();
        run("UPDATE cards SET title = 'card' WHERE id = 3; UPDATE cards SET title = 'other' WHERE id = 7");
        change = stream.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("7"));
        assertThat(change.getList("placed").toString()).isEqualTo("[[3, 4]]");
    }

    @Test
    void aFlagThatTurnsIsAnEvent() {
        String top = Pages.read("/api/cards").getString("cursors.top");
        EventClient stream = open("/api/cards/live?cursor=" + top);
        assertThat(stream.nextEvent().json().getBoolean("has_prev")).isFalse();
        insert(20, "00:10:00");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getBoolean("has_prev")).isTrue();
        assertThat(change.getList("removed")).isEmpty();
        assertThat(change.getList("placed")).isEmpty();
        assertThat(change.getList("items")).isEmpty();
        run("DELETE FROM cards WHERE id = 20");
        assertThat(stream.nextEvent().json().getBoolean("has_prev")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE cards SET at = at + interval '1 s' WHERE id = 9",
                "UPDATE cards SET title = 'other' WHERE id = 4",
                "UPDATE cards SET body = body",
                "UPDATE cards SET gone = false",
                "INSERT INTO cards VALUES (40, '2026-02-01', NULL, 'card', NULL, true)"
            })
    void aWriteThatChangesNothingVisibleGivesNoEvent(String write) {
        EventClient stream = open("/api/cards/live?fields=id,body");
        stream.nextEvent();
        runAndAwaitRead(write);
        run("UPDATE cards SET body = 'new' WHERE id = 5");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("items").toString()).isEqualTo("[{id=5, body=new}]");
        assertThat(change.getList("removed")).isEmpty();
    }

    @Test
    void aRowThatIsCommittedLateComesIn() throws SQLException {
        try (Connection late = FreshFeedsProfile.connection();
                Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("INSERT INTO cards VALUES (100, '2026-01-01T00:02:30Z', NULL, 'late', 'late')");
            EventClient stream = open("/api/cards/live");
            stream.nextEvent();
            run("UPDATE cards SET body = 'soon' WHERE id = 1");
            stream.nextEvent();
            late.commit();
            JsonDocument change = stream.nextEvent().json();
            assertThat(change.getList("placed").toString()).isEqualTo("[[100, 3]]");
            assertThat(change.getList("items.id")).isEqualTo(List.of("100"));
        }
    }

    @Test
    void anEmbeddedRowThatIsWrittenChangesTheItemsThatShowIt() {
        fillPosts();
        EventClient stream = open("/api/posts/live");
        WindowCopy copy = new WindowCopy("id").apply(stream.nextEvent(), true);
        assertHolds(copy, "/api/posts");
        for (String change : List.of(
                "UPDATE people SET name = 'Renamed' WHERE id = 2",
                "DELETE FROM people WHERE id = 4",
                "INSERT INTO people VALUES (4, 'Back')",
                "BEGIN; SAVEPOINT a; UPDATE people SET name = 'Again' WHERE id = 2; RELEASE a; COMMIT",
                "UPDATE people SET id = 8 WHERE id = 4",
                "UPDATE posts SET author_id = NULL WHERE id = 5",
                "ALTER TABLE people RENAME name TO former; ALTER TABLE people RENAME former TO name;"
                        + " UPDATE people SET name = 'Other' WHERE id = 3")) {
            run(change);
            Event event = stream.nextEvent();
            copy.apply(event, false);
            assertThat(event.json().getList("removed")).as(change).isEmpty();
            assertHolds(copy, "/api/posts");
        }
    }

    @Test
    void aChangeHasOnlyTheItemsWhoseEmbeddedRowDiffers() {
        fillPosts();
        EventClient stream = open("/api/posts/live");
        stream.nextEvent();
        run("UPDATE people SET name = 'Renamed' WHERE id = 2");
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("5", "1"));
        run("UPDATE people SET name = name");
        run("UPDATE posts SET title = 'new' WHERE id = 6");
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("6"));
    }

    @Test
    void anEmbeddedRowThatIsCommittedLateComesIn() throws SQLException {
        fillPosts();
        try (Connection late = FreshFeedsProfile.connection();
                Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("UPDATE people SET name = 'Late' WHERE id = 3");
            EventClient stream = open("/api/posts/live");
            stream.nextEvent();
            run("UPDATE people SET name = 'Soon' WHERE id = 2");
            assertThat(stream.nextEvent().json().getList("items.author.name")).isEqualTo(List.of("Soon", "Soon"));
            late.commit();
            assertThat(stream.nextEvent().json().getList("items.author.name"))
                    .isEqualTo(List.of("Late", "Late", "Late", "Late"));
        }
    }

    /** Post 4 has no author, and the reviewers of even posts do not exist unless there is a person 4. */
    private static void fillPosts() {
        run(
                "TRUNCATE people, posts; INSERT INTO people SELECT i, 'Person ' || i FROM generate_series(1, 4) i;"
                        + " INSERT INTO posts SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute', 'post',"
                        + " CASE WHEN i <> 4 THEN 1 + i % 4 END, CASE WHEN i % 2 = 0 THEN 4 END, NULL FROM generate_series(1, 7) i");
        // Person 4 is the author of no post, because a foreign key forbids to delete an author.
        run("UPDATE posts SET author_id = 3 WHERE author_id = 4");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
    }

    @Test
    void noItemComesASecondTimeWhileATransactionStaysOpen() throws SQLException {
        try (Connection other = FreshFeedsProfile.connection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            EventClient stream = open("/api/cards/live");
            stream.nextEvent();
            for (int id = 1; id <= 6; id++) {
                run("UPDATE cards SET body = 'new' WHERE id = " + id);
                assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("" + id));
            }
            other.rollback();
        }
    }

    @Test
    void aSlowClientSkipsEventsAndIsThenLedToThePresent() {
        try (SlowLiveClient slow = new SlowLiveClient(
                vertx, windows, SlowLiveClient.request(feeds.find("cards"), "?limit=4", Optional.empty(), cursors))) {
            EventClient fast = open("/api/cards/live?limit=4");
            fast.nextEvent();
            WindowCopy copy = new WindowCopy("id").apply(slow.unaccepted().get(0), true);
            run("UPDATE cards SET body = 'first' WHERE id = 7");
            fast.nextEvent();
            insert(20, "00:10:00");
            fast.nextEvent();
            run("DELETE FROM cards WHERE id = 8; UPDATE cards SET body = 'last' WHERE id = 7");
            fast.nextEvent();
            assertThat(slow.unaccepted()).hasSize(1);
            slow.accept();
            Await.until("the next event", () -> slow.unaccepted().size() == 1);
            copy.apply(slow.unaccepted().get(0), false);
            assertHolds(copy, "/api/cards?limit=4");
            run("UPDATE cards SET body = 'soon' WHERE id = 20");
            fast.nextEvent();
            run("UPDATE cards SET body = 'inserted' WHERE id = 20");
            fast.nextEvent();
            assertThat(slow.unaccepted()).hasSize(1);
            slow.accept();
            runAndAwaitRead("UPDATE cards SET body = body");
            assertThat(slow.unaccepted())
                    .as("no difference from what the client holds")
                    .isEmpty();
        }
    }

    /** The first read does not show the second change. A poll would notice this change only after half a minute. */
    @Test
    void aChangeThatIsCommittedWhileTheWindowIsReadLeadsToAnotherRead() throws SQLException {
        EventClient stream = open("/api/cards/live?limit=2");
        stream.nextEvent();
        duringReadAfter(
                "UPDATE cards SET body = 'first' WHERE id = 9", "UPDATE cards SET body = 'second' WHERE id = 8");
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("9"));
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("8"));
    }

    @Test
    void aChangeWhoseReadFailsIsReadAgainWithoutAnotherChange() throws SQLException {
        EventClient stream = open("/api/cards/live?limit=2");
        stream.nextEvent();
        duringReadAfter(
                "UPDATE cards SET body = 'new' WHERE id = 9", "SELECT pg_terminate_backend(pid) " + SLEEPING_SESSIONS);
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("9"));
    }

    /** Executes SQL while a window is being read because of a change. */
    private static void duringReadAfter(String change, String sql) throws SQLException {
        run("INSERT INTO crawling DEFAULT VALUES");
        try (Connection other = FreshFeedsProfile.connection();
                Statement statement = other.createStatement()) {
            run(change);
            Await.until("the window is being read", () -> {
                try (ResultSet sleeping = statement.executeQuery("SELECT " + SLEEPING_SESSIONS)) {
                    return sleeping.next();
                }
            });
            run(sql);
        } finally {
            run("DELETE FROM crawling");
        }
    }

    @Test
    void windowsThatNoIndexServesLeaveHalfOfTheConnectionsToPages() {
        run("INSERT INTO crawling DEFAULT VALUES");
        try {
            List<CompletableFuture<EventClient>> opening = new ArrayList<>();
            AtomicInteger most = new AtomicInteger();
            Await.until("two windows are read at a time", () -> {
                keepOpening(opening);
                return most.accumulateAndGet(slowReads(), Math::max) >= 2;
            });
            Await.until("a page is served meanwhile", () -> {
                keepOpening(opening);
                most.accumulateAndGet(slowReads(), Math::max);
                return get("/api/boards?order=title").statusCode() == 200;
            });
            assertThat(most).hasValue(2);
        } finally {
            run("DELETE FROM crawling");
        }
    }

    /**
     * Keeps a dozen windows waiting for a read. A window whose read fails, because it takes too long, is opened again.
     */
    private void keepOpening(List<CompletableFuture<EventClient>> opening) {
        opening.removeIf(CompletableFuture::isDone);
        while (opening.size() < 12) {
            opening.add(streams.openAsync("/api/cards/live?order=title&limit=" + (1 + opened++ % 12)));
        }
    }

    private static int slowReads() {
        try (Connection connection = FreshFeedsProfile.connection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND wait_event = 'PgSleep'"
                        + " AND query LIKE '%ORDER BY \"cards\".\"title\"%'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Over a pinned connection, or the pool for pages, it would delay pages. */
    @Test
    void aWindowThatAnIndexServesIsReadOverAPoolOfItsOwn() {
        EventClient stream = open("/api/cards/live");
        stream.nextEvent();
        String series = "tidemark_statements_seconds_count{connections=\"live\"}";
        double before = Metrics.value(series);
        runAndAwaitRead("UPDATE cards SET body = 'new' WHERE id = 5");
        stream.nextEvent();
        assertThat(Metrics.value(series)).isGreaterThan(before);
    }

    @Test
    void fieldsLimitsTheColumnsOfItems() {
        EventClient some = open("/api/cards/live?fields=id,title");
        EventClient all = open("/api/cards/live");
        assertThat(RawJson.elements(RawJson.members(some.next()).get("items")))
                .startsWith("{\"id\":\"9\",\"title\":\"card\"}");
        all.nextEvent();
        run("UPDATE cards SET body = 'new' WHERE id = 9");
        assertThat(all.nextEvent().json().getList("items.body")).isEqualTo(List.of("new"));
        run("UPDATE cards SET title = 'new' WHERE id = 8");
        assertThat(some.nextEvent().json().getList("items").toString()).isEqualTo("[{id=8, title=new}]");
    }

    @Test
    void anEditedItemOfALiveOrderLeavesItsPlaceAndComesInAtTheTop() {
        EventClient stream = open("/api/cards/live?order=edited");
        stream.nextEvent();
        run("UPDATE cards SET edited_at = now() WHERE id = 3");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("3"));
        assertThat(change.getList("placed").toString()).isEqualTo("[[3, null]]");
        String rest = Pages.read("/api/cards?order=edited&limit=1").getString("next_cursor");
        EventClient below = open("/api/cards/live?order=edited&cursor=" + rest);
        below.nextEvent();
        run("UPDATE cards SET edited_at = now() WHERE id = 5");
        change = below.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("5"));
        assertThat(change.getList("placed"))
                .as("the window does not reach the top")
                .isEmpty();
    }

    @Test
    void thePinOfALiveOrderIsIgnored() {
        run("UPDATE cards SET edited_at = at");
        String pinned = Pages.read("/api/cards?order=oldest-edited&limit=2").getString("next_cursor");
        EventClient stream = open("/api/cards/live?order=oldest-edited&cursor=" + pinned);
        assertThat(stream.nextEvent().json().getList("keys").toString()).isEqualTo("[3, 4, 5, 6, 7, 8, 9]");
        run("UPDATE cards SET edited_at = '2027-01-01' WHERE id = 4");
        JsonDocument change = stream.nextEvent().json();
        assertThat(change.getList("removed")).isEqualTo(List.of("4"));
        assertThat(change.getList("placed").toString()).isEqualTo("[[4, 9]]");
    }

    @Test
    void jsonWithLineBreaksArrivesInOneEvent() {
        EventClient stream = open("/api/papers/live");
        WindowCopy copy = new WindowCopy("id").apply(stream.nextEvent(), true);
        assertHolds(copy, "/api/papers");
        run("UPDATE papers SET doc = E'{\n\"b\":\r\n1}'");
        try {
            copy.apply(stream.nextEvent(), false);
            assertHolds(copy, "/api/papers");
        } finally {
            run("UPDATE papers SET doc = E'{\\n  \"a\": \"x\\\\ny\",\\r\\n  \"b\": []\\n}'");
        }
    }

    /** A read begins a quarter of a second after the one before, or twice that if one had to be repeated. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?limit=5"})
    void aWindowIsReadAtMostFourTimesASecond(String query) {
        EventClient stream = open("/api/cards/live" + query);
        stream.nextEvent();
        double before = reads();
        long start = System.nanoTime();
        AtomicInteger writes = new AtomicInteger();
        Await.until("the window has been read six times", () -> {
            // With a limit, the window must be read whole, because another item moves up.
            run("UPDATE cards SET gone = " + (writes.getAndIncrement() % 2 == 0) + " WHERE id = 8");
            return reads() - before >= 6;
        });
        // A busy machine only makes the time longer. Of the six, the last can be a repetition, which begins at once.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(LiveWindow.MIN_INTERVAL.multipliedBy(3));
    }

    @Test
    void streamsOfEqualWindowsShareEveryRead() {
        String same = "title=card&title=none";
        String another = "title=none&title=card";
        // At once, because each of them would wait for a read of the window.
        List<EventClient> equal = streams.openAll(IntStream.range(0, 10)
                .boxed()
                .flatMap(i -> Stream.of(
                        "limit=6&" + same + "&cursor=" + cursorOf(same),
                        another + "&title=card&limit=6&order=newest&cursor=" + cursorOf(another)))
                .map(query -> "/api/cards/live?" + query)
                .toList());
        equal.forEach(EventClient::nextEvent);
        assertThat(Metrics.value("tidemark_live_windows")).isEqualTo(1);
        assertThat(Metrics.value("tidemark_live_streams")).isEqualTo(20);
        double reads = reads();
        run("UPDATE cards SET body = 'new' WHERE id = 4");
        for (EventClient stream : equal) {
            assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("4"));
        }
        assertThat(reads() - reads).isEqualTo(1);
    }

    private static String cursorOf(String filters) {
        return Pages.read("/api/cards?limit=2&" + filters).getString("next_cursor");
    }

    /** @param headers alternating names and values */
    private static Response get(String target, String... headers) {
        return send("GET", target, headers);
    }

    private static Response head(String target, String... headers) {
        return send("HEAD", target, headers);
    }

    private static Response send(String method, String target, String... headers) {
        RequestSpecification request = RestAssured.given();
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.request(method, target);
    }

    private static String text(Response response) {
        return response.asString();
    }

    private EventClient open(String target) {
        return streams.open(target);
    }

    private EventClient resume(String target, String lastEventId) {
        return streams.open(target, "Last-Event-ID", lastEventId);
    }

    private static void insert(int id, String time) {
        run("INSERT INTO cards VALUES (" + id + ", '2026-01-01T" + time + "Z', NULL, 'card', 'inserted')");
    }

    private static void run(String sql) {
        FreshFeedsProfile.execute(sql);
    }

    private static double reads() {
        return Metrics.value("tidemark_live_reads_total");
    }

    private static void runAndAwaitRead(String sql) {
        double reads = reads();
        run(sql);
        Await.until("the window is read", () -> reads() > reads);
    }

    private static String moment(String target) {
        return Pages.read(target).getString("moment");
    }

    /** The ids of the items that were written since a moment. */
    private static List<String> since(String moment) {
        return Pages.read("/api/cards?limit=12&since=" + moment).getList("items.id");
    }

    private static String member(String name, String target) {
        return RawJson.members(text(get(target))).get(name);
    }

    /** Compares what a client holds with pages of the same list, byte for byte. */
    private static void assertHolds(WindowCopy copy, String target) {
        List<String> items = new ArrayList<>();
        String page = target;
        while (page != null) {
            Map<String, String> read = RawJson.members(text(get(page)));
            items.addAll(RawJson.elements(read.get("items")));
            page = target.contains("limit") || read.get("next_cursor").equals("null")
                    ? null
                    : target + "?cursor=" + read.get("next_cursor").replace("\"", "");
        }
        assertThat(copy.items()).isEqualTo(items);
    }
}
