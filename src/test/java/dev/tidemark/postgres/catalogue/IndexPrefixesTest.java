package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexPrefixesTest {

    @Test
    void aListWithoutSingleValuedColumnsNeedsNoPrefix() {
        assertThat(IndexPrefixes.candidates(List.of())).containsExactly(List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 6})
    void theNumberOfPrefixesIsProportionalToThatOfTheColumns(int count) {
        List<Column> columns = IntStream.range(0, count)
                .mapToObj(i -> new Column("c" + i, Scalar.BIGINT, "bigint", true))
                .toList();
        assertThat(IndexPrefixes.candidates(columns)).hasSize(4 * count);
    }
}
