package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that contain NULL although they have a NOT NULL constraint, because it is not valid. */
@UsesTestDatabase
class NotNullConstraintTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 60;

    /** Since PostgreSQL 18, a constraint can leave the rows unchecked that were there before it. */
    private static final boolean HAS_UNCHECKED = TestPostgres.majorVersion() >= 18;

    private static final boolean REMOVES_NULL_TESTS = TestPostgres.majorVersion() >= 17;

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS visits, visitors CASCADE;
                CREATE TABLE visitors (id bigint PRIMARY KEY, code int);
                CREATE UNIQUE INDEX ON visitors (code);
                INSERT INTO visitors SELECT i, nullif(i, 7) FROM generate_series(1, 20) i;
                CREATE TABLE visits (id bigint PRIMARY KEY, seen_at timestamptz, rank int NOT NULL);
                INSERT INTO visits SELECT i, CASE WHEN i % 10 >= 3 THEN '2026-01-01'::timestamptz + i * interval '1 min' END, i % 4
                  FROM generate_series(1, 60) i;
                CREATE INDEX ON visits (seen_at, id);
                """);
    }

    private static Feed visits(String order) {
        return DATABASE.feed("table", "visits", "columns", "id", "orders.o", order, "filters.rank", "equals");
    }

    private static boolean isNullable(String name) {
        return DATABASE.feed("table", "visits", "orders.o", "id").columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .map(Column::nullable)
                .orElseThrow();
    }

    private static void assertAllOnce(Feed feed) {
        List<String> all =
                LongStream.rangeClosed(1, ROWS).mapToObj(Long::toString).toList();
        for (int size : List.of(1, 7, 100)) {
            Walk walk = new Walk(DATABASE.reader(), feed, size);
            assertThat(walk.forward()).as("forward by %d", size).containsExactlyInAnyOrderElementsOf(all);
            assertThat(walk.backward()).as("back by %d", size).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seen_at",
                "seen_at desc",
                "seen_at nulls first",
                "seen_at desc nulls last",
                "rank, seen_at",
                "rank desc, seen_at desc"
            })
    void rowsWithNullAreReadIfTheConstraintIsNotValid(String order) {
        assumeTrue(HAS_UNCHECKED);
        DATABASE.run("ALTER TABLE visits ADD CONSTRAINT seen NOT NULL seen_at NOT VALID");
        assertAllOnce(visits(order));
    }

    @Test
    void aColumnIsNullableUntilItsConstraintIsValidated() {
        assumeTrue(HAS_UNCHECKED);
        DATABASE.run("ALTER TABLE visits ADD CONSTRAINT seen NOT NULL seen_at NOT VALID");
        assertThat(isNullable("seen_at")).isTrue();
        DATABASE.run("""
                UPDATE visits SET seen_at = '2026-01-01' WHERE seen_at IS NULL;
                ALTER TABLE visits VALIDATE CONSTRAINT seen;
                """);
        assertThat(isNullable("seen_at")).isFalse();
    }

    @Test
    void theVersionOfATableChangesWhenItsConstraintIsValidated() {
        assumeTrue(HAS_UNCHECKED);
        DATABASE.run("""
                DELETE FROM visits WHERE seen_at IS NULL;
                ALTER TABLE visits ADD CONSTRAINT seen NOT NULL seen_at NOT VALID;
                """);
        List<String> before = version();
        DATABASE.run("ALTER TABLE visits VALIDATE CONSTRAINT seen");
        assertThat(version()).isNotEqualTo(before);
    }

    private static List<String> version() {
        return DATABASE.catalogue()
                .findTables(List.of("visits"))
                .chain(tables ->
                        DATABASE.catalogue().findVersions(List.of(tables.get(0).orElseThrow())))
                .await()
                .indefinitely();
    }

    @Test
    void aColumnWithAConstraintThatIsNotValidIsNoKey() {
        assumeTrue(HAS_UNCHECKED);
        DATABASE.run("ALTER TABLE visitors ADD CONSTRAINT coded NOT NULL code NOT VALID");
        assertThatThrownBy(() -> DATABASE.feed("table", "visitors", "key", "code", "orders.o", "code"))
                .hasMessageContaining("column 'code' is nullable, so it cannot be part of a key");
    }

    @Test
    void aColumnWithAConstraintThatIsNotValidFindsNoEmbeddedRow() {
        assumeTrue(HAS_UNCHECKED);
        DATABASE.run("ALTER TABLE visitors ADD CONSTRAINT coded NOT NULL code NOT VALID");
        assertThatThrownBy(() -> DATABASE.feed(
                        "table",
                        "visits",
                        "orders.o",
                        "id",
                        "embed.who.table",
                        "visitors",
                        "embed.who.on.code",
                        "rank",
                        "embed.who.columns",
                        "id"))
                .hasMessageContaining("column 'code' has NULLs, so it cannot be part of a key");
    }

    /** A cursor that was sealed before the constraint came, or went, leads on from the same place. */
    @ParameterizedTest
    @ValueSource(strings = {"rank", "rank desc nulls last", "rank nulls first"})
    void theDefinitionOfAnOrderDoesNotDependOnTheConstraint(String order) {
        String before = visits(order).orders().byDefault().definition();
        DATABASE.run("ALTER TABLE visits ALTER rank DROP NOT NULL");
        assertThat(visits(order).orders().byDefault().definition()).isEqualTo(before);
    }

    /** An order key can become nullable between two pages, before the feed is resolved again. */
    @ParameterizedTest
    @ValueSource(strings = {"rank", "rank desc", "rank nulls first", "id, rank", "id desc, rank", "rank, seen_at"})
    void noPageMissesRowsWithNullWhoseConstraintWasDropped(String order) {
        assumeTrue(REMOVES_NULL_TESTS);
        Feed feed = visits(order);
        DATABASE.run("ALTER TABLE visits ALTER rank DROP NOT NULL; UPDATE visits SET rank = NULL WHERE id % 10 = 3");
        assertThatThrownBy(() -> new Walk(DATABASE.reader(), feed, 7).forward())
                .isInstanceOfSatisfying(ReadFailure.class, failure -> assertThat(failure.reason())
                        .isEqualTo(Reason.FEED_UNAVAILABLE));
    }

    @Test
    void thePlanOfAPageHasNoPartForNullsWhileThereIsAConstraint() {
        assumeTrue(REMOVES_NULL_TESTS);
        DATABASE.run("CREATE INDEX ON visits (rank, id)");
        Feed feed = visits("rank");
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        Statement page = new OrderStatements(feed, state.order())
                .page(PageShape.of(state, new PageRequest(Optional.empty(), 7)));
        assertThat(page.sql()).contains("IS NULL");
        assertThat(String.join("\n", DATABASE.explain(page, "()", "force_generic_plan")))
                .contains("Scan")
                .doesNotContain("Append", "One-Time Filter");
    }

    @Test
    void pagesAreReadWhenAConstraintWasDroppedAndNoRowHasNull() {
        Feed feed = visits("rank");
        DATABASE.run("ALTER TABLE visits ALTER rank DROP NOT NULL");
        assertAllOnce(feed);
    }
}
