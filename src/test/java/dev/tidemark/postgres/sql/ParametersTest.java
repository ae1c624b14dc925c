package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each parameter must occur in its statement, because a parameter that does not occur has no type. PostgreSQL rejects
 * a statement with such a parameter, and the driver retries the statement out of order.
 */
@UsesTestDatabase
class ParametersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");
    private static final int SHAPES = 600;

    private final Random random = new Random(7);

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS asked;
                CREATE TABLE asked (id bigint PRIMARY KEY, a text, b text NOT NULL, edited timestamptz);
                CREATE INDEX ON asked (edited, id);
                CREATE INDEX ON asked (a, id);
                CREATE INDEX ON asked (b, edited, id);
                """);
    }

    @ParameterizedTest
    @CsvSource({
        "edited, false",
        "edited, true",
        "edited nulls first, true",
        "edited desc nulls first, true",
        "edited desc nulls last, true",
        "'edited, a desc, b', true",
        "'a, b desc', false",
        "'b, a nulls first, edited', false",
    })
    void everyParameterOccursInItsStatement(String by, boolean live) {
        List<String> declared =
                new ArrayList<>(List.of("table", "asked", "columns", "id, a, b, edited", "orders.o", by));
        declared.addAll(
                List.of("filters.a", "equals, range, text", "filters.b", "equals", "filters.edited", "equals, range"));
        declared.addAll(live ? List.of("live-orders", "o") : List.of());
        Feed feed = DATABASE.feed(declared.toArray(String[]::new));
        Order order = feed.orders().byDefault();
        OrderStatements statements = new OrderStatements(feed, order);
        for (int i = 0; i < SHAPES; i++) {
            ListState state = new ListState(feed, order, randomConditions(feed));
            Optional<Continuation> from =
                    random.nextInt(4) > 0 ? Optional.of(randomContinuation(order)) : Optional.empty();
            boolean forward =
                    from.map(it -> it.direction() == Direction.FORWARD).orElse(true);
            Optional<Gap> until = forward && random.nextInt(3) == 0 ? Optional.of(randomGap(order)) : Optional.empty();
            PageRequest request = new PageRequest(from, 10, OptionalInt.empty(), until);
            PageShape shape = PageShape.of(state, request);
            assertParameters(statements.page(shape), shape.parameters(state, request), shape);
            shape.includingPosition(statements.columns())
                    .ifPresent(at -> assertParameters(statements.page(at), shape.parameters(state, request), at));
            from.ifPresent(it -> assertParametersOccurInTheCount(state, it));
        }
    }

    private static void assertParametersOccurInTheCount(ListState state, Continuation from) {
        PageRequest request = new PageRequest(Optional.of(from), 1);
        PageShape shape = PageShape.of(state, request);
        CountSql.countRemaining(state, shape, 100)
                .ifPresent(statement -> assertParameters(statement, shape.parameters(state, request), shape));
    }

    private static void assertParameters(Statement statement, List<String> values, PageShape shape) {
        assertThat(parametersOf(statement.sql())).as("%s", shape).isEqualTo(numbersOf(values));
        assertThat(statement.parameterCount()).as("%s", shape).isEqualTo(values.size());
    }

    private static List<Integer> parametersOf(String sql) {
        return PARAMETER
                .matcher(sql)
                .results()
                .map((MatchResult parameter) -> Integer.valueOf(parameter.group(1)))
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Integer> numbersOf(List<String> parameters) {
        return IntStream.rangeClosed(1, parameters.size()).boxed().toList();
    }

    private List<Condition> randomConditions(Feed feed) {
        List<Condition> conditions = new ArrayList<>();
        for (String name : List.of("a", "b", "edited")) {
            Column column = feed.usedColumns().get(name);
            switch (random.nextInt(7)) {
                case 0 -> conditions.add(new Condition.AnyOf(column, List.of(randomValue(column))));
                case 1 ->
                    conditions.add(new Condition.AnyOf(
                            column, List.of(randomValue(column), randomValue(column), randomValue(column))));
                case 2 -> conditions.add(new Condition.Nullness(column, random.nextBoolean()));
                case 3 -> conditions.add(new Condition.Comparison(column, Filter.Operator.GTE, randomValue(column)));
                default -> {}
            }
        }
        return conditions;
    }

    private Continuation randomContinuation(Order order) {
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
        boolean pinned = order.needsPin() && direction == Direction.FORWARD && random.nextInt(4) > 0;
        Optional<String> greatest = Optional.of(randomValue(order.keys().get(0).column()));
        Optional<Pin> pin =
                pinned ? Optional.of(new Pin(greatest.filter(it -> random.nextInt(3) > 0))) : Optional.empty();
        return new Continuation(randomGap(order), direction, pin);
    }

    private Gap randomGap(Order order) {
        String[] values = order.keys().stream()
                .map(key -> key.column())
                .map(column -> column.nullable() && random.nextInt(3) == 0 ? null : randomValue(column))
                .toArray(String[]::new);
        return new Gap(random.nextBoolean() ? Gap.Side.BEFORE : Gap.Side.AFTER, Position.of(values));
    }

    private String randomValue(Column column) {
        return switch (column.sqlType()) {
            case "bigint" -> Integer.toString(random.nextInt(99));
            case "text" -> "s" + random.nextInt(9);
            default -> "2026-01-0" + (1 + random.nextInt(9)) + " 00:00:00+00";
        };
    }
}
