package dev.tidemark.http.access;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the privileges from the security guide, every kind of read works. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class LeastPrivilegeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/orders?limit=3",
                "/api/orders?limit=3&order=largest",
                "/api/orders?customer=customer%201",
                "/api/orders?customer.contains=MER%202&placed_at.gte=2026-01-01T00:10:00Z",
                "/api/orders?from=2026-01-01T00:20:00Z",
                "/api/orders?around_id=20&limit=5",
                "/api/orders?count=exact",
                "/api/orders?count=estimate&customer=customer%201",
                "/v3/orders?limit=3",
                "/v3/orders-by-offset?limit=3&after=4",
                "/v3/ranking?limit=3"
            })
    void everyKindOfReadIsServed(String target) {
        when().get(target)
                .then()
                .statusCode(200)
                .body(target.startsWith("/v3") ? "result.rows" : "items", not(empty()));
    }

    @Test
    void aPageIsRefreshedSinceItsMoment() {
        String moment = Pages.read("/api/orders?limit=3").getString("moment");
        when().get("/api/orders?limit=3&since=" + moment).then().statusCode(200).body("keys", hasSize(3));
    }

    @Test
    void aScrollReachesTheEndAndLeadsBack() {
        List<String> ids = new ArrayList<>();
        JsonDocument page = Pages.read("/api/orders?limit=7");
        ids.addAll(page.getList("items.id"));
        while (page.getBoolean("has_more")) {
            page = Pages.read("/api/orders?limit=7&cursor=" + page.getString("next_cursor"));
            ids.addAll(page.getList("items.id"));
        }
        assertThat(ids).hasSizeGreaterThanOrEqualTo(40).doesNotHaveDuplicates();
        assertThat(Pages.read("/api/orders?limit=7&cursor=" + page.getString("prev_cursor"))
                        .getList("items"))
                .hasSize(7);
    }

    /**
     * The polling interval is an hour, so if a change is counted at once, PostgreSQL has notified the server of it.
     */
    @Test
    void theServerIsNotifiedOfAChange() {
        String top = Pages.read("/api/orders?limit=2").getString("cursors.top");
        try (EventClient stream = EventClient.open("/api/orders/fresh?cursor=" + top)) {
            assertThat(stream.next()).isEqualTo("{\"count\":0,\"capped\":false}");
            FreshFeedsProfile.execute("insert into public.orders (customer, total) values ('new', 1)");
            assertThat(stream.next()).isEqualTo("{\"count\":1,\"capped\":false}");
        }
    }

    @Test
    void feedsAreReadAsTheLeastPrivilegedRole() throws SQLException {
        get("/api/orders");
        try (var connection = FreshFeedsProfile.connection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) filter (where usename like 'reader_of_%'),"
                        + " has_table_privilege('reader_of_' || current_database(), 'public.orders', 'select')"
                        + " from pg_stat_activity where datname = current_database()")) {
            row.next();
            assertThat(row.getInt(1)).isPositive();
            assertThat(row.getBoolean(2)).as("SELECT on the whole table").isFalse();
        }
    }
}
