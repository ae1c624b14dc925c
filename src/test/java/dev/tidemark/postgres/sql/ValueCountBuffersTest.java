package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts by value read no more than the entries that they count, of 300,000 rows with 40 values. */
@UsesTestDatabase
class ValueCountBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int VALUES = 40;

    /** The way to a value and behind it, from the root of the index. */
    private static final int PER_VALUE = 10;

    private static final int CONSTANT = 20;

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS tickets;
                CREATE TABLE tickets (id bigint PRIMARY KEY, kind text, tenant int NOT NULL, made timestamptz NOT NULL,
                  gone timestamptz, filler text NOT NULL);
                INSERT INTO tickets SELECT i,
                  CASE WHEN i % 50000 = 7 THEN 'rare' WHEN i % 37 = 0 THEN NULL ELSE 'kind ' || abs(hashint8(i)) % 38 END,
                  abs(hashint8(i + 1)) % 20, '2026-01-01'::timestamptz + (abs(hashint8(i + 2)) % 40000) * interval '1 minute',
                  CASE WHEN i % 31 = 0 THEN now() END, repeat('x', 150)
                FROM generate_series(1, 300000) i;
                CREATE INDEX ON tickets (made DESC, id DESC);
                CREATE INDEX ON tickets (tenant, made DESC, id DESC);
                CREATE INDEX ON tickets (kind, made DESC, id DESC) WHERE gone IS NULL;
                CREATE INDEX ON tickets (tenant, kind, made DESC, id DESC) WHERE gone IS NULL;
                VACUUM ANALYZE tickets;
                """);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void theCostIsThatOfTheCountedEntries(int upTo) {
        assertThat(buffers(List.of(), Optional.empty(), upTo))
                .isLessThanOrEqualTo(VALUES * (upTo + 1 + PER_VALUE) + CONSTANT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void aFilterThatPrecedesTheColumnInAnIndexCostsNoMore(int upTo) {
        Condition tenant = new Condition.AnyOf(feed().filters().get("tenant").column(), List.of("7"));
        assertThat(buffers(List.of(tenant), Optional.empty(), upTo))
                .isLessThanOrEqualTo(VALUES * (upTo + 1 + PER_VALUE) + CONSTANT);
    }

    @Test
    void namedValuesCostThatOfTheirEntries() {
        assertThat(buffers(List.of(), Optional.of("{rare,kind 3,no such kind}"), 100))
                .isLessThanOrEqualTo(3 * (101 + PER_VALUE) + CONSTANT);
    }

    private static Feed feed() {
        return DATABASE.feed(
                "table",
                "tickets",
                "orders.o",
                "made desc",
                "visible",
                "gone is null",
                "counts",
                "kind",
                "filters.tenant",
                "equals",
                "filters.kind",
                "equals");
    }

    private static int buffers(List<Condition> conditions, Optional<String> named, int upTo) {
        Feed feed = feed();
        CountsByValue counts = new CountsByValue(
                new ListState(feed, feed.orders().byDefault(), conditions),
                feed.counts().get(0),
                named.map(List::of),
                upTo);
        List<String> parameters = new ArrayList<>();
        ListShape.of(counts.list()).bind(counts.list(), parameters);
        named.ifPresent(parameters::add);
        Statement statement = ValueCountSql.statement(counts);
        assertThat(statement.kind()).isEqualTo(Statement.Kind.INDEXED);
        List<String> plan = DATABASE.explain(
                statement,
                parameters.stream().map(value -> '\'' + value + '\'').collect(Collectors.joining(", ", "(", ")")),
                "force_generic_plan");
        assertThat(plan).as("the plan").noneMatch(line -> line.contains("Seq Scan"));
        return TestDatabase.buffers(plan);
    }
}
