package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The statement that starts at the last item of the previous page returns the same page as the statement that reads
 * both sides of the position, in all orders, with filters and pins.
 */
@UsesTestDatabase
class PageAtPositionTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int STEPS = 30;
    private static final long SEED = Seed.next();

    private final Random random = new Random(SEED);

    @BeforeAll
    static void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
        DATABASE.run("""
                CREATE TABLE coming_and_going AS SELECT * FROM shapes;
                ALTER TABLE coming_and_going ADD PRIMARY KEY (id);
                CREATE INDEX ON coming_and_going (stamp_n, id);
                CREATE INDEX ON coming_and_going (flag, stamp_n, id);
                CREATE INDEX ON coming_and_going (tie, word_n NULLS FIRST, id DESC);
                CREATE INDEX ON coming_and_going (flag, tie, word_n NULLS FIRST, id DESC);
                """);
    }

    /** Drops the table, because otherwise other tests could not recreate the types of its columns. */
    @AfterAll
    static void dropTable() {
        DATABASE.run("DROP TABLE coming_and_going");
    }

    @BeforeEach
    void fillTable() {
        DATABASE.run("""
                DELETE FROM coming_and_going;
                INSERT INTO coming_and_going SELECT * FROM shapes;
                """);
    }

    static Stream<String> orders() {
        return Stream.concat(
                Soak.randomHalf(WalkTest.orders()),
                Stream.of("stamp_n", "stamp_n desc nulls first", "stamp, num_n desc"));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void bothStatementsGiveTheSamePageWhileItemsAreInsertedAndDeleted(String order) {
        List<String> declared = new ArrayList<>(
                List.of("table", "coming_and_going", "columns", "id", "orders.o", order, "filters.flag", "equals"));
        WalkTest.DERIVED.forEach((name, expression) -> declared.addAll(List.of("derived." + name, expression)));
        if (order.startsWith("stamp")) {
            declared.addAll(List.of("live-orders", "o"));
        }
        Feed feed = DATABASE.feed(declared.toArray(String[]::new));
        Column flag = feed.filters().get("flag").column();
        List<List<Condition>> lists = List.of(
                List.of(),
                List.of(new Condition.AnyOf(flag, List.of("true"))),
                List.of(new Condition.AnyOf(flag, List.of("true", "false"))),
                List.of(new Condition.Nullness(flag, true)));
        ListState state = new ListState(feed, feed.orders().byDefault(), lists.get(random.nextInt(lists.size())));
        OrderStatements statements = new OrderStatements(feed, state.order());
        Optional<Continuation> from = Optional.empty();
        for (int step = 0; step < STEPS; step++) {
            PageRequest request = new PageRequest(from, 1 + random.nextInt(12));
            PageShape shape = PageShape.of(state, request);
            List<String> parameters = shape.parameters(state, request);
            List<Long> items = new ArrayList<>();
            Page page = DATABASE.database()
                    .read(
                            statements.page(shape),
                            parameters,
                            () -> new PageReceiver(
                                    request, shape, statements.columns(), row -> items.add(row.integer(0))),
                            ReadPreference.ofList(state, Optional.empty()))
                    .await()
                    .atMost(Duration.ofSeconds(60))
                    .value()
                    .page();
            List<Long> again = new ArrayList<>();
            assertThat(DATABASE.reader()
                            .read(state, request, row -> again.add(row.integer(0)))
                            .await()
                            .atMost(Duration.ofSeconds(60)))
                    .as("%s", request)
                    .isEqualTo(page);
            assertThat(again).as("%s", request).isEqualTo(items);
            from = randomContinuation(page);
            if (step % 4 == 3) {
                changeRowsFrom(1 + random.nextInt(120));
            }
        }
    }

    private Optional<Continuation> randomContinuation(Page page) {
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
        return switch (random.nextInt(4)) {
            case 0 -> page.previousContinuation();
            case 1 -> page.firstItemContinuation().map(item -> item.inDirection(direction));
            default -> page.nextContinuation();
        };
    }

    private void changeRowsFrom(int firstId) {
        String where = " WHERE id BETWEEN " + firstId + " AND " + (firstId + 20);
        DATABASE.run(
                switch (random.nextInt(4)) {
                    case 0 -> "DELETE FROM coming_and_going" + where;
                    case 1 -> "INSERT INTO coming_and_going SELECT * FROM shapes" + where + " ON CONFLICT DO NOTHING";
                    case 2 ->
                        "UPDATE coming_and_going SET num_n = num_n + 0.000, real_n = -real_n, tie = tie + 1, flag = NOT flag"
                                + where;
                    default ->
                        "UPDATE coming_and_going SET stamp_n = '2027-01-01'::timestamptz + id * interval '1 s', stamp = now()"
                                + where;
                });
    }
}
