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
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers read only the posts of channels that they are members of. The post with the id {@code i} is in channel
 * {@code i % 5}, or in none if that is 0. Ada is in the channels 1 and 3, and Bob in 2 and 3.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class MembershipTest {

    private static final String NDJSON = "application/x-ndjson";

    private final String ada = tokenOf("ada");
    private final String bob = tokenOf("bob");

    private static String tokenOf(String user) {
        return TestTokens.bearer(TestTokens.claims().claim("user", user).claim("tenant", 7));
    }

    private static List<String> idsIn(Integer... channels) {
        return IntStream.rangeClosed(1, 60)
                .map(i -> 61 - i)
                .filter(i -> List.of(channels).contains(i % 5))
                .mapToObj(Integer::toString)
                .toList();
    }

    /** A channel is listed twice, another one is NULL, and there are members of other tenants. */
    @BeforeEach
    void resetMembers() {
        FreshFeedsProfile.execute("""
                delete from posts where id > 60;
                truncate members;
                insert into members values (1, 'ada', 7), (3, 'ada', 7), (3, 'ada', 7), (null, 'ada', 7), (9, 'ada', 7),
                  (2, 'bob', 7), (3, 'bob', 7), (2, 'ada', 8), (4, 'carl', 7)
                """);
    }

    private static void leave(String user, int channel) {
        FreshFeedsProfile.execute("delete from members where user_name = '" + user + "' and channel_id = " + channel);
    }

    private static void join(String user, int channel) {
        FreshFeedsProfile.execute("insert into members values (" + channel + ", '" + user + "', 7)");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void aScrollShowsAllRowsOfTheCallersChannelsAndNoOthers(int limit) {
        assertThat(scroll("/api/posts?limit=" + limit, ada)).isEqualTo(idsIn(1, 3));
        assertThat(scroll("/api/posts?limit=" + limit, bob)).isEqualTo(idsIn(2, 3));
        assertThat(scroll("/api/posts?limit=" + limit, tokenOf("nobody"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void pagingBackShowsTheSameRows(int limit) {
        String target = "/api/posts?limit=" + limit;
        JsonDocument page = read(ada, target + "&from_id=3");
        List<String> ids = new ArrayList<>();
        while (page.getBoolean("has_prev")) {
            page = read(ada, target + "&cursor=" + page.getString("prev_cursor"));
            ids.addAll(0, page.getList("items.id", String.class));
        }
        assertThat(ids).isEqualTo(idsIn(1, 3).subList(0, 22));
    }

    @Test
    void anOrderThatStartsWithTheColumnShowsTheSameRows() {
        assertThat(scroll("/api/posts-by-channel?limit=3", ada)).containsExactlyInAnyOrderElementsOf(idsIn(1, 3));
    }

    @Test
    void aTokenWithoutOneOfTheClaimsIsForbidden() {
        for (var claims : List.of(
                TestTokens.claims().claim("user", "ada"),
                TestTokens.claims().claim("tenant", 7),
                TestTokens.claims().claim("user", "ada").claim("tenant", "seven"),
                TestTokens.claims().claim("user", " ").claim("tenant", 7))) {
            String token = TestTokens.bearer(claims);
            as(token).when().get("/api/posts?nonsense=1").then().statusCode(403);
            as(token).when().get("/v3/posts-by-offset").then().statusCode(403);
        }
    }

    @Test
    void aFilterOnTheColumnAppliesWithinTheMemberships() {
        assertThat(scroll("/api/posts?channel_id=3&limit=7", ada)).isEqualTo(idsIn(3));
        assertThat(scroll("/api/posts?channel_id=2&limit=7", ada)).isEmpty();
        assertThat(scroll("/api/posts?channel_id=2&channel_id=3&channel_id=4&limit=7", ada))
                .isEqualTo(idsIn(3));
        assertThat(scroll("/api/posts?channel_id.is=null&limit=7", ada)).isEmpty();
        assertThat(scroll("/api/posts?channel_id.is=notnull&limit=7", ada)).isEqualTo(idsIn(1, 3));
        assertThat(scroll("/api/posts-by-channel?channel_id=2&limit=7", ada)).isEmpty();
        assertThat(scroll("/api/posts-by-channel?channel_id=1&limit=7", ada))
                .containsExactlyInAnyOrderElementsOf(idsIn(1));
    }

    @Test
    void otherFiltersAndCountsApplyWithinTheMemberships() {
        List<String> expected =
                idsIn(1, 3).stream().filter(id -> Integer.parseInt(id) % 3 != 2).toList();
        for (String count : List.of("exact", "estimate")) {
            JsonDocument page = read(ada, "/api/posts?kind=kind%200&kind=kind%201&limit=100&count=" + count);
            assertThat(page.getList("items.id", String.class)).isEqualTo(expected);
            assertThat(page.getInt("count.value")).isEqualTo(expected.size());
            assertThat(page.getString("count.relation")).isEqualTo("exact");
        }
    }

    @Test
    void aJumpCannotReachAnItemOfAnotherChannel() {
        as(ada).when()
                .get("/api/posts?limit=2&from_id=33")
                .then()
                .statusCode(200)
                .body("items.id", is(List.of("33", "31")));
        for (String jump : List.of("from_id", "around_id")) {
            as(ada).when()
                    .get("/api/posts?limit=2&" + jump + "=32")
                    .then()
                    .statusCode(404)
                    .body("code", is("anchor_not_found"));
        }
        for (String jump : List.of("from", "around")) {
            assertThat(read(ada, "/api/posts?limit=4&" + jump + "=2026-01-01T00:16:00Z")
                            .getList("items.id", String.class))
                    .as(jump)
                    .isSubsetOf(idsIn(1, 3))
                    .hasSize(4);
        }
    }

    @Test
    void bothUniversalStrategiesShowOnlyRowsOfTheCallersChannels() {
        for (String feed : List.of("posts", "posts-by-offset")) {
            List<String> ids = new ArrayList<>();
            String after = "";
            do {
                JsonDocument page = read(bob, "/v3/" + feed + "?limit=7" + after);
                assertThat(page.getInt("result.paging.count")).isEqualTo(24);
                ids.addAll(page.getList("result.rows.id", String.class));
                after = page.getString("result.paging.next") == null
                        ? null
                        : "&after=" + page.getString("result.paging.next");
            } while (after != null);
            assertThat(ids).as(feed).isEqualTo(idsIn(2, 3));
        }
    }

    @Test
    void aCursorOfAnotherMemberIsAMismatch() {
        String cursor = read(ada, "/api/posts?limit=2").getString("next_cursor");
        for (String target : List.of(
                "/api/posts?limit=2&cursor=",
                "/api/posts?limit=2&until=",
                "/api/posts/fresh?cursor=",
                "/api/posts?channel_id=3&cursor=")) {
            JsonDocument problem = JsonDocument.of(as(bob).when().get(target + cursor));
            assertThat(problem.getString("code")).as(target).isEqualTo("cursor_mismatch");
        }
        as(bob).when().get("/v3/posts?limit=2&after=" + cursor).then().body("code", is(1003));
        as(TestTokens.bearer(TestTokens.claims().claim("user", "ada").claim("tenant", 8)))
                .when()
                .get("/api/posts?limit=2&cursor=" + cursor)
                .then()
                .body("code", is("cursor_mismatch"));
    }

    @Test
    void whoLeavesAChannelSeesItsRowsNoMoreEvenBehindACursor() {
        JsonDocument first = read(ada, "/api/posts?limit=4&count=exact");
        assertThat(first.getInt("count.value")).isEqualTo(24);
        String next = "/api/posts?limit=100&cursor=" + first.getString("next_cursor");
        assertThat(read(ada, next).getList("items.id", String.class))
                .isEqualTo(idsIn(1, 3).subList(4, 24));
        leave("ada", 3);
        assertThat(read(ada, next).getList("items.id", String.class))
                .isSubsetOf(idsIn(1))
                .hasSize(10);
        assertThat(read(ada, "/api/posts?count=exact").getInt("count.value")).isEqualTo(12);
        as(ada).when().get("/api/posts?from_id=33").then().statusCode(404);
        join("ada", 2);
        assertThat(scroll("/api/posts?limit=7", ada)).isEqualTo(idsIn(1, 2));
    }

    @Test
    void anEntityTagDoesNotKeepARevokedPage() {
        String tag = as(ada).when().get("/api/posts?limit=5").header("ETag");
        as(ada).header("If-None-Match", tag)
                .when()
                .get("/api/posts?limit=5")
                .then()
                .statusCode(304);
        leave("ada", 3);
        Response now = as(ada).header("If-None-Match", tag).when().get("/api/posts?limit=5");
        assertThat(now.statusCode()).isEqualTo(200);
        assertThat(JsonDocument.of(now).getList("items.id", String.class)).isEqualTo(idsIn(1).subList(0, 5));
    }

    @Test
    void rowsOfAJoinedChannelAreAmongTheKeysOfARefreshWithoutTheirItems() {
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String moment = read(ada, "/api/posts").getString("moment");
        FreshFeedsProfile.execute("update posts set kind = kind where id = 57");
        leave("ada", 3);
        join("ada", 2);
        JsonDocument page = read(ada, "/api/posts?limit=4&since=" + moment);
        assertThat(page.getList("keys", String.class)).isEqualTo(idsIn(1, 2).subList(0, 4));
        assertThat(page.getList("items.id", String.class)).containsExactly("57");
        assertThat(read(bob, "/api/posts?limit=4&since=" + moment).getList("keys", String.class))
                .isEqualTo(idsIn(2, 3).subList(0, 4));
    }

    @Test
    void anExportShowsOnlyRowsOfTheCallersChannels() {
        String lines = as(ada).accept(NDJSON).when().get("/api/posts?limit=10").asString();
        String cursor = lines.replaceAll("(?s).*\"cursor\":\"([^\"]+)\"}}\\s*", "$1");
        assertThat(exportedIds(lines)).isEqualTo(idsIn(1, 3).subList(0, 10));
        leave("ada", 3);
        assertThat(exportedIds(as(ada).accept(NDJSON)
                        .when()
                        .get("/api/posts?cursor=" + cursor)
                        .asString()))
                .isNotEmpty()
                .isSubsetOf(idsIn(1));
        as(bob).accept(NDJSON).when().get("/api/posts?cursor=" + cursor).then().body("code", is("cursor_mismatch"));
    }

    private static List<String> exportedIds(String lines) {
        return lines.lines()
                .filter(line -> line.startsWith("{\"item\""))
                .map(line -> line.replaceAll(".*\"id\":\"(\\d+)\".*", "$1"))
                .toList();
    }

    @Test
    void concurrentEqualRequestsGiveEachCallerTheirOwnRows() {
        List<CompletableFuture<Void>> storm = IntStream.range(0, 400)
                .mapToObj(i ->
                        CompletableFuture.runAsync(() -> assertThat(read(i % 2 == 0 ? ada : bob, "/api/posts?limit=100")
                                        .getList("items.id"))
                                .isEqualTo(i % 2 == 0 ? idsIn(1, 3) : idsIn(2, 3))))
                .toList();
        storm.forEach(CompletableFuture::join);
    }

    @Test
    void newItemsAreCountedWithinTheMemberships() {
        String top = read(ada, "/api/posts?limit=2").getString("cursors.top");
        FreshFeedsProfile.execute(
                "insert into posts values (61, 1, '', now()), (62, 2, '', now()), (63, null, '', now())");
        as(ada).when().get("/api/posts/fresh?cursor=" + top).then().body("count", is(1));
        leave("ada", 1);
        as(ada).when().get("/api/posts/fresh?cursor=" + top).then().body("count", is(0));
    }

    @Test
    void aStreamOfCountsChangesWithTheMemberships() {
        String top = read(ada, "/api/posts?limit=2").getString("cursors.top");
        FreshFeedsProfile.execute(
                "insert into posts values (61, 1, '', now()), (62, 2, '', now()), (63, 2, '', now())");
        try (EventClient stream = EventClient.open("/api/posts/fresh?cursor=" + top, ada)) {
            assertThat(stream.next()).isEqualTo("{\"count\":1,\"capped\":false}");
            join("ada", 2);
            assertThat(stream.next()).isEqualTo("{\"count\":3,\"capped\":false}");
            leave("ada", 2);
            assertThat(stream.next()).isEqualTo("{\"count\":1,\"capped\":false}");
            leave("ada", 1);
            assertThat(stream.next()).isEqualTo("{\"count\":0,\"capped\":false}");
        }
    }

    @Test
    void aLiveWindowChangesWithTheMembershipsAlone() {
        try (EventClient adas = EventClient.open("/api/posts/live?limit=4", ada);
                EventClient bobs = EventClient.open("/api/posts/live?limit=4", bob)) {
            assertThat(keys(adas.nextEvent())).isEqualTo(idsIn(1, 3).subList(0, 4));
            assertThat(keys(bobs.nextEvent())).isEqualTo(idsIn(2, 3).subList(0, 4));
            leave("ada", 3);
            JsonDocument left = adas.nextEvent().json();
            assertThat(left.getList("removed", String.class)).containsExactlyInAnyOrder("58", "53");
            assertThat(left.getList("items.id", String.class)).containsExactly("46", "41");
            join("ada", 2);
            JsonDocument joined = adas.nextEvent().json();
            assertThat(joined.getList("removed", String.class)).containsExactlyInAnyOrder("46", "41");
            assertThat(joined.getList("items.id", String.class))
                    .as("each placed key comes with its item, though no item was written")
                    .containsExactly("57", "52");
            FreshFeedsProfile.execute("delete from members where user_name = 'ada'");
            assertThat(adas.nextEvent().json().getList("removed", String.class))
                    .containsExactlyInAnyOrder("57", "56", "52", "51");
            assertThat(bobs.peek()).isNull();
        }
    }

    private static List<String> keys(Event page) {
        assertThat(page.name()).isEqualTo("page");
        return page.json().getList("keys", String.class);
    }
}
