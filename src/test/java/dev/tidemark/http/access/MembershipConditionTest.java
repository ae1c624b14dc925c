package dev.tidemark.http.access;

import static dev.tidemark.http.access.Authorized.as;
import static dev.tidemark.http.access.Authorized.read;
import static dev.tidemark.http.access.Authorized.scroll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memberships that count only if their rows meet a condition. The post with the id {@code i} is in channel
 * {@code i % 5}. Ada is an accepted member of the channels 1 and 3, and has asked to become one of channel 2.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class MembershipConditionTest {

    private final String ada =
            TestTokens.bearer(TestTokens.claims().claim("user", "ada").claim("tenant", 7));

    private static List<String> idsIn(Integer... channels) {
        return IntStream.rangeClosed(1, 60)
                .map(i -> 61 - i)
                .filter(i -> List.of(channels).contains(i % 5))
                .mapToObj(Integer::toString)
                .toList();
    }

    @BeforeEach
    void resetMembers() {
        FreshFeedsProfile.execute("""
                delete from posts where id > 60;
                truncate members;
                insert into members values (1, 'ada', 7, 'accepted'), (3, 'ada', 7, 'accepted'), (2, 'ada', 7, 'asked'),
                  (4, 'bob', 7, 'accepted')
                """);
    }

    private static void setState(int channel, String state) {
        FreshFeedsProfile.execute(
                "update members set state = '" + state + "' where user_name = 'ada' and channel_id = " + channel);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void aScrollShowsOnlyTheRowsOfMembershipsThatMeetTheCondition(int limit) {
        assertThat(scroll("/api/posts-accepted?limit=" + limit, ada)).isEqualTo(idsIn(1, 3));
        assertThat(scroll("/api/posts-accepted-by-channel?limit=" + limit, ada))
                .containsExactlyInAnyOrderElementsOf(idsIn(1, 3));
        assertThat(scroll("/api/posts?limit=" + limit, ada)).as("without it").isEqualTo(idsIn(1, 2, 3));
    }

    @Test
    void aFilterOnTheColumnDoesNotReachAMembershipThatDoesNotMeetTheCondition() {
        for (String feed : List.of("posts-accepted", "posts-accepted-by-channel")) {
            assertThat(scroll("/api/" + feed + "?limit=7&channel_id=2", ada)).isEmpty();
            assertThat(scroll("/api/" + feed + "?limit=100&channel_id=2&channel_id=3&channel_id=4", ada))
                    .containsExactlyInAnyOrderElementsOf(idsIn(3));
        }
    }

    @Test
    void countsAndJumpsAndBothUniversalStrategiesHaveTheCondition() {
        assertThat(read(ada, "/api/posts-accepted?count=exact").getInt("count.value"))
                .isEqualTo(24);
        as(ada).when().get("/api/posts-accepted?from_id=33").then().statusCode(200);
        as(ada).when().get("/api/posts-accepted?from_id=32").then().statusCode(404);
        for (String feed : List.of("posts-accepted", "posts-accepted-by-offset")) {
            List<String> ids = new ArrayList<>();
            String after = "";
            do {
                JsonDocument page = read(ada, "/v3/" + feed + "?limit=7" + after);
                assertThat(page.getInt("result.paging.count")).isEqualTo(24);
                ids.addAll(page.getList("result.rows.id", String.class));
                String next = page.getString("result.paging.next");
                after = next == null ? null : "&after=" + next;
            } while (after != null);
            assertThat(ids).as(feed).isEqualTo(idsIn(1, 3));
        }
    }

    @Test
    void aChangeOfTheStateIsSeenBehindACursorAndInAnExport() {
        JsonDocument first = read(ada, "/api/posts-accepted?limit=4");
        assertThat(first.getList("items.id", String.class))
                .isEqualTo(idsIn(1, 3).subList(0, 4));
        String next = "/api/posts-accepted?limit=100&cursor=" + first.getString("next_cursor");
        setState(3, "left");
        assertThat(read(ada, next).getList("items.id", String.class)).isEqualTo(idsIn(1).subList(2, 12));
        assertThat(as(ada).accept("application/x-ndjson")
                        .when()
                        .get("/api/posts-accepted")
                        .asString()
                        .lines()
                        .filter(line -> line.startsWith("{\"item\""))
                        .map(line -> line.replaceAll(".*\"id\":\"(\\d+)\".*", "$1")))
                .isEqualTo(idsIn(1));
    }

    @Test
    void aRefreshHasTheKeysOfMembershipsThatMeetTheCondition() {
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String moment = read(ada, "/api/posts-accepted").getString("moment");
        setState(3, "left");
        setState(2, "accepted");
        JsonDocument page = read(ada, "/api/posts-accepted?limit=4&since=" + moment);
        assertThat(page.getList("keys", String.class)).isEqualTo(idsIn(1, 2).subList(0, 4));
        assertThat(page.getList("items")).isEmpty();
    }

    @Test
    void streamsChangeWithTheStateOfAMembership() {
        String top = read(ada, "/api/posts-accepted?limit=2").getString("cursors.top");
        FreshFeedsProfile.execute("insert into posts values (61, 1, '', now()), (62, 2, '', now())");
        as(ada).when().get("/api/posts-accepted/fresh?cursor=" + top).then().body("count", is(1));
        try (EventClient counts = EventClient.open("/api/posts-accepted/fresh?cursor=" + top, ada);
                EventClient window = EventClient.open("/api/posts-accepted/live?limit=2", ada)) {
            assertThat(counts.next()).isEqualTo("{\"count\":1,\"capped\":false}");
            assertThat(window.nextEvent().json().getList("keys", String.class)).containsExactly("61", "58");
            setState(2, "accepted");
            assertThat(counts.next()).isEqualTo("{\"count\":2,\"capped\":false}");
            JsonDocument joined = window.nextEvent().json();
            assertThat(joined.getList("items.id", String.class)).containsExactly("62");
            assertThat(joined.getList("removed", String.class)).containsExactly("58");
        }
    }

    @Test
    void aCursorIsBoundToTheClaimsOnly() {
        String cursor = read(ada, "/api/posts-accepted?limit=2").getString("next_cursor");
        setState(1, "left");
        as(ada).when()
                .get("/api/posts-accepted?limit=2&cursor=" + cursor)
                .then()
                .statusCode(200);
        as(TestTokens.bearer(TestTokens.claims().claim("user", "bob").claim("tenant", 7)))
                .when()
                .get("/api/posts-accepted?limit=2&cursor=" + cursor)
                .then()
                .body("code", is("cursor_mismatch"));
    }
}
