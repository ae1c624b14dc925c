package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A page of 30 items with an embedded row each touches at most 60 + 3 × 30 buffers at any depth of 100,000 rows. The
 * rows of one page have different authors.
 */
@UsesTestDatabase
@Tag("every-postgres")
class EmbedBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int LIMIT = 30;
    private static final int MAX_BUFFERS = 60 + 3 * LIMIT;

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS signed, signers;
                CREATE TABLE signers (id int PRIMARY KEY, name text NOT NULL, avatar text, filler text NOT NULL);
                INSERT INTO signers SELECT i, 'name ' || i, NULL, repeat('x', 300) FROM generate_series(0, 49999) i;
                CREATE TABLE signed (
                  id bigint PRIMARY KEY, made timestamptz NOT NULL, edited timestamptz, rank int NOT NULL, author_id int,
                  filler text NOT NULL);
                INSERT INTO signed SELECT i,
                  '2026-01-01'::timestamptz + (abs(hashint8(i)) % 40000) * interval '1 minute',
                  CASE WHEN i % 3 = 0 THEN '2026-01-01'::timestamptz + (abs(hashint8(i + 7)) % 90000) * interval '1 minute' END,
                  abs(hashint8(i + 3)) % 50,
                  CASE WHEN i % 50 <> 0 THEN abs(hashint8(i + 9)) % 50000 END, repeat('x', 150)
                FROM generate_series(1, 100000) i;
                CREATE INDEX ON signed (made DESC, id DESC);
                CREATE INDEX ON signed (edited DESC NULLS LAST, id DESC);
                CREATE INDEX ON signed (rank, made DESC, id DESC);
                VACUUM ANALYZE signed;
                VACUUM ANALYZE signers;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"made desc", "made", "edited desc nulls last", "rank, made desc", "rank desc, made"})
    void aPageCostsFewBuffersAtAnyDepth(String order) {
        Feed feed = feed(order);
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        for (int tenths : List.of(1, 9)) {
            Gap gap = gap(feed, tenths);
            for (Direction direction : Direction.values()) {
                PageRequest page = new PageRequest(Optional.of(new Continuation(gap, direction)), LIMIT);
                for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
                    assertThat(BuffersTest.buffers(feed, state, page, mode))
                            .as("%s at %d tenths, %s", direction, tenths, mode)
                            .isLessThanOrEqualTo(MAX_BUFFERS);
                }
            }
            PageRequest until = new PageRequest(Optional.empty(), LIMIT, OptionalInt.empty(), Optional.of(gap));
            assertThat(BuffersTest.buffers(feed, state, until, "force_generic_plan"))
                    .as("until %d tenths", tenths)
                    .isLessThanOrEqualTo(MAX_BUFFERS);
            PageRequest around = new PageRequest(
                    Optional.of(new Continuation(Gap.before(gap.position()), Direction.FORWARD)),
                    LIMIT,
                    OptionalInt.of(LIMIT / 2),
                    Optional.empty());
            assertThat(BuffersTest.buffers(feed, state, around, "force_generic_plan"))
                    .as("around %d tenths, where a page is read on each side", tenths)
                    .isLessThanOrEqualTo(2 * MAX_BUFFERS);
        }
    }

    /** The usual case: the last item of the page before still exists. */
    @Test
    void aPageAfterAnItemCostsFewBuffers() {
        Feed feed = feed("made desc");
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        OrderStatements statements = new OrderStatements(feed, state.order());
        PageRequest page = new PageRequest(Optional.of(new Continuation(gap(feed, 9), Direction.FORWARD)), LIMIT);
        PageShape shape = PageShape.of(state, page)
                .includingPosition(statements.columns())
                .orElseThrow();
        assertThat(buffers(statements.page(shape), shape.parameters(state, page)))
                .isLessThanOrEqualTo(MAX_BUFFERS);
    }

    /** The rows before a page by offset are not looked up. */
    @Test
    void aPageByOffsetLooksUpOnlyTheRowsOfItsOwn() {
        for (Direction direction : Direction.values()) {
            int with = offsetBuffers(feed("made desc"), direction);
            int without = offsetBuffers(feedWithoutEmbeds("made desc"), direction);
            assertThat(with - without).as("%s", direction).isBetween(1, 3 * (LIMIT + 2));
        }
    }

    /** PostgreSQL stores the long bodies out of line (TOAST). */
    @Test
    void aRowThatWasNotWrittenCostsOnlyItsKeyAndItsLookup() {
        DATABASE.run("""
                DROP TABLE IF EXISTS kept_signed;
                CREATE TABLE kept_signed (id bigint PRIMARY KEY, made timestamptz NOT NULL, body text NOT NULL, author_id int);
                ALTER TABLE kept_signed ALTER body SET STORAGE EXTERNAL;
                INSERT INTO kept_signed SELECT i, '2026-01-01'::timestamptz + i * interval '1 minute', repeat('x', 5000), i
                  FROM generate_series(1, 2000) i;
                CREATE INDEX ON kept_signed (made DESC, id DESC);
                VACUUM ANALYZE kept_signed;
                """);
        TestPostgres.awaitEndOfOpenTransactions();
        Feed feed = DATABASE.feed(
                "table",
                "kept_signed",
                "columns",
                "id, made, body",
                "orders.o",
                "made desc",
                "delta",
                "true",
                "embed.author.table",
                "signers",
                "embed.author.on.id",
                "author_id",
                "embed.author.columns",
                "name");
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        Optional<Moment> moment = DATABASE.reader()
                .read(state, new PageRequest(Optional.empty(), 1), row -> {})
                .await()
                .atMost(Duration.ofSeconds(9))
                .moment();
        PageRequest page = new PageRequest(Optional.empty(), 500).withSince(moment);
        assertThat(BuffersTest.buffers(feed, state, page, "force_generic_plan"))
                .isLessThanOrEqualTo(MAX_BUFFERS + 3 * 500);
    }

    private static int offsetBuffers(Feed feed, Direction direction) {
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        List<String> parameters = new ArrayList<>();
        OffsetSql.bind(new OffsetRequest(500, direction, LIMIT), parameters);
        return buffers(new OrderStatements(feed, state.order()).offsetPage(ListShape.of(state), direction), parameters);
    }

    private static Feed feed(String order) {
        return DATABASE.feed(
                "table",
                "signed",
                "columns",
                "id, made, edited, rank",
                "orders.o",
                order,
                "embed.author.table",
                "signers",
                "embed.author.on.id",
                "author_id",
                "embed.author.columns",
                "name, avatar");
    }

    private static Feed feedWithoutEmbeds(String order) {
        return DATABASE.feed("table", "signed", "columns", "id, made, edited, rank", "orders.o", order);
    }

    private static Gap gap(Feed feed, int tenths) {
        String keys = feed.orders().byDefault().keys().stream()
                .map(key -> Sql.column("signed", key.column()) + "::text")
                .collect(Collectors.joining(", "));
        return BuffersTest.gap("SELECT " + keys + " FROM signed"
                + Sql.orderBy("signed", feed.orders().byDefault().keys()) + " OFFSET " + tenths * 10_000 + " LIMIT 1");
    }

    private static int buffers(Statement statement, List<String> parameters) {
        String values = parameters.stream()
                .map(value -> value == null ? "NULL" : '\'' + value + '\'')
                .collect(Collectors.joining(", ", "(", ")"));
        return TestDatabase.buffers(DATABASE.explain(statement, values, "force_generic_plan"));
    }
}
