package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Without an index, the whole list is sorted, but its long values are read and converted to text only for the rows of
 * the page.
 */
@UsesTestDatabase
class UnindexedSortTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 2000;

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS documents;
                CREATE TABLE documents (id int PRIMARY KEY, rank int NOT NULL, owner text NOT NULL, doc jsonb NOT NULL);
                ALTER TABLE documents ALTER doc SET STORAGE EXTERNAL;
                INSERT INTO documents SELECT i, hashint4(i), 'owner' || i %% 2,
                    jsonb_build_object('long', repeat(md5(i::text), 100)) FROM generate_series(1, %d) i;
                VACUUM ANALYZE documents;
                """.formatted(ROWS));
    }

    @Test
    void aSortReadsNoLongValuesOfRowsOutsideThePage() {
        Feed feed = DATABASE.feed("table", "documents", "orders.o", "rank", "filters.owner", "equals");
        Gap gap = Gap.after(Position.of("0", "1"));
        PageRequest first = new PageRequest(Optional.empty(), 10);
        PageRequest deep = new PageRequest(Optional.of(new Continuation(gap, Direction.FORWARD)), 10);
        for (PageRequest page : List.of(
                first,
                deep,
                new PageRequest(deep.from(), 10, OptionalInt.of(5), Optional.empty()),
                new PageRequest(Optional.empty(), 10, OptionalInt.empty(), Optional.of(gap)))) {
            assertThat(buffers(feed, page)).as("%s", page).isLessThan(ROWS / 2);
        }
    }

    private static int buffers(Feed feed, PageRequest page) {
        Condition anyOwner = new Condition.AnyOf(feed.filters().get("owner").column(), List.of("owner0", "owner1"));
        return List.of(List.<Condition>of(), List.of(anyOwner)).stream()
                .mapToInt(
                        conditions -> buffers(new ListState(feed, feed.orders().byDefault(), conditions), page))
                .max()
                .orElseThrow();
    }

    private static int buffers(ListState state, PageRequest page) {
        PageShape shape = PageShape.of(state, page);
        var statement = new OrderStatements(state.feed(), state.order()).page(shape);
        assertThat(statement.hasServingIndex()).isFalse();
        String values = shape.parameters(state, page).stream()
                .map(value -> '\'' + value + '\'')
                .collect(Collectors.joining(", ", "(", ")"));
        return TestDatabase.buffers(DATABASE.explain(statement, values, "force_custom_plan"));
    }
}
