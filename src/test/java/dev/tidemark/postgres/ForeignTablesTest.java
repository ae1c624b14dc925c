package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.Soak;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Storage;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Foreign tables of postgres_fdw. The foreign server is the PostgreSQL that all tests share. */
@UsesTestDatabase
class ForeignTablesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int LIMIT = 20;

    /** Matches the number of rows that a foreign scan returned, or that a filter removed. */
    private static final Pattern FETCHED =
            Pattern.compile("Foreign Scan .*actual rows=(\\d+)|Removed by Filter: (\\d+)");

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                CREATE EXTENSION IF NOT EXISTS postgres_fdw;
                DROP SERVER IF EXISTS abroad CASCADE;
                DROP TABLE IF EXISTS mixed, few_abroad, many_abroad CASCADE;
                DROP SCHEMA IF EXISTS abroad CASCADE;
                CREATE SCHEMA abroad;
                """);
        DATABASE.rows("DO $$ BEGIN EXECUTE format('CREATE SERVER abroad FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host"
                + " ''localhost'', port ''" + TestPostgres.port() + "'', dbname %L)', current_database()); END $$");
        DATABASE.run("""
                CREATE USER MAPPING FOR postgres SERVER abroad OPTIONS (user 'postgres');
                CREATE TABLE abroad.few (id bigint PRIMARY KEY, made timestamptz NOT NULL, day date, rank int NOT NULL);
                INSERT INTO abroad.few SELECT i, '2026-01-01'::timestamptz + i / 6 * interval '12 hours',
                  CASE WHEN i % 2 = 0 THEN '2026-01-01'::date + i % 5 END, i % 3 FROM generate_series(1, 60) i;
                CREATE FOREIGN TABLE few_abroad (id bigint, made timestamptz, day date, rank int)
                  SERVER abroad OPTIONS (schema_name 'abroad', table_name 'few');
                CREATE TABLE abroad.many (LIKE abroad.few);
                INSERT INTO abroad.many SELECT i, '2026-01-01'::timestamptz + (i - i % 3) * interval '10 minutes',
                  '2026-01-01'::date + i % 400, i * 7 % 20 FROM generate_series(1, 20000) i;
                CREATE INDEX ON abroad.many (made DESC, id DESC);
                ANALYZE abroad.many;
                CREATE FOREIGN TABLE many_abroad (id bigint, made timestamptz, day date, rank int)
                  SERVER abroad OPTIONS (schema_name 'abroad', table_name 'many');
                CREATE TABLE mixed (id bigint, made timestamptz NOT NULL, day date, rank int NOT NULL) PARTITION BY RANGE (made);
                CREATE TABLE mixed_here PARTITION OF mixed FOR VALUES FROM ('2026-01-04') TO (MAXVALUE);
                CREATE TABLE abroad.part (LIKE abroad.few);
                CREATE FOREIGN TABLE mixed_abroad PARTITION OF mixed FOR VALUES FROM (MINVALUE) TO ('2026-01-04')
                  SERVER abroad OPTIONS (schema_name 'abroad', table_name 'part');
                INSERT INTO mixed SELECT * FROM few_abroad;
                ANALYZE few_abroad, many_abroad, mixed;
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "made",
                "made desc",
                "made desc, rank",
                "day nulls first",
                "day desc nulls last, made",
                "rank, made desc"
            })
    void eachRowIsReadOnce(String order) {
        List<String> all =
                LongStream.rangeClosed(1, 60).mapToObj(Long::toString).toList();
        for (String table : List.of("few_abroad", "mixed")) {
            Feed feed = DATABASE.feed("table", table, "key", "id", "columns", "id", "orders.o", order);
            for (int size : Soak.pageSizes(feed.name())) {
                Walk walk = new Walk(DATABASE.reader(), feed, size);
                assertThat(walk.forward()).as("%s by %d", table, size).containsExactlyInAnyOrderElementsOf(all);
                assertThat(walk.backward()).as("%s back by %d", table, size).containsExactlyInAnyOrderElementsOf(all);
            }
        }
    }

    /**
     * @param maxRows the rows of the page, plus the row beyond it, the row on the other side, and the rows that tie in
     *     the first key
     */
    @ParameterizedTest
    @CsvSource({
        "made, '2026-03-10 00:00:00+00,9792', 25",
        "made desc, '2026-03-10 00:00:00+00,9792', 25",
        "'made desc, rank', '2026-03-10 00:00:00+00,4,9792', 25",
        "'rank, made desc', '4,2026-03-10 00:00:00+00,9792', 25",
        "day desc nulls last, '2026-07-01,9792', 72",
        "'day desc, made', '2026-07-01,2026-03-10 00:00:00+00,9792', 72"
    })
    void aPageFetchesFewRows(String order, String position, int maxRows) {
        Feed feed = DATABASE.feed("table", "many_abroad", "key", "id", "orders.o", order, "filters.day", "equals");
        Gap gap = Gap.after(Position.of(position.split(",")));
        for (Direction direction : Direction.values()) {
            assertThat(fetchedRows(
                            feed, List.of(), new PageRequest(Optional.of(new Continuation(gap, direction)), LIMIT)))
                    .as("%s", direction)
                    .isLessThanOrEqualTo(maxRows);
        }
        Condition day = new Condition.AnyOf(feed.filters().get("day").column(), List.of("2026-01-03"));
        assertThat(fetchedRows(feed, List.of(day), new PageRequest(Optional.empty(), LIMIT)))
                .as("filtered by a day, which has 50 rows")
                .isLessThanOrEqualTo(50);
    }

    private static int fetchedRows(Feed feed, List<Condition> conditions, PageRequest page) {
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions);
        PageShape shape = PageShape.of(state, page);
        String values = shape.parameters(state, page).stream().collect(Collectors.joining("', '", "('", "')"));
        List<String> plan =
                DATABASE.explain(new OrderStatements(feed, state.order()).page(shape), values, "force_custom_plan");
        return FETCHED.matcher(String.join("\n", plan))
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1) == null ? found.group(2) : found.group(1)))
                .sum();
    }

    @Test
    void aForeignScanProvesNoIndex() {
        for (String name : List.of("few_abroad", "mixed")) {
            Feed feed = DATABASE.feed("table", name, "key", "id", "orders.o", "made desc");
            assertThat(DATABASE.missingIndexes(feed))
                    .singleElement()
                    .extracting(MissingIndex::explanation)
                    .asString()
                    .contains("foreign servers")
                    .contains("(made DESC, id DESC)");
            assertThat(feed.relation().storage()).isEqualTo(new Storage(name.equals("mixed"), true));
        }
    }

    @Test
    void aPageOverAnUnreachableForeignServerIsUnavailable() {
        DATABASE.run("""
                DROP SERVER IF EXISTS nowhere CASCADE;
                CREATE SERVER nowhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'localhost', port '1');
                CREATE USER MAPPING FOR postgres SERVER nowhere;
                CREATE FOREIGN TABLE lost (id bigint) SERVER nowhere;
                """);
        Feed feed = DATABASE.feed("table", "lost", "key", "id", "orders.o", "id");
        ReadFailure failure = catchThrowableOfType(
                ReadFailure.class, () -> new Walk(DATABASE.reader(), feed, 5).read(Optional.empty()));
        assertThat(failure.reason()).isEqualTo(ReadFailure.Reason.UNAVAILABLE);
    }
}
