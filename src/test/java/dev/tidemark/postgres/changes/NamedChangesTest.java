package dev.tidemark.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.catalogue.NotifyTrigger;
import io.vertx.mutiny.sqlclient.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With the triggers of the guide on what is new, which name the customers of the changed rows, only lists that can
 * contain such a row count as changed. The tables are polled once an hour.
 */
@UsesTestDatabase
class NamedChangesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Path GUIDE = Path.of("src/site/markdown/what-is-new.md");
    private static final String MARKER = "marker";

    /** A list that counts how often it counts as changed. */
    private final class Counted {

        private final AtomicInteger calls = new AtomicInteger();
        private int expected;

        Counted(Condition... conditions) {
            changes.watch(SampleFeeds.listState(feed, "o", conditions), calls::incrementAndGet);
        }
    }

    private final List<Counted> all = new ArrayList<>();
    private PgFeedChanges changes;
    private Feed feed;
    private Column customer;
    private Counted marker;

    @BeforeEach
    void makeTable() throws IOException {
        makeTable("CREATE TABLE named_orders (id int PRIMARY KEY, customer text, placed int NOT NULL DEFAULT 0)");
    }

    private void makeTable(String sql) throws IOException {
        DATABASE.run("DROP TABLE IF EXISTS named_orders CASCADE;\n" + sql);
        DATABASE.rows(triggers());
        // To add a column, the owner runs the statements again.
        DATABASE.rows(triggers());
        feed = DATABASE.feed("table", "named_orders", "orders.o", "id", "filters.customer", "equals");
        changes = new PgFeedChanges(
                DATABASE.database(), new Pool(DATABASE.pool()), () -> Duration.ofHours(1), DATABASE.vertx());
        customer = feed.filters().get("customer").column();
        marker = list(MARKER);
        awaitInspection();
    }

    private static String triggers() throws IOException {
        return Pattern.compile("(?ms)^```sql\n(.*?)^```$")
                .matcher(Files.readString(GUIDE))
                .results()
                .map(block -> block.group(1))
                .filter(sql -> sql.contains("'customer'"))
                .findFirst()
                .orElseThrow()
                .replace("public.orders", "public.named_orders");
    }

    @AfterEach
    void close() {
        changes.close(null);
    }

    private Counted list(String... customers) {
        Counted counted =
                customers.length == 0 ? new Counted() : new Counted(new Condition.AnyOf(customer, List.of(customers)));
        all.add(counted);
        return counted;
    }

    /** Until the table was inspected, each notification counts for all lists. */
    private void awaitInspection() {
        Counted other = list("other");
        Await.until("a change of another list no longer counts", () -> {
            int before = other.calls.get();
            int marked = marker.calls.get();
            change(MARKER);
            Await.until("the marker", () -> marker.calls.get() > marked);
            return other.calls.get() == before;
        });
    }

    private static void change(String name) {
        DATABASE.rows("INSERT INTO named_orders SELECT coalesce(max(id), 0) + 1, '" + name + "' FROM named_orders");
    }

    /** Checks which lists a change counts for. Notifications arrive in the order of the transactions. */
    private void assertConcerns(String sql, Counted... concerned) {
        awaitMarker();
        all.forEach(list -> list.expected = list.calls.get());
        DATABASE.rows(sql);
        for (Counted list : concerned) {
            list.expected++;
        }
        awaitMarker();
        marker.expected++;
        assertThat(all).as(sql).allSatisfy(list -> assertThat(list.calls.get()).isEqualTo(list.expected));
    }

    private void awaitMarker() {
        int before = marker.calls.get();
        change(MARKER);
        Await.until("the marker", () -> marker.calls.get() > before);
    }

    @Test
    void aChangeConcernsTheListsThatCanContainTheRowBeforeOrAfterIt() {
        Counted everything = list();
        Counted ada = list("ada");
        Counted bob = list("bob");
        Counted both = list("ada", "bob");
        // It hears of the markers, too.
        all.remove(everything);
        assertConcerns("INSERT INTO named_orders VALUES (1001, 'ada'), (1002, 'ada')", ada, both);
        assertConcerns("UPDATE named_orders SET placed = 1 WHERE id = 1001", ada, both);
        assertConcerns("UPDATE named_orders SET customer = 'bob' WHERE id = 1001", ada, bob, both);
        assertConcerns("UPDATE named_orders SET customer = NULL WHERE id = 1001", bob, both);
        assertConcerns("UPDATE named_orders SET placed = 2 WHERE id = 1001");
        assertConcerns("UPDATE named_orders SET placed = 2 WHERE false");
        assertConcerns("DELETE FROM named_orders WHERE id = 1002", ada, both);
        assertConcerns(
                "INSERT INTO named_orders VALUES (1001, 'eve') ON CONFLICT (id) DO UPDATE SET customer = 'bob'",
                bob,
                both);
        int before = everything.calls.get();
        change("ada");
        Await.until("the list of all orders", () -> everything.calls.get() > before);
    }

    @Test
    void aTruncatedTableConcernsAllLists() {
        Counted ada = list("ada");
        all.remove(marker);
        Counted other = all.get(0);
        assertConcerns("TRUNCATE named_orders", ada, other);
    }

    @Test
    void changesWithTooManyOrTooLongValuesConcernAllLists() {
        Counted ada = list("ada");
        Counted other = all.get(1);
        all.remove(marker);
        assertConcerns("INSERT INTO named_orders SELECT 2000 + i, 'c' || i FROM generate_series(1, 50) i");
        assertConcerns("INSERT INTO named_orders SELECT 3000 + i, 'c' || i FROM generate_series(1, 51) i", ada, other);
        assertConcerns("INSERT INTO named_orders VALUES (4000, repeat('x', 9000))", ada, other);
    }

    @Test
    void aRowThatMovesToAnotherPartitionConcernsBothLists() throws IOException {
        changes.close(null);
        all.clear();
        makeTable("CREATE TABLE named_orders (id int, customer text, placed int NOT NULL DEFAULT 0,"
                + " PRIMARY KEY (id, placed)) PARTITION BY LIST (placed);\n"
                + "CREATE TABLE named_orders_0 PARTITION OF named_orders FOR VALUES IN (0);\n"
                + "CREATE TABLE named_orders_1 PARTITION OF named_orders FOR VALUES IN (1)");
        Counted ada = list("ada");
        Counted bob = list("bob");
        assertConcerns("INSERT INTO named_orders VALUES (1001, 'ada')", ada);
        assertConcerns("UPDATE named_orders SET placed = 1, customer = 'bob' WHERE id = 1001", ada, bob);
    }

    @Test
    void aColumnThatIsGoneDoesNotMakeWritesFail() {
        Counted ada = list("ada");
        Counted other = all.get(1);
        DATABASE.rows("ALTER TABLE named_orders RENAME customer TO client");
        int before = ada.calls.get();
        int otherBefore = other.calls.get();
        DATABASE.rows("INSERT INTO named_orders VALUES (9000, 'bob')");
        Await.until("all lists", () -> ada.calls.get() > before && other.calls.get() > otherBefore);
    }

    @Test
    void theTriggersAreRecognizedAndLooseCollationsAreKnown() {
        DATABASE.rows("""
                CREATE COLLATION IF NOT EXISTS named_folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                ALTER TABLE named_orders ALTER customer TYPE text COLLATE named_folding""");
        NotifyTrigger trigger = NotifyTrigger.inspect(new Pool(DATABASE.pool()), "public", "named_orders")
                .await()
                .atMost(Duration.ofSeconds(10));
        assertThat(trigger.isPresent()).isTrue();
        assertThat(trigger.looseColumns()).containsExactly("customer");
    }

    @Test
    void valuesOfLooseColumnsAndOfOtherTypesExcludeNothing() {
        ChangeNotice notice =
                ChangeNotice.parse("public.named_orders\n{\"customer\": [\"ADA\", null], \"total\": [\"1.0\"]}");
        List<Condition.AnyOf> conditions = ChangeNotice.conditionsOf(
                SampleFeeds.listState(feed, "o", new Condition.AnyOf(customer, List.of("ada"))));
        assertThat(notice.table()).isEqualTo("public.named_orders");
        assertThat(notice.mayConcern(conditions, Set.of())).isFalse();
        assertThat(notice.mayConcern(conditions, Set.of("customer"))).isTrue();
        Column total = new Column("total", Scalar.NUMERIC, "numeric", false);
        assertThat(ChangeNotice.conditionsOf(
                        SampleFeeds.listState(feed, "o", new Condition.AnyOf(total, List.of("1.00")))))
                .isEmpty();
    }

    @Test
    void malformedValuesExcludeNothing() {
        for (String values :
                List.of("", "{", "[]", "{\"customer\": 1}", "{\"customer\": [1]}", "{\"customer\"", "nonsense")) {
            ChangeNotice notice = ChangeNotice.parse("public.named\norders\n" + values);
            assertThat(notice.table()).isEqualTo("public.named\norders");
            assertThat(notice.values()).isEmpty();
        }
    }
}
