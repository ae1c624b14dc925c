package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineBudgetTest {

    private static final long SECOND = 1_000_000_000;

    private final LineBudget budget = new LineBudget(2, 0);

    @Test
    void soManyLinesAreWrittenInASecondAndTheNextOneTellsHowManyWereNot() {
        assertThat(budget.take(0)).isZero();
        assertThat(budget.take(1)).isZero();
        assertThat(budget.take(2)).isNegative();
        assertThat(budget.take(SECOND - 1)).isNegative();
        assertThat(budget.take(SECOND)).isEqualTo(2);
        assertThat(budget.take(SECOND)).isZero();
        assertThat(budget.take(SECOND)).isNegative();
    }

    @Test
    void whatWasNotWrittenIsNotSavedUp() {
        assertThat(budget.take(10 * SECOND)).isZero();
        assertThat(budget.take(10 * SECOND)).isZero();
        assertThat(budget.take(10 * SECOND)).isNegative();
    }
}
