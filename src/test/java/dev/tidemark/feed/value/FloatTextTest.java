package dev.tidemark.feed.value;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloatTextTest {

    /** Java 17 writes some of these with more digits than needed, such as 2.0E23 as 1.9999999999999998E23. */
    @ParameterizedTest
    @CsvSource({
        "2e23, 2.0E23",
        "8.41e21, 8.41E21",
        "2.0e-3, 0.002",
        "4.9e-324, 4.9E-324",
        "9.999999999999999e22, 1.0E23",
        "2.2250738585072014e-308, 2.2250738585072014E-308"
    })
    void aDoubleHasTheFewestDigitsThatReadBackTheSame(double number, String text) {
        assertThat(FloatText.format(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"3.4e10, 3.4E10", "1.1754944e-38, 1.1754944E-38", "1.4e-45, 1.4E-45", "0.001, 0.001", "1e7, 1.0E7"})
    void aFloatHasTheFewestDigitsThatReadBackTheSame(float number, String text) {
        assertThat(FloatText.format(number)).isEqualTo(text);
    }

    @Property
    void aNumberSurvivesTheRoundTripThroughText(@ForAll double doubleNumber, @ForAll float floatNumber) {
        assertThat(Double.parseDouble(FloatText.format(doubleNumber))).isEqualTo(doubleNumber);
        assertThat(Float.parseFloat(FloatText.format(floatNumber))).isEqualTo(floatNumber);
        assertThat(FloatText.format(doubleNumber).length())
                .isLessThanOrEqualTo(Double.toString(doubleNumber).length());
    }
}
