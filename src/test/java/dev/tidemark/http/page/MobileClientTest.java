package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.client.FreshCount;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A phone scrolls down a list of messages and sleeps while up to a thousand new ones arrive, and others are edited,
 * hidden, or deleted. When it wakes up, it shows how many items are above the old top of its list, reads them, and
 * then rereads all items down to the old end of the list. It then shows exactly the list of the database. It uses the
 * Java client.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class MobileClientTest {

    private static final int RUNS = Soak.times(5);

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    static Stream<Arguments> runs() {
        return Stream.of("newest", "edited", "oldest-edited")
                .flatMap(order -> IntStream.range(0, RUNS).mapToObj(run -> Arguments.of(order, Seed.next())));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("runs")
    void aListMatchesTheDatabaseAfterAnAbsence(String order, long seed) {
        Random random = new Random(seed);
        fill(random);
        MobileClient phone = new MobileClient("chatter", order, 1 + random.nextInt(60));
        phone.scroll(2 + random.nextInt(6), () -> changeRows(random, 5));
        assertThat(phone.ids()).as("the items of the scroll").doesNotHaveDuplicates();
        JsonNode first = phone.items().get(0);
        JsonNode last = phone.items().get(phone.items().size() - 1);

        changeRows(random, 1_000);

        List<String> above = ids(order, Order.of(order).conditionBefore(first));
        assertThat(phone.fresh())
                .as("the number on the button")
                .isEqualTo(new FreshCount(Math.min(100, above.size()), above.size() > 100));
        assertThat(MobileClient.ids(phone.readNewItems()))
                .as("what stands above its old top")
                .isEqualTo(above);
        assertThat(MobileClient.ids(phone.readAgain()))
                .as("the list down to its old end")
                .isEqualTo(ids(
                        order,
                        '(' + Order.of(order).conditionBefore(last) + ") OR "
                                + Order.of(order).conditionAt(last)));
    }

    /** The orders of the feed, written again in SQL. */
    private enum Order {
        NEWEST("sent_at DESC, chatter.id DESC"),
        EDITED("edited_at DESC NULLS LAST, chatter.id DESC"),
        OLDEST_EDITED("edited_at NULLS FIRST, chatter.id");

        private final String orderBy;

        Order(String orderBy) {
            this.orderBy = orderBy;
        }

        static Order of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        }

        String conditionBefore(JsonNode item) {
            String id = item.get("id").asText();
            String edited = item.get("edited_at").isNull()
                    ? null
                    : '\'' + item.get("edited_at").asText() + '\'';
            return switch (this) {
                case NEWEST -> "(sent_at, id) > ('" + item.get("sent_at").asText() + "', " + id + ')';
                case EDITED ->
                    edited == null
                            ? "edited_at IS NOT NULL OR id > " + id
                            : "(edited_at, id) > (" + edited + ", " + id + ')';
                case OLDEST_EDITED ->
                    edited == null
                            ? "edited_at IS NULL AND id < " + id
                            : "edited_at IS NULL OR (edited_at, id) < (" + edited + ", " + id + ')';
            };
        }

        String conditionAt(JsonNode item) {
            String edited = item.get("edited_at").isNull()
                    ? "NULL"
                    : '\'' + item.get("edited_at").asText() + '\'';
            return "id = " + item.get("id").asText()
                    + (this == NEWEST ? "" : " AND edited_at IS NOT DISTINCT FROM " + edited);
        }
    }

    private List<String> ids(String order, String where) {
        return StreamSupport.stream(
                        pool.query("SELECT id::text FROM chatter WHERE NOT gone AND (" + where + ") ORDER BY "
                                        + Order.of(order).orderBy)
                                .execute()
                                .await()
                                .atMost(Duration.ofSeconds(9))
                                .spliterator(),
                        false)
                .map(row -> row.getString(0))
                .toList();
    }

    private void fill(Random random) {
        run("TRUNCATE chatter");
        run("INSERT INTO chatter (id, sent_at, edited_at) SELECT i, '2026-01-01'::timestamptz + (i / 3) * interval"
                + " '1 second', CASE WHEN i % 3 = 0 THEN '2026-01-02'::timestamptz + (i / 5) * interval '1 second'"
                + " END FROM generate_series(1, " + (100 + random.nextInt(200)) + ") i");
    }

    /** Inserts messages that are newer than all others, and edits, hides, and deletes others. */
    private void changeRows(Random random, int maxInserted) {
        int base = 1_000_000 + random.nextInt(1_000_000_000);
        run("INSERT INTO chatter (id, sent_at) SELECT " + base
                + " + i, greatest(clock_timestamp(), (SELECT max(sent_at) FROM"
                + " chatter)) + i * interval '1 microsecond' FROM generate_series(1, " + random.nextInt(maxInserted)
                + ") i ON CONFLICT DO NOTHING");
        String chosen = " WHERE id % " + (3 + random.nextInt(20)) + " = " + random.nextInt(3);
        run("UPDATE chatter SET edited_at = greatest(clock_timestamp(), edited_at + interval '1 microsecond')"
                + chosen);
        run("UPDATE chatter SET gone = true WHERE id % " + (7 + random.nextInt(20)) + " = 1");
        run("DELETE FROM chatter WHERE id % " + (7 + random.nextInt(20)) + " = 2");
    }

    private void run(String sql) {
        pool.query(sql).execute().await().atMost(Duration.ofSeconds(9));
    }
}
