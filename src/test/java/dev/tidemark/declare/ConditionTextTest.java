package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not gone                       | gone",
                "NOT Gone AND ord.er > 1        | gone",
                "foregone OR gone_at IS NULL    | gone_at",
                "\"a\"\"b\" = 1                 | a\"b",
                "prix.été                       | été",
                "is_open(orders)                | gone, gone_at, a\"b, été",
                "(orders.*) IS NOT NULL         | gone, gone_at, a\"b, été",
                "u&\"g\\006fne\"                | gone, gone_at, a\"b, été",
                "now() > '2026-01-01'           | "
            })
    void aConditionDependsOnTheColumnsThatItNames(String condition, String columns) {
        assertThat(ConditionText.columns(condition, "orders", Set.of("gone", "gone_at", "a\"b", "été")))
                .containsExactlyInAnyOrderElementsOf(columns == null ? List.of() : List.of(columns.split(", ")));
    }

    @Test
    void aNameThatPostgresqlMayHaveCutCountsAsNamed() {
        String cut = "x".repeat(63);
        assertThat(ConditionText.columns(cut + "yz = 1", "orders", Set.of(cut, "gone")))
                .containsExactly(cut);
    }
}
