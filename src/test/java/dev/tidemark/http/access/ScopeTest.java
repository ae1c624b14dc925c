package dev.tidemark.http.access;

import static dev.tidemark.http.access.Authorized.as;
import static dev.tidemark.http.access.Authorized.read;
import static dev.tidemark.http.access.Authorized.scroll;
import static io.restassured.RestAssured.when;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers read only the rows of their tenant. Tickets with odd ids belong to tenant 2, and the others to tenant 1. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class ScopeTest {

    private static final List<String> EVEN_IDS = everySecondIdFrom(40);
    private static final List<String> ODD_IDS = everySecondIdFrom(39);

    private final String firstTenantToken = TestTokens.ofTenant(1);
    private final String secondTenantToken = TestTokens.ofTenant(2);

    private static List<String> everySecondIdFrom(int highest) {
        return IntStream.iterate(highest, i -> i > 0, i -> i - 2)
                .mapToObj(Integer::toString)
                .toList();
    }

    @AfterEach
    void deleteNewTickets() {
        FreshFeedsProfile.execute("delete from tickets where id > 40");
    }

    @Test
    void aScrollShowsAllRowsOfTheCallersTenantAndNoOthers() {
        assertThat(scroll("/api/tickets?limit=7", firstTenantToken)).isEqualTo(EVEN_IDS);
        assertThat(scroll("/api/tickets?limit=3", secondTenantToken)).isEqualTo(ODD_IDS);
        assertThat(scroll("/api/tickets?limit=3", TestTokens.ofTenant(3))).isEmpty();
    }

    /** A claim has the number that the table stores, also if clients see the column as a time. */
    @Test
    void aScopeCanRestrictAKeyColumnThatIsATime() {
        JsonDocument page = read(firstTenantToken, "/api/timed?limit=3");
        assertThat(page.getList("items.id", String.class)).containsExactly("40", "38", "36");
        assertThat(page.getList("items.tenant_id", String.class)).containsOnly("1970-01-01T00:00:00.001Z");
        assertThat(scroll("/api/timed?limit=7", secondTenantToken)).isEqualTo(ODD_IDS);
        assertThat(scroll("/api/timed?limit=7&tenant_id=1970-01-01T00:00:00.002Z", secondTenantToken))
                .isEqualTo(ODD_IDS);
        assertThat(read(firstTenantToken, "/api/timed?tenant_id=1970-01-01T00:00:00.002Z")
                        .getList("items"))
                .isEmpty();
        as(TestTokens.bearer(TestTokens.claims().claim("tenant", "1970-01-01T00:00:00.001Z")))
                .when()
                .get("/api/timed")
                .then()
                .statusCode(403);
    }

    @Test
    void aMembershipCanRestrictAKeyColumnThatIsATime() {
        String user = TestTokens.bearer(TestTokens.claims().claim("user", "timed"));
        assertThat(scroll("/api/timed-joined?limit=7", user)).isEmpty();
        FreshFeedsProfile.execute("insert into members values (2, 'timed', 7)");
        assertThat(scroll("/api/timed-joined?limit=7", user)).isEqualTo(ODD_IDS);
        assertThat(scroll("/api/timed-joined?limit=7&tenant_id=1970-01-01T00:00:00.002Z", user))
                .isEqualTo(ODD_IDS);
        assertThat(scroll("/api/timed-joined?limit=7&tenant_id=1970-01-01T00:00:00.001Z", user))
                .isEmpty();
        FreshFeedsProfile.execute("delete from members where user_name = 'timed'");
    }

    @Test
    void aPageSinceAMomentOfAnotherTenantHasOnlyKeysAndItemsInScope() {
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String moment = read(firstTenantToken, "/api/tickets").getString("moment");
        FreshFeedsProfile.execute("update tickets set tenant_id = tenant_id where id in (40, 39)");
        JsonDocument page = read(secondTenantToken, "/api/tickets?limit=3&since=" + moment);
        assertThat(page.getList("keys", String.class)).containsExactly("39", "37", "35");
        assertThat(page.getList("items.id", String.class)).containsExactly("39");
        when().get("/api/tickets?since=" + moment).then().statusCode(401);
    }

    @Test
    void aMomentDoesNotReplaceARole() {
        String claim = "https://example.org/team";
        String agent = TestTokens.bearer(TestTokens.claims("agent").claim(claim, "team 1"));
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        String moment = read(agent, "/api/teams").getString("moment");
        FreshFeedsProfile.execute("update tickets set team = team where id in (38, 37)");
        JsonDocument page = read(agent, "/api/teams?limit=2&since=" + moment);
        assertThat(page.getList("keys", String.class)).containsExactly("39", "37");
        assertThat(page.getList("items.id", String.class)).containsExactly("37");
        String withoutRole = TestTokens.bearer(TestTokens.claims().claim(claim, "team 1"));
        as(withoutRole).when().get("/api/teams?since=" + moment).then().statusCode(403);
        as(agent).when().get("/api/memos?since=" + moment).then().body("code", is("not_supported"));
    }

    @Test
    void bothUniversalStrategiesShowOnlyRowsInScope() {
        for (String feed : List.of("tickets", "tickets-by-offset")) {
            List<String> ids = new ArrayList<>();
            String after = "";
            do {
                JsonDocument page = read(secondTenantToken, "/v3/" + feed + "?limit=7" + after);
                assertThat(page.getInt("result.paging.count")).isEqualTo(20);
                ids.addAll(page.getList("result.rows.id", String.class));
                after = page.getString("result.paging.next") == null
                        ? null
                        : "&after=" + page.getString("result.paging.next");
            } while (after != null);
            assertThat(ids).as(feed).isEqualTo(ODD_IDS);
        }
    }

    @Test
    void filtersAndCountsApplyWithinTheScope() {
        JsonDocument urgent = read(firstTenantToken, "/api/tickets?urgent=true&count=exact&limit=100");
        assertThat(urgent.getList("items.id", String.class))
                .isEqualTo(EVEN_IDS.stream()
                        .filter(id -> Integer.parseInt(id) % 3 == 0)
                        .toList());
        assertThat(urgent.getInt("count.value")).isEqualTo(6);
        JsonDocument estimated = read(firstTenantToken, "/api/tickets?urgent=true&count=estimate");
        assertThat(estimated.getInt("count.value")).isEqualTo(6);
        assertThat(estimated.getString("count.relation"))
                .as("an estimate of the planner would reveal rows of other tenants")
                .isEqualTo("exact");
    }

    @Test
    void aFilterOnTheScopedColumnAppliesToo() {
        assertThat(scroll("/api/tickets?tenant_id=1&limit=7", firstTenantToken)).isEqualTo(EVEN_IDS);
        assertThat(scroll("/api/tickets?tenant_id=1&tenant_id=2&limit=7", firstTenantToken))
                .isEqualTo(EVEN_IDS);
        assertThat(scroll("/api/tickets?tenant_id=2&limit=7", firstTenantToken)).isEmpty();
    }

    @Test
    void aJumpCannotReachAnItemOfAnotherTenant() {
        as(firstTenantToken)
                .when()
                .get("/api/tickets?limit=2&from_id=20")
                .then()
                .statusCode(200)
                .body("items.id", is(List.of("20", "18")));
        as(firstTenantToken)
                .when()
                .get("/api/tickets?limit=2&from_id=21")
                .then()
                .statusCode(404)
                .body("code", is("anchor_not_found"));
        as(firstTenantToken)
                .when()
                .get("/api/tickets?limit=2&around=2026-01-01T00:21:00Z")
                .then()
                .statusCode(200)
                .body("items.id", is(List.of("22", "20")));
    }

    @Test
    void aCursorOfAnotherTenantIsAMismatch() {
        String cursor = read(firstTenantToken, "/api/tickets?limit=2").getString("next_cursor");
        for (String target : List.of(
                "/api/tickets?limit=2&cursor=",
                "/api/tickets?limit=2&until=",
                "/api/tickets/fresh?cursor=",
                "/api/tickets?tenant_id=1&cursor=")) {
            JsonDocument problem = JsonDocument.of(as(secondTenantToken).when().get(target + cursor));
            assertThat(problem.getString("code")).isEqualTo("cursor_mismatch");
        }
        as(secondTenantToken)
                .when()
                .get("/v3/tickets?limit=2&after=" + cursor)
                .then()
                .body("code", is(1003));
        String crossed = read(firstTenantToken, "/api/tickets?tenant_id=2&from=2026-01-01T00:21:00Z")
                .getString("prev_cursor");
        assertThat(crossed).as("prev_cursor of an empty list").isNull();
    }

    @Test
    void aFilterDoesNotReplaceTheScope() {
        String cursor = read(firstTenantToken, "/api/tickets?tenant_id=2&from=2026-01-01T00:21:00Z")
                .getString("cursors.top");
        assertThat(cursor).isNotNull();
        as(secondTenantToken)
                .when()
                .get("/api/tickets?tenant_id=1&cursor=" + cursor)
                .then()
                .body("code", is("cursor_mismatch"));
    }

    @Test
    void aCursorDoesNotReplaceAToken() {
        String cursor = read(firstTenantToken, "/api/tickets?limit=2").getString("next_cursor");
        when().get("/api/tickets?cursor=" + cursor).then().statusCode(401);
        as(TestTokens.withRoles("agent"))
                .when()
                .get("/api/tickets?cursor=" + cursor)
                .then()
                .statusCode(403);
    }

    @Test
    void concurrentEqualRequestsGiveEachCallerTheirOwnRows() {
        List<CompletableFuture<Void>> storm = IntStream.range(0, 400)
                .mapToObj(i -> CompletableFuture.runAsync(() -> assertThat(
                                read(i % 2 == 0 ? firstTenantToken : secondTenantToken, "/api/tickets?limit=100")
                                        .getList("items.id"))
                        .isEqualTo(i % 2 == 0 ? EVEN_IDS : ODD_IDS)))
                .toList();
        storm.forEach(CompletableFuture::join);
    }

    @Test
    void newItemsAreCountedWithinTheScope() {
        String top = read(firstTenantToken, "/api/tickets?limit=2").getString("cursors.top");
        FreshFeedsProfile.execute(
                "insert into tickets values (41, 2, null, now()), (42, 1, null, now()), (43, 2, null, now())");
        as(firstTenantToken)
                .when()
                .get("/api/tickets/fresh?cursor=" + top)
                .then()
                .body("count", is(1));
    }

    @Test
    void eachTenantsStreamCountsItsOwnItems() {
        try (EventClient firstStream = openStream(firstTenantToken);
                EventClient secondStream = openStream(secondTenantToken)) {
            assertThat(firstStream.next()).isEqualTo("{\"count\":0,\"capped\":false}");
            assertThat(secondStream.next()).isEqualTo("{\"count\":0,\"capped\":false}");
            FreshFeedsProfile.execute("insert into tickets values (41, 2, null, now()), (43, 2, null, now())");
            assertThat(secondStream.next()).isEqualTo("{\"count\":2,\"capped\":false}");
            FreshFeedsProfile.execute("insert into tickets values (42, 1, null, now())");
            assertThat(firstStream.next()).isEqualTo("{\"count\":1,\"capped\":false}");
            assertThat(secondStream.peek()).isNull();
        }
    }

    @Test
    void aStreamEndsWhenItsTokenExpires() {
        Instant expiry = Instant.now().plusSeconds(3);
        String token = TestTokens.bearer(TestTokens.claims().claim("tenant", 1).expiresAt(expiry));
        try (EventClient stream = openStream(token);
                EventClient other = openStream(firstTenantToken)) {
            assertThat(stream.next()).isEqualTo("{\"count\":0,\"capped\":false}");
            stream.awaitEnd();
            assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(expiry.getEpochSecond()));
            FreshFeedsProfile.execute("insert into tickets values (42, 1, null, now())");
            other.next();
            assertThat(other.next())
                    .as("a stream with a valid token continues")
                    .isEqualTo("{\"count\":1,\"capped\":false}");
        }
    }

    private static EventClient openStream(String token) {
        String top = read(token, "/api/tickets?limit=2").getString("cursors.top");
        return EventClient.open("/api/tickets/fresh?cursor=" + top, token);
    }
}
