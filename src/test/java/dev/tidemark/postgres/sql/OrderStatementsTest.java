package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.SampleFeeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderStatementsTest {

    private final Feed feed = SampleFeeds.messages();
    private final OrderStatements statements =
            new OrderStatements(feed, feed.orders().byDefault());

    @Test
    void aStatementIsBuiltOnceForEachShape() {
        assertThat(statements.locate(shape(1))).isSameAs(statements.locate(shape(1)));
        assertThat(statements.locate(shape(1))).isNotSameAs(statements.locate(shape(2)));
    }

    @Test
    void clientsThatUseManyShapesDoNotKeepNewOnesFromBeingCached() {
        for (int i = 0; i < 4_096; i++) {
            statements.locate(shape(i));
        }
        assertThat(statements.locate(shape(0))).isSameAs(statements.locate(shape(0)));
    }

    /** Twelve conditions, by the bits of a number. */
    private static ListShape shape(int number) {
        List<ConditionSql> conditions = IntStream.range(0, 12)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? Operator.GTE : Operator.LT)
                .map(operator -> ConditionSql.of(new Condition.Comparison(SampleFeeds.ID, operator, "1")))
                .toList();
        return new ListShape(conditions);
    }
}
