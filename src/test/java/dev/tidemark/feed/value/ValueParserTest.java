package dev.tidemark.feed.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SMALLINT | -32768 | -32768",
                "SMALLINT | +007 | 7",
                "INTEGER | 2147483647 | 2147483647",
                "INTEGER | -0 | 0",
                "BIGINT | -9223372036854775808 | -9223372036854775808",
                "NUMERIC | 1.0 | 1",
                "NUMERIC | 1.00 | 1",
                "NUMERIC | 10e-1 | 1",
                "NUMERIC | .5 | 0.5",
                "NUMERIC | 5. | 5",
                "NUMERIC | -0.00 | 0",
                "NUMERIC | 0e999999 | 0",
                "NUMERIC | 1e131071 | 1E+131071",
                "NUMERIC | -1200 | -1.2E+3",
                "NUMERIC | 1200.3400 | 1200.34",
                "NUMERIC | NaN | NaN",
                "NUMERIC | -Infinity | -Infinity",
                "REAL | 0.1 | 0.1",
                "REAL | 0.10000000149 | 0.1",
                "REAL | -0.0 | 0",
                "REAL | NaN | NaN",
                "DOUBLE | 0.30000000000000004 | 0.30000000000000004",
                "DOUBLE | 1e308 | 1.0E308",
                "DOUBLE | 2e-3 | 0.002",
                "DOUBLE | 2e-44 | 2.0E-44",
                "DOUBLE | 8.41e21 | 8.41E21",
                "DOUBLE | 9007199254740993 | 9.007199254740992E15",
                "REAL | 3.4e10 | 3.4E10",
                "REAL | 2e-44 | 2.0E-44",
                "DOUBLE | 4.9e-324 | 4.9E-324",
                "DOUBLE | Infinity | Infinity",
                "BOOLEAN | true | true",
                "BOOLEAN | false | false",
                "TEXT | `` | ``",
                "TEXT | ` é%_\\ ` | ` é%_\\ `",
                "UUID | 01234567-89AB-CDEF-0123-456789ABCDEF | 01234567-89ab-cdef-0123-456789abcdef",
                "DATE | 2026-01-16 | 2026-01-16",
                "DATE | -0043-03-15 | 0044-03-15 BC",
                "DATE | infinity | infinity",
                "TIME | 10:00 | 10:00:00",
                "TIME | 10:00:00.500000 | 10:00:00.5",
                "TIME | 10:00:00.000 | 10:00:00",
                "TIME | 24:00:00 | 24:00:00",
                "TIMESTAMP | 2026-01-16T10:00:00.5 | 2026-01-16 10:00:00.500000",
                "TIMESTAMPTZ | 2026-01-16T12:00:00.123+02:00 | 2026-01-16 10:00:00.123000+00",
                "TIMESTAMPTZ | +12026-01-01T00:00:00Z | 12026-01-01 00:00:00+00"
            })
    void aValueIsReadIntoItsCanonicalForm(Scalar type, String text, String canonical) {
        assertThat(parse(type, text)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SMALLINT | 32768 | it must be from -32768 to 32767",
                "INTEGER | 2147483648 | it must be from -2147483648 to 2147483647",
                "INTEGER | 1.0 | whole number",
                "INTEGER | `` | whole number",
                "INTEGER | 1e3 | whole number",
                "INTEGER | 0x10 | whole number",
                "INTEGER | ٣ | whole number",
                "BIGINT | 99999999999999999999999999 | it must be from -",
                "NUMERIC | 1e131072 | 131072 digits",
                "NUMERIC | 1e-16384 | 16383 after",
                "NUMERIC | 1e99999999 | it must be a number",
                "NUMERIC | 1,5 | it must be a number",
                "NUMERIC | . | it must be a number",
                "NUMERIC | nan | it must be a number",
                "REAL | 1e39 | out of the range of its type",
                "REAL | 1e-60 | out of the range of its type",
                "DOUBLE | 1e309 | out of the range of its type",
                "DOUBLE | 1e-400 | out of the range of its type",
                "DOUBLE | 1f | it must be a number",
                "DOUBLE | 0x1p3 | it must be a number",
                "BOOLEAN | yes | it must be true or false",
                "BOOLEAN | TRUE | it must be true or false",
                "UUID | 0123456789abcdef0123456789abcdef | it must be a UUID",
                "DATE | 2026-02-30 | does not exist",
                "DATE | 16.01.2026 | it must be a date",
                "TIME | 24:00:01 | 24:00:00",
                "TIME | 10:00:60 | it must be a time",
                "TIME | 10:00:00.1234567 | at most 6 digits",
                "TIMESTAMP | 2026-01-16T10:00:00Z | time zone is not allowed",
                "TIMESTAMPTZ | 2026-01-16T10:00:00 | must have a time zone",
                "TIMESTAMPTZ | 2026-01-16T10:00:00 02:00 | %2B",
                "TIMESTAMPTZ | 2026-01-16 | it must be a timestamp"
            })
    void aRejectionSaysWhatIsWrong(Scalar type, String text, String reason) {
        assertThatThrownBy(() -> parse(type, text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll(reason.split("…"));
    }

    @Test
    void aLabelMustBelongToTheEnum() {
        Column mood = new Column("mood", new EnumType(List.of("sad", "very happy")), "mood", true);
        assertThat(ValueParser.parse(mood, "very happy")).isEqualTo("very happy");
        assertThatThrownBy(() -> ValueParser.parse(mood, "Sad")).hasMessage("it must be one of sad, very happy");
    }

    @Test
    void textWithANulIsRejected() {
        assertThatThrownBy(() -> parse(Scalar.TEXT, "a\0b")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aTypeWithoutEqualityCannotBeFiltered() {
        assertThatThrownBy(() -> parse(Scalar.JSON, "{}")).isInstanceOf(IllegalArgumentException.class);
    }

    private static String parse(Scalar type, String text) {
        return ValueParser.parse(new Column("c", type, "c", true), text);
    }
}
