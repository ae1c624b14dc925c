package dev.tidemark.feed.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import org.junit.jupiter.api.Test;

/** The canonical text of a filter value must be correct, equal on every Java version, and cheap to compute. */
class FilterValueTest {

    /**
     * Java versions before 19 write some numbers with more digits than needed. If that text were used, a cursor that
     * was sealed on such a version would be rejected on a later version.
     */
    @Test
    void aFloatHasTheSameTextOnEveryJavaVersion() {
        assertThat(parse(Scalar.DOUBLE, "2e23")).isEqualTo("2.0E23");
        assertThat(parse(Scalar.DOUBLE, "1e23")).isEqualTo("1.0E23");
        assertThat(parse(Scalar.REAL, "1.1754944e-38")).isEqualTo("1.1754944E-38");
    }

    /** Values are parsed on an event loop, in a time that grows with the square of the number of digits. */
    @Test
    void aNumberOfMoreThanAThousandCharactersIsRejectedUnparsed() {
        assertThat(parse(Scalar.NUMERIC, "1" + "0".repeat(999))).isEqualTo("1E+999");
        assertThatThrownBy(() -> parse(Scalar.NUMERIC, "1" + "0".repeat(1_000)))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> parse(Scalar.BIGINT, "0".repeat(1_000) + "1"))
                .isInstanceOf(InvalidValueException.class);
    }

    private static String parse(Scalar type, String text) {
        return ValueParser.parse(new Column("value", type, "any", false), text);
    }
}
