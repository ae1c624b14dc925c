package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
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
 * The buffers of a page of 30 items grow with the caller's memberships, but not with the depth, nor with the rows of
 * other channels. Of 200,000 rows, half are in channel 0, and the other channels have about 200 each. A caller whose
 * id is {@code n} is a member of {@code n} channels, the channel 0 not among them.
 */
@UsesTestDatabase
@Tag("every-postgres")
class MembershipBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int LIMIT = 30;
    private static final List<String> MODES = List.of("force_custom_plan", "force_generic_plan");

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS talks, talkers;
                CREATE TABLE talks (id bigint PRIMARY KEY, channel_id int NOT NULL, made timestamptz NOT NULL,
                  edited timestamptz, rank int NOT NULL, filler text NOT NULL);
                INSERT INTO talks SELECT i, CASE WHEN i % 2 = 0 THEN 0 ELSE 1 + abs(hashint8(i)) % 500 END,
                  '2026-01-01'::timestamptz + (abs(hashint8(i + 1)) % 40000) * interval '1 minute',
                  CASE WHEN i % 3 = 0 THEN '2026-01-01'::timestamptz + (abs(hashint8(i + 7)) % 90000) * interval '1 minute' END,
                  abs(hashint8(i + 3)) % 50, repeat('x', 150) FROM generate_series(1, 200000) i;
                CREATE INDEX ON talks (channel_id, made DESC, id DESC);
                CREATE INDEX ON talks (channel_id, edited DESC NULLS LAST, id DESC);
                CREATE INDEX ON talks (channel_id, rank, made DESC, id DESC);
                CREATE INDEX ON talks (channel_id, rank);
                CREATE INDEX ON talks (made DESC, id DESC);
                CREATE TABLE talkers (user_id int NOT NULL, channel_id int NOT NULL, PRIMARY KEY (user_id, channel_id));
                INSERT INTO talkers SELECT u, c FROM unnest(ARRAY[1, 10, 100, 200, 201, 400]) u, generate_series(1, u) c;
                VACUUM ANALYZE talks;
                VACUUM ANALYZE talkers;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"made desc", "made", "edited desc nulls last", "rank, made desc", "rank desc, made"})
    void thePagesBuffersGrowWithTheMembershipsButNotWithTheDepth(String order) {
        Feed feed = feed(order);
        for (int memberships : List.of(1, 10, 200)) {
            ListState state = state(feed, memberships);
            int most = 60 + memberships * (2 * LIMIT + 20);
            for (int tenths : List.of(1, 9)) {
                Gap gap = gap(feed, memberships, tenths);
                for (Direction direction : Direction.values()) {
                    PageRequest page = new PageRequest(Optional.of(new Continuation(gap, direction)), LIMIT);
                    for (String mode : MODES) {
                        assertThat(BuffersTest.buffers(feed, state, page, mode))
                                .as("%d memberships, %s at %d tenths, %s", memberships, direction, tenths, mode)
                                .isLessThanOrEqualTo(most);
                    }
                }
                PageRequest until = new PageRequest(Optional.empty(), LIMIT, OptionalInt.empty(), Optional.of(gap));
                assertThat(BuffersTest.buffers(feed, state, until, "force_generic_plan"))
                        .as("%d memberships, until %d tenths", memberships, tenths)
                        .isLessThanOrEqualTo(most);
                PageRequest around = new PageRequest(
                        Optional.of(new Continuation(Gap.before(gap.position()), Direction.FORWARD)),
                        LIMIT,
                        OptionalInt.of(LIMIT / 2),
                        Optional.empty());
                assertThat(BuffersTest.buffers(feed, state, around, "force_generic_plan"))
                        .as("%d memberships, around %d tenths", memberships, tenths)
                        .isLessThanOrEqualTo(2 * most);
            }
        }
    }

    @Test
    void aConditionOnTheMembershipsTakesNoMoreBuffers() {
        Feed plain = feed("made desc");
        Feed conditional = feed("made desc", "scope.channel_id.if", "talkers.user_id > 0");
        for (PageRequest page : List.of(
                new PageRequest(Optional.empty(), LIMIT),
                new PageRequest(Optional.of(new Continuation(gap(plain, 200, 9), Direction.FORWARD)), LIMIT))) {
            for (String mode : MODES) {
                assertThat(BuffersTest.buffers(conditional, state(conditional, 200), page, mode))
                        .as(mode)
                        .isLessThanOrEqualTo(BuffersTest.buffers(plain, state(plain, 200), page, mode) + 5);
                assertThat(BuffersTest.buffers(conditional, state(conditional, 200, "7"), page, mode))
                        .as("a channel of the caller, %s", mode)
                        .isLessThanOrEqualTo(BuffersTest.buffers(plain, state(plain, 200, "7"), page, mode) + 5);
            }
        }
    }

    @Test
    void aPageOfOneNamedChannelTakesOneProbeOfTheMemberships() {
        Feed feed = feed("made desc");
        PageRequest page = new PageRequest(Optional.empty(), LIMIT);
        for (String mode : MODES) {
            assertThat(BuffersTest.buffers(feed, state(feed, 200, "7"), page, mode))
                    .as("a channel of the caller, %s", mode)
                    .isBetween(LIMIT, LIMIT + 20);
            assertThat(BuffersTest.buffers(feed, state(feed, 200, "0"), page, mode))
                    .as("the largest channel, in which the caller is not, %s", mode)
                    .isLessThanOrEqualTo(5);
            assertThat(BuffersTest.buffers(feed, state(feed, 200, "0", "7", "300"), page, mode))
                    .as("several channels, %s", mode)
                    .isBetween(LIMIT, LIMIT + 40);
        }
    }

    @Test
    void aCountOfNewItemsGrowsWithTheMembershipsOnly() {
        Feed feed = feed("made desc");
        ListState state = state(feed, 10);
        PageRequest request = new PageRequest(Optional.of(new Continuation(gap(feed, 10, 9), Direction.BACKWARD)), 1);
        PageShape shape = PageShape.of(state, request);
        Statement count = CountSql.countRemaining(state, shape, 100).orElseThrow();
        assertThat(TestDatabase.buffers(DATABASE.explain(
                        count,
                        shape.parameters(state, request).stream().collect(Collectors.joining("', '", "('", "')")),
                        "force_generic_plan")))
                .isLessThanOrEqualTo(60 + 10 * 100);
    }

    /** Both sides of the border between merged scans and a join. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 200, 201, 400})
    void aScrollStartsWithExactlyTheRowsOfTheCallersChannels(int memberships) {
        Feed feed = feed("rank desc, made");
        List<String> ids = scroll(state(feed, memberships), LIMIT);
        assertThat(ids)
                .isEqualTo(DATABASE
                        .rows("SELECT id::text FROM talks WHERE channel_id BETWEEN 1 AND " + memberships
                                + " ORDER BY rank DESC, made, talks.id")
                        .stream()
                        .map(row -> row.getString(0))
                        .limit(3 * LIMIT)
                        .toList());
    }

    private static Feed searchableFeed(String order) {
        return feed(order, "derived.note", "filler || id::text", "search.columns", "note", "search.scan", "1000");
    }

    private static ListState search(Feed feed, int memberships, String word, String... channels) {
        ListState list = state(feed, memberships, channels);
        List<Condition> conditions = new ArrayList<>(list.conditions());
        conditions.add(new Condition.Search(feed.policy().search().columns(), List.of(word)));
        return new ListState(feed, list.order(), conditions);
    }

    /**
     * The channels share the rows that each scan reads, at least 200 for a channel. Each channel is found in the
     * index.
     */
    @ParameterizedTest
    @ValueSource(strings = {"made desc", "edited desc nulls last", "rank, made desc", "rank desc, made"})
    void aPageOfASearchReadsAShareOfTheRowsInEachChannel(String order) {
        Feed feed = searchableFeed(order);
        for (int memberships : List.of(1, 10, 200)) {
            ListState state = search(feed, memberships, "nowhere");
            PageRequest page =
                    new PageRequest(Optional.of(new Continuation(gap(feed, memberships, 1), Direction.FORWARD)), LIMIT);
            assertThat(BuffersTest.buffers(feed, state, page, "force_generic_plan"))
                    .as("%d memberships", memberships)
                    .isLessThanOrEqualTo(60 + 2 * Math.max(1100, memberships * 200) + memberships * 20);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 200, 201})
    void aSearchFindsExactlyTheMatchingRowsOfTheCallersChannels(int memberships) {
        Feed feed = searchableFeed("rank desc, made");
        for (String word : List.of("x777", "x1001", "nowhere")) {
            assertThat(scroll(search(feed, memberships, word), 7, Integer.MAX_VALUE))
                    .isEqualTo(DATABASE
                            .rows("SELECT id::text FROM talks WHERE filler || id LIKE '%" + word
                                    + "%' AND channel_id BETWEEN 1 AND " + memberships
                                    + " ORDER BY rank DESC, made, talks.id")
                            .stream()
                            .map(row -> row.getString(0))
                            .toList());
        }
        if (memberships > 100) {
            assertThat(scroll(search(feed, memberships, "x7", "7", "8", "9", "450"), 7, Integer.MAX_VALUE))
                    .isEqualTo(DATABASE
                            .rows(
                                    "SELECT id::text FROM talks WHERE filler || id LIKE '%x7%' AND channel_id IN (7, 8, 9)"
                                            + " ORDER BY rank DESC, made, talks.id")
                            .stream()
                            .map(row -> row.getString(0))
                            .toList());
        }
    }

    /** Returns the ids of the first three pages. */
    private static List<String> scroll(ListState state, int limit) {
        return scroll(state, limit, 3 * limit);
    }

    /** Returns the ids of the pages up to the one with which there are at least as many. */
    private static List<String> scroll(ListState state, int limit, int least) {
        List<String> ids = new ArrayList<>();
        Optional<Continuation> from = Optional.empty();
        Page page;
        do {
            page = DATABASE.reader()
                    .read(state, new PageRequest(from, limit), row -> ids.add(Long.toString(row.integer(0))))
                    .await()
                    .atMost(Duration.ofSeconds(30));
            from = page.nextContinuation();
        } while (page.hasNext() && ids.size() < least);
        return ids;
    }

    /** @param more further properties, each followed by its value */
    private static Feed feed(String order, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "table",
                "talks",
                "columns",
                "id, made, edited, rank",
                "orders.o",
                order,
                "filters.channel_id",
                "equals",
                "scope.channel_id.in",
                "talkers.channel_id",
                "scope.channel_id.where.user_id",
                "claim:user"));
        properties.addAll(List.of(more));
        return DATABASE.feed(properties.toArray(String[]::new));
    }

    private static ListState state(Feed feed, int memberships, String... channels) {
        Access.Membership membership = feed.access().memberships().findFirst().orElseThrow();
        Condition scope = new Condition.InMembership(membership, List.of(Integer.toString(memberships)));
        return new ListState(
                feed,
                feed.orders().byDefault(),
                channels.length == 0
                        ? List.of(scope)
                        : List.of(scope, new Condition.AnyOf(membership.column(), List.of(channels))));
    }

    private static Gap gap(Feed feed, int memberships, int tenths) {
        String keys = feed.orders().byDefault().keys().stream()
                .map(key -> Sql.column("talks", key.column()) + "::text")
                .collect(Collectors.joining(", "));
        String where = " FROM talks WHERE channel_id BETWEEN 1 AND " + memberships;
        return BuffersTest.gap("SELECT " + keys + where
                + Sql.orderBy("talks", feed.orders().byDefault().keys()) + " OFFSET (SELECT count(*) * " + tenths
                + " / 10" + where + ") LIMIT 1");
    }
}
