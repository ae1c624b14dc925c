package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.universal.UniversalClient;
import dev.tidemark.http.universal.UniversalClient.Page;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * While an app scrolls through a feed, an operator changes the strategy or the columns of the feed and restarts the
 * server.
 */
class StrategyChangeIT {

    private static final List<String> ORDERS =
            List.of("at DESC, things.id DESC", "edited DESC NULLS LAST, things.id DESC", "mood, things.id");

    @TempDir
    static Path directory;

    private static String database;

    /** One server for each strategy. Both have the same cursor keys, like one server before and after a restart. */
    private static final Map<String, DeployedServer> SERVERS = new HashMap<>();

    @BeforeAll
    static void start() throws SQLException, IOException, InterruptedException {
        database = TestPostgres.newDatabase();
        try (Connection connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("""
                    create table things (
                        id int primary key, at timestamptz not null, edited timestamptz, mood text not null);
                    insert into things select i, '2026-01-01'::timestamptz + i / 2 * interval '1 second',
                            case when i % 3 = 0 then '2026-01-02'::timestamptz + i % 4 * interval '1 second' end,
                            substr('abc', i % 3 + 1, 1)
                        from generate_series(1, 50) i
                    """);
        }
        TestPostgres.awaitEndOfOpenTransactions();
        SERVERS.put("cursor", serverWith("cursor"));
        SERVERS.put("offset", serverWith("offset"));
        for (DeployedServer server : SERVERS.values()) {
            server.awaitReady();
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(DeployedServer::close);
    }

    @ParameterizedTest
    @CsvSource({"cursor, offset", "offset, cursor"})
    @Timeout(120)
    void aStartedScrollKeepsItsStrategyAndTheNextOneUsesTheNewStrategy(String before, String after) throws Exception {
        List<List<Page>> scrolls = new ArrayList<>();
        for (int order = 0; order < ORDERS.size(); order++) {
            UniversalClient client = client(before, order);
            Page first = client.first();
            scrolls.add(List.of(first, client.after(first.next().orElseThrow())));
        }

        for (int order = 0; order < ORDERS.size(); order++) {
            UniversalClient client = client(after, order);
            List<String> all = expected(order);
            Page reached = scrolls.get(order).get(1);
            List<Page> shown = new ArrayList<>(scrolls.get(order));
            shown.addAll(client.pagesFrom(client.after(reached.next().orElseThrow())));
            assertThat(ids(shown)).as("forward, through the switch").isEqualTo(all);
            assertThat(ids(client.pagesUpTo(shown.get(shown.size() - 1))))
                    .as("backward, on the new server")
                    .isEqualTo(all);
            assertThat(ids(client.pagesUpTo(reached)))
                    .as("backward, from a page that was read before the switch")
                    .isEqualTo(all.subList(0, 14));
            assertThat(shown)
                    .as("the strategy of the started scroll")
                    .allMatch(page -> hasNumericToken(page) == before.equals("offset"));

            List<Page> next = client.pagesFrom(client.first());
            assertThat(ids(next)).as("the next scroll").isEqualTo(all);
            assertThat(next).allMatch(page -> hasNumericToken(page) == after.equals("offset"));
        }
    }

    /** A deployment adds a column. The copies that clients keep lack it, although no row was written. */
    @Test
    void aMomentOfTheFormBeforeSendsAllItemsOnce() throws Exception {
        String before = read("cursor", "/api/forms").getString("moment");
        JsonDocument after = read("offset", "/api/forms?since=" + before);
        assertThat(after.getList("items.mood")).hasSize(30).doesNotContainNull();
        assertThat(read("offset", "/api/forms?since=" + after.getString("moment"))
                        .getList("items"))
                .isEmpty();
        assertThat(read("cursor", "/api/forms?since=" + before).getList("items"))
                .isEmpty();
    }

    @Test
    void aStreamThatResumesWithAMomentOfTheFormBeforeGetsAllItems() throws Exception {
        String before = read("cursor", "/api/forms").getString("moment");
        String live = "/api/forms/live?since=" + before;
        try (EventClient stream = EventClient.openAsync(SERVERS.get("offset").port(), live)
                .orTimeout(20, TimeUnit.SECONDS)
                .join()) {
            assertThat(stream.nextEvent().json().getList("items.mood")).hasSize(50);
        }
    }

    private static JsonDocument read(String strategy, String target) throws Exception {
        return JsonDocument.of(SERVERS.get(strategy).get(target).body());
    }

    private static UniversalClient client(String strategy, int order) {
        return new UniversalClient(
                "http://localhost:" + SERVERS.get(strategy).port() + "/v3/things?order=o" + order + "&mood.is=notnull&",
                7);
    }

    private static List<String> expected(int order) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("select id from things order by " + ORDERS.get(order))) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    /** The client treats tokens as opaque; this test inspects them. */
    private static boolean hasNumericToken(Page page) {
        return page.last().orElseThrow().matches("[0-9]+");
    }

    private static List<String> ids(List<Page> pages) {
        return UniversalClient.rows(pages).stream()
                .map(row -> row.get("id").asText())
                .toList();
    }

    private static DeployedServer serverWith(String strategy) throws IOException {
        Path feeds = Files.writeString(directory.resolve(strategy + ".yaml"), """
                tidemark:
                  cursor:
                    keys: %s
                  feeds:
                    things:
                      table: things
                      orders: {o0: at desc, o1: edited desc nulls last, o2: mood}
                      default-order: o0
                      live-orders: [o1]
                      filters: {mood: equals}
                      universal: {strategy: %s}
                    forms: {table: things, orders: {newest: at desc}, delta: true, columns: [id, at%s]}
                """.formatted(
                        "QUFB".repeat(21) + "QQ==", strategy, strategy.equals("offset") ? ", mood" : ""));
        return new DeployedServer(Map.of(
                "QUARKUS_CONFIG_LOCATIONS",
                feeds.toString(),
                "QUARKUS_DATASOURCE_REACTIVE_URL",
                database,
                "QUARKUS_DATASOURCE_USERNAME",
                "postgres"));
    }
}
