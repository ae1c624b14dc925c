package dev.tidemark.http.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-4294967295", "-9999999999", "-99999999999999999999"})
    void aNegativeNumberStaysNegative(String text) {
        assertThat(Limit.parse(text, 100)).isNegative();
    }

    @ParameterizedTest
    @ValueSource(strings = {"101", "4294967297", "99999999999999999999"})
    void aNumberAboveTheMaximumIsReducedToIt(String text) {
        assertThat(Limit.parse(text, 100)).isEqualTo(100);
    }
}
