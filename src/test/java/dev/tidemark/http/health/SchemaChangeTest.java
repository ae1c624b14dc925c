package dev.tidemark.http.health;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.Await;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.LeastPrivilegeProfile;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that change while the server runs, and are then restored. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class SchemaChangeTest {

    private static final String PAGE = "/api/goods?limit=7";
    private static final String DOCUMENT = "/q/openapi?format=json";

    /**
     * A change, the statement that undoes it, and the reason that readiness reports; {@link #run} executes the
     * statements.
     */
    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(
                        "alter table goods drop column note",
                        "alter table goods add column note text default 'n'",
                        "filters.note: there is no column 'note' in public.goods"),
                Arguments.of(
                        "alter table goods rename column price to cost",
                        "alter table goods rename column cost to price",
                        "columns: column 'price' no longer exists"),
                Arguments.of(
                        "alter table goods alter id type bigint",
                        "alter table goods alter id type int",
                        "columns: column 'id' was integer and is now bigint; restart to apply the change"),
                Arguments.of(
                        "alter table goods alter token type uuid using token::uuid",
                        "alter table goods alter token type text",
                        "columns: column 'token' was text and is now uuid"),
                Arguments.of(
                        "alter table goods alter made type timestamp",
                        "alter table goods alter made type timestamptz",
                        "columns: column 'made' was timestamp with time zone and is now timestamp without time zone"),
                Arguments.of(
                        "alter table goods alter doc type text using 'no JSON'",
                        "alter table goods alter doc type jsonb using '{\"a\": [1, null]}'",
                        "columns: column 'doc' was jsonb and is now text"),
                Arguments.of(
                        "alter table goods alter many type text[]",
                        "alter table goods alter many type int[] using many::int[]",
                        "columns: column 'many' was integer[] and is now text[]"),
                Arguments.of(
                        "alter table goods rename to wares",
                        "alter table wares rename to goods",
                        "table: there is no table or view 'public.goods'"),
                Arguments.of(
                        "drop table goods",
                        LeastPrivilegeProfile.CREATE_GOODS,
                        "table: there is no table or view 'public.goods'"),
                Arguments.of(
                        "alter table goods drop constraint goods_pkey",
                        "alter table goods add primary key (id)",
                        "key: is missing: the table has no primary key"),
                Arguments.of(
                        "alter table goods drop constraint goods_pkey; alter table goods add primary key (made, id)",
                        "alter table goods drop constraint goods_pkey; alter table goods add primary key (id)",
                        "key: was (id) and is now (made, id)"),
                Arguments.of(
                        "alter table makers rename to builders",
                        "alter table builders rename to makers",
                        "embed.maker.table: there is no table or view 'public.makers'"),
                Arguments.of(
                        "alter table makers drop constraint makers_pkey",
                        "alter table makers add primary key (id)",
                        "embed.maker.on: no primary key or unique index of public.makers consists of (id)"),
                Arguments.of(
                        "alter table makers alter name type uuid using name::uuid",
                        "alter table makers alter name type text",
                        "columns: column 'maker.name' was text and is now uuid"),
                Arguments.of(
                        "revoke select on makers from :reader",
                        "grant select on makers to :reader",
                        "embed.maker.table: cannot be read: permission denied for table makers"),
                Arguments.of(
                        "revoke select on goods from :reader",
                        "grant select on goods to :reader",
                        "table: cannot be read: permission denied for table goods"),
                Arguments.of(
                        "revoke select on goods from :reader; grant select (id, made) on goods to :reader",
                        "grant select on goods to :reader",
                        "table: the first page cannot be read: permission denied for table goods"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aFeedThatDoesNotMatchItsTableIsUnavailableAndReadinessSaysWhy(String change, String undo, String reason) {
        Response before = get(PAGE);
        assertThat(before.statusCode()).isEqualTo(200);

        run(change);
        Await.until("the feed is unavailable", () -> {
            Response answer = get(PAGE);
            assertThat(answer.asString().equals(before.asString())
                            || answer.asString().contains("\"feed_unavailable\""))
                    .as("the page as it was, or the problem, and nothing else: " + answer.asString())
                    .isTrue();
            return answer.statusCode() == 503;
        });
        // Until then, nobody has asked for readiness. A check that runs during the change can find another reason.
        Await.until(
                "readiness contains the reason " + reason,
                () -> reason("goods") != null && reason("goods").contains(reason));
        when().get(PAGE).then().header("Retry-After", "5");
        when().get("/v3/goods?limit=7").then().body("code", is(4004));
        assertThat(readiness().getString("status"))
                .as("the other feed is served")
                .isEqualTo("UP");
        assertThat(Metrics.value("tidemark_feeds_broken")).isEqualTo(1);
        when().get("/api/orders").then().statusCode(200);

        run(undo);
        Await.until("the feed is served again", () -> get(PAGE).statusCode() == 200);
        assertThat(Pages.read(PAGE).getList("items"))
                .isEqualTo(JsonDocument.of(before).getList("items"));
        assertThat(readiness().getMap("checks[name=feeds].data")).containsOnlyKeys("count");
    }

    @Test
    void aScrollContinuesWhenTheTableIsRestored() {
        JsonDocument first = Pages.read(PAGE);
        run("alter table goods rename column note to remark");
        String next = PAGE + "&cursor=" + first.getString("next_cursor");
        Await.until(
                "the feed is unavailable",
                () -> reason("goods") != null && get(next).statusCode() == 503);
        run("alter table goods rename column remark to note");
        Await.until("the feed is served again", () -> get(next).statusCode() == 200);
        assertThat(Pages.read(next).getList("items.id")).isEqualTo(List.of(33, 32, 31, 30, 29, 28, 27));
    }

    /** Values keep their form, and positions their order, so the feed is read again while it is served. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            note | type varchar(50) | type text    | character varying | true
            id   | type smallint    | type int     | smallint          | false
            made | drop not null    | set not null | timestamp with time zone | true
            """)
    void aChangeThatKeepsTheFormAndTheOrderInterruptsNothing(
            String column, String change, String undo, String type, boolean nullable) {
        String page = "/api/goods?order=noted&limit=7";
        String before = get(page).asString();
        String next = page + "&cursor=" + JsonDocument.of(before).getString("next_cursor");
        String after = get(next).asString();
        String listed = listed("goods", column);

        run("alter table goods alter " + column + ' ' + change);
        Await.until("the feed is read again", () -> {
            assertThat(get(page).asString()).isEqualTo(before);
            assertThat(get(next).asString()).isEqualTo(after);
            return listed("goods", column)
                    .equals("{name=" + column + ", type=" + type + ", nullable=" + nullable + "}");
        });
        assertThat(get(next).asString()).isEqualTo(after);
        assertThat(reason("goods")).isNull();

        run("alter table goods alter " + column + ' ' + undo);
        Await.until("the feed is read again", () -> listed("goods", column).equals(listed));
    }

    /** Clients connect again, and follow the feed as its table is now. */
    @Test
    void theStreamsOfAFeedThatIsReadAgainEndWithoutAProblem() {
        String top = Pages.read("/api/orders?limit=1").getString("cursors.top");
        String otherTop = Pages.read(PAGE).getString("cursors.top");
        try (TestStreams streams = new TestStreams()) {
            EventClient counts = streams.open("/api/orders/fresh?cursor=" + top);
            EventClient window = streams.open("/api/orders/live");
            EventClient unchanged = streams.open("/api/goods/fresh?cursor=" + otherTop);
            counts.next();
            window.next();
            unchanged.next();

            run("alter table orders alter total drop not null");
            counts.awaitEnd();
            window.awaitEnd();
            assertThat(counts.peek()).isNull();
            assertThat(window.peek()).isNull();
            assertThat(unchanged.hasEnded()).isFalse();
            assertThat(streams.open("/api/orders/live").next()).contains("\"total\"");
        } finally {
            run("alter table orders alter total set not null");
            Await.until(
                    "the feed is read again", () -> listed("orders", "total").contains("nullable=false"));
        }
    }

    @Test
    void aNewEnumLabelIsServedAndDescribedWithoutARestart() {
        assertThat(get(DOCUMENT).asString()).contains("[\"S\",\"M\"]");
        run("alter type size add value 'L'");
        run("update goods set size = 'L' where id = 40");
        assertThat(Pages.read("/api/goods?size=L").getList("items.id")).isEqualTo(List.of(40));
        String last = Pages.read("/api/goods?order=sized&from_id=40").getString("cursors.last");
        assertThat(Pages.read("/api/goods?order=sized&cursor=" + last).getList("items"))
                .isEmpty();
        assertThat(get(DOCUMENT).asString()).contains("[\"S\",\"M\",\"L\"]");
        run("update goods set size = 'M' where id = 40");
    }

    @ParameterizedTest
    @CsvSource({"size=M, invalid_filter", "order=sized&limit=1&cursor=, cursor_mismatch"})
    void aRequestWithALabelThatWasJustRenamedIsRejectedForThis(String query, String code) {
        String cursor = Pages.read("/api/goods?order=sized&from_id=40").getString("cursors.last");
        run("alter type size rename value 'M' to 'Medium'");
        JsonDocument answer = JsonDocument.of(get("/api/goods?" + query + (query.endsWith("=") ? cursor : "")));
        run("alter type size rename value 'Medium' to 'M'");
        assertThat(answer.getString("code")).isEqualTo(code);
        assertThat(Pages.read("/api/goods?size=M").getList("items")).isNotEmpty();
    }

    /** PostgreSQL records a membership in no row about the table. */
    @Test
    void aPrivilegeRegainedByMembershipRestoresTheFeedWithoutARequest() {
        run("create role :reader_group; grant select on goods to :reader_group");
        run("revoke select on goods from :reader; grant :reader_group to :reader");
        Await.until("the feed is served", () -> get(PAGE).statusCode() == 200 && reason("goods") == null);
        run("revoke :reader_group from :reader");
        Await.until("the feed is unavailable", () -> reason("goods") != null);
        run("grant :reader_group to :reader");
        Await.until("the feed is served again", () -> Metrics.value("tidemark_feeds_broken") == 0);
        assertThat(get(PAGE).statusCode()).isEqualTo(200);
        run("grant select on goods to :reader; drop owned by :reader_group; drop role :reader_group");
    }

    private static String listed(String feed, String column) {
        return Pages.read("/api")
                .getMap("feeds[name=" + feed + "].columns[name=" + column + "]")
                .toString();
    }

    /** The later change to another table shows that the feeds were checked after the change to this table. */
    @Test
    void compatibleChangesToATableKeepItsFeedAvailable() {
        String before = get(PAGE).asString();
        run("alter table goods add column more text; drop index goods_made");
        run("alter table orders rename column total to price");
        Await.until("the feed 'orders' is unavailable", () -> reason("orders") != null);
        assertThat(reason("goods")).isNull();
        assertThat(get(PAGE).asString()).isEqualTo(before);
        run("alter table goods drop column more; create index goods_made on goods (made, id)");
        run("alter table orders rename column price to total");
        Await.until("the feed 'orders' is served again", () -> reason("orders") == null);
    }

    @Test
    void theServerIsNotReadyIfItCanServeNoFeed() {
        run("revoke usage on schema public from :reader");
        Await.until(
                "the server is not ready", () -> readiness().getString("status").equals("DOWN"));
        assertThat(get("/q/health/ready").statusCode()).isEqualTo(503);
        run("grant usage on schema public to :reader");
        Await.until(
                "the server is ready", () -> readiness().getString("status").equals("UP") && reason("goods") == null);
    }

    /** @param statements in which {@code :reader} stands for the server's role */
    private static void run(String statements) {
        String role = ConfigProvider.getConfig().getValue("quarkus.datasource.username", String.class);
        FreshFeedsProfile.execute(statements.replace(":reader", role));
    }

    /** Why the feed does not match its table; null if it does. */
    private static String reason(String feed) {
        return readiness().getString("checks[name=feeds].data.'broken." + feed + "'");
    }

    private static JsonDocument readiness() {
        return JsonDocument.of(get("/q/health/ready"));
    }
}
