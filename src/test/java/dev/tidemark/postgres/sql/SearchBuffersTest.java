package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of a search looks at no more than {@code scan} rows of a list of 100,000, even if no row matches, and stops
 * as soon as it is full. Through an index of trigrams, it reads little but the rows that match. The rows are stored in
 * random order with respect to the list, so each row needs its own buffer.
 */
@UsesTestDatabase
class SearchBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int SCAN = 1000;

    /** The entries of an index that a scan of this many rows reads, and what few rows on the other side need. */
    private static final int INDEX_BUFFERS = 60;

    private static final Pattern ROWS = Pattern.compile("Scan .*actual rows=([\\d.]+) loops=(\\d+)");

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS novels;
                CREATE TABLE novels (id bigint PRIMARY KEY, made timestamptz NOT NULL, edited timestamptz,
                  status text NOT NULL, title text NOT NULL, body text, author_id int);
                DROP TABLE IF EXISTS novelists;
                CREATE TABLE novelists (id int PRIMARY KEY, name text);
                INSERT INTO novelists SELECT i, 'name ' || i FROM generate_series(1, 100) i;
                INSERT INTO novels SELECT i,
                  '2026-01-01'::timestamptz + (abs(hashint8(i)) % 40000) * interval '1 minute',
                  CASE WHEN i % 3 = 0 THEN '2026-01-01'::timestamptz + (abs(hashint8(i + 7)) % 90000) * interval '1 minute' END,
                  (ARRAY['open', 'closed'])[1 + abs(hashint8(i + 1)) % 2],
                  'novel ' || i, 'text ' || i % 20 || repeat(' x', 500), i % 100
                FROM generate_series(1, 100000) i;
                CREATE INDEX ON novels (made DESC, id DESC);
                CREATE INDEX ON novels (status, made DESC, id DESC);
                CREATE INDEX ON novels (edited DESC NULLS LAST, id DESC);
                VACUUM ANALYZE novels;
                CREATE EXTENSION IF NOT EXISTS pg_trgm;
                DROP TABLE IF EXISTS diaries;
                CREATE TABLE diaries (id bigint PRIMARY KEY, made timestamptz NOT NULL, edited timestamptz, status text NOT NULL,
                  title text COLLATE "C" NOT NULL, body text COLLATE "C", author_id int);
                INSERT INTO diaries SELECT i, '2026-01-01'::timestamptz + (abs(hashint8(i)) % 40000) * interval '1 minute',
                  '2026-01-01', 'open', CASE i WHEN 150000 THEN 'Zeppelin' ELSE 'entry ' || i END, 'text ' || i % 1000, i % 100
                FROM generate_series(1, 300000) i;
                CREATE INDEX ON diaries (made DESC, id DESC);
                CREATE INDEX ON diaries (status, made DESC, id DESC);
                CREATE INDEX ON diaries USING gin (title gin_trgm_ops, body gin_trgm_ops, upper(title) gin_trgm_ops);
                VACUUM ANALYZE diaries;
                """);
    }

    static Stream<Arguments> lists() {
        return Stream.of("made desc", "made", "edited desc nulls last")
                .flatMap(order -> Stream.of("", "open", "open,closed").map(status -> Arguments.of(order, status)))
                .filter(list -> !list.get()[0].equals("edited desc nulls last") || list.get()[1].equals(""));
    }

    private static Feed feed(String order) {
        return feed("novels", order);
    }

    private static Feed feed(String table, String order) {
        return DATABASE.feed(
                "table", table,
                "columns", "id, title, body",
                "orders.o", order,
                "filters.status", "equals",
                "search.columns", "title, body, shout",
                "search.scan", Integer.toString(SCAN),
                "derived.shout", "upper(title)",
                "embed.author.table", "novelists",
                "embed.author.on.id", "author_id",
                "embed.author.columns", "name",
                "delta", "true");
    }

    private static ListState list(Feed feed, String status, String... words) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(new Condition.Search(feed.policy().search().columns(), List.of(words)));
        if (!status.isEmpty()) {
            conditions.add(new Condition.AnyOf(feed.filters().get("status").column(), List.of(status.split(","))));
        }
        return new ListState(feed, feed.orders().byDefault(), conditions);
    }

    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void noPageLooksAtMoreRowsThanTheFeedDeclares(String order, String status) {
        Feed feed = feed(order);
        ListState nothing = list(feed, status, "nowhere");
        Gap deep = Gap.after(Position.of("2026-01-12 00:00:00+00", "50000"));
        for (Direction direction : Direction.values()) {
            PageRequest page = new PageRequest(Optional.of(new Continuation(deep, direction)), 50);
            assertScanned(nothing, page, SCAN);
        }
        assertScanned(nothing, new PageRequest(Optional.empty(), 50), SCAN);
        assertScanned(
                nothing, new PageRequest(Optional.empty(), 50).withSince(Optional.of(new Moment("1/2/3", 3))), SCAN);
        assertScanned(
                nothing,
                new PageRequest(
                        Optional.of(new Continuation(deep, Direction.FORWARD)),
                        50,
                        OptionalInt.of(25),
                        Optional.empty()),
                SCAN);
        assertScanned(nothing, new PageRequest(Optional.empty(), 50, OptionalInt.empty(), Optional.of(deep)), SCAN);
    }

    /** One row in 20 matches, so a page of 20 looks at about 400. */
    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void aPageStopsAsSoonAsItIsFull(String order, String status) {
        ListState many = list(feed(order), status, "text 7 x");
        assertScanned(many, new PageRequest(Optional.empty(), 20), 900);
        ListState all = list(feed(order), status, "novel");
        assertScanned(all, new PageRequest(Optional.empty(), 20), 25);
    }

    /** One row of 300,000 matches. A page also reads a few rows on the other side of its gap. */
    @ParameterizedTest(name = "where {0}")
    @ValueSource(strings = {"", "open"})
    void anIndexOfTrigramsFindsTheOnlyMatch(String status) {
        ListState list = list(feed("diaries", "made desc"), status, "zeppelin");
        assertThat(ListShape.of(list).hasTextIndex(list.feed())).isTrue();
        Gap deep = Gap.after(Position.of("2026-01-12 00:00:00+00", "50000"));
        PageRequest first = new PageRequest(Optional.empty(), 50);
        for (PageRequest page : List.of(
                first,
                first.withSince(Optional.of(new Moment("1/2/3", 3))),
                new PageRequest(Optional.empty(), 50, OptionalInt.empty(), Optional.of(deep)),
                new PageRequest(Optional.of(new Continuation(deep, Direction.FORWARD)), 50),
                new PageRequest(Optional.of(new Continuation(deep, Direction.BACKWARD)), 50),
                new PageRequest(
                        Optional.of(new Continuation(deep, Direction.FORWARD)),
                        50,
                        OptionalInt.of(25),
                        Optional.empty()))) {
            PageShape shape = PageShape.of(list, page).throughTextIndex();
            Statement statement = new OrderStatements(list.feed(), list.order()).page(shape);
            assertThat(statement.kind()).isEqualTo(Statement.Kind.TEXT_INDEXED);
            List<String> plan = explain(statement, shape.parameters(list, page), "force_custom_plan");
            assertThat(TestDatabase.buffers(plan))
                    .as(() -> String.join("\n", plan))
                    .isLessThanOrEqualTo(120);
        }
    }

    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void countsLookAtTenTimesAsManyRows(String order, String status) {
        ListState nothing = list(feed(order), status, "nowhere");
        Gap deep = Gap.after(Position.of("2026-01-03 00:00:00+00", "50000"));
        PageRequest page = new PageRequest(Optional.of(new Continuation(deep, Direction.FORWARD)), 1);
        PageShape shape = PageShape.of(nothing, page);
        assertScanned(
                CountSql.countRemaining(nothing, shape, 101).orElseThrow(), shape.parameters(nothing, page), 10 * SCAN);
        List<String> parameters = new ArrayList<>();
        ListShape.of(nothing).bind(nothing, parameters);
        assertScanned(CountSql.countAll(nothing, 10_001), parameters, 10 * SCAN);
    }

    private static void assertScanned(ListState list, PageRequest request, int most) {
        PageShape shape = PageShape.of(list, request);
        OrderStatements statements = new OrderStatements(list.feed(), list.order());
        assertThat(shape.includingPosition(statements.columns())).isEmpty();
        Statement page = statements.page(shape);
        assertThat(page.kind()).isEqualTo(Statement.Kind.INDEXED_SEARCH);
        assertScanned(page, shape.parameters(list, request), most);
    }

    private static List<String> explain(Statement statement, List<String> parameters, String planMode) {
        String values = parameters.stream()
                .map(value -> value == null ? "NULL" : "'" + value + "'")
                .collect(Collectors.joining(", ", "(", ")"));
        return DATABASE.explain(statement, values, planMode);
    }

    /** Also counts the rows that a scan returns; a page reads a few more on the far side of its gap. */
    private static void assertScanned(Statement statement, List<String> parameters, int most) {
        List<String> plan = explain(statement, parameters, "force_generic_plan");
        int rows = 0;
        for (String line : plan) {
            Matcher scan = ROWS.matcher(line);
            if (line.contains(" on novels") && scan.find()) {
                rows += (int) (Double.parseDouble(scan.group(1)) * Integer.parseInt(scan.group(2)));
            }
        }
        assertThat(rows).as(() -> String.join("\n", plan)).isBetween(1, most + 3);
        assertThat(TestDatabase.buffers(plan))
                .as(() -> String.join("\n", plan))
                .isLessThanOrEqualTo((most + 3) * 11 / 10 + INDEX_BUFFERS);
        assertThat(plan).as(() -> String.join("\n", plan)).noneMatch(line -> line.contains("->  Sort "));
    }
}
