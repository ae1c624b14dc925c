package dev.tidemark.feed.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.read.RowValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemporalTextTest {

    /**
     * The limits of PostgreSQL's timestamps, in microseconds since 2000-01-01, and of its dates, in days since
     * 1970-01-01.
     */
    private static final long FIRST_MICRO =
            (LocalDate.of(-4713, 11, 24).toEpochDay() - RowValues.POSTGRES_EPOCH_DAY) * 86_400_000_000L;

    private static final long LAST_MICRO =
            (LocalDate.of(294_277, 1, 1).toEpochDay() - RowValues.POSTGRES_EPOCH_DAY) * 86_400_000_000L - 1;
    private static final long FIRST_DAY = LocalDate.of(-4713, 11, 24).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(5_874_898, 1, 1).toEpochDay() - 1;

    @Property
    void aTimestampSurvivesTheRoundTripThroughText(
            @ForAll @LongRange(min = -210_000_000_000_000_000L, max = 9_000_000_000_000_000_000L) long micros) {
        assertThat(TemporalText.parseTimestamp(TemporalText.formatTimestamp(micros, true), true))
                .isEqualTo(micros);
        assertThat(TemporalText.parseTimestamp(TemporalText.formatTimestamp(micros, false), false))
                .isEqualTo(micros);
    }

    @Property
    void aDateSurvivesTheRoundTripThroughText(@ForAll @LongRange(min = -2_400_000, max = 2_145_000_000) long days) {
        assertThat(TemporalText.parseDate(TemporalText.formatDate(days))).isEqualTo(days);
    }

    @Property
    void anInstantIsReadAsJavaReadsIt(@ForAll @LongRange(min = 0, max = 252_455_616_000_000_000L) long micros) {
        Instant instant = Instant.parse("2000-01-01T00:00:00Z").plus(micros, ChronoUnit.MICROS);
        assertThat(TemporalText.parseTimestamp(instant.toString(), true)).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-16T10:00:00Z, 2026-01-16 10:00:00+00",
        "2026-01-16t10:00:00z, 2026-01-16 10:00:00+00",
        "2026-01-16 10:00:00.123456+00, 2026-01-16 10:00:00.123456+00",
        "2026-01-16T10:00:00.000001Z, 2026-01-16 10:00:00.000001+00",
        "2026-01-16T10:00Z, 2026-01-16 10:00:00+00",
        "2026-01-16T00:30:00+01:00, 2026-01-15 23:30:00+00",
        "2026-01-16T00:30:00-05:30, 2026-01-16 06:00:00+00",
        "1890-01-01 00:00:00+00:53:28, 1889-12-31 23:06:32+00",
        "-0043-03-15T00:00:00Z, 0044-03-15 00:00:00+00 BC",
        "0044-03-15 00:00:00+00 BC, 0044-03-15 00:00:00+00 BC",
        "+0000-12-31T23:59:59.999999Z, 0001-12-31 23:59:59.999999+00 BC",
        "+294276-12-31T23:59:59.999999Z, 294276-12-31 23:59:59.999999+00",
        "infinity, infinity",
        "-infinity, -infinity"
    })
    void aTimestampIsReadInAllItsForms(String text, String canonical) {
        assertThat(TemporalText.formatTimestamp(TemporalText.parseTimestamp(text, true), true))
                .isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-01-16",
                "2026-13-01T00:00:00Z",
                "2026-02-29T00:00:00Z",
                "2026-01-16T24:00:00Z",
                "2026-01-16T10:60:00Z",
                "2026-01-16T10:00:00.1234567Z",
                "2026-01-16T10:00:00",
                "2026-01-16T10:00:00+16:00",
                "-0044-03-15T00:00:00Z BC",
                "0000-01-01T00:00:00Z BC",
                "+294277-01-01T00:00:00Z",
                "-4713-11-23T23:59:59Z",
                "999999999-01-01T00:00:00Z",
                "Infinity",
                "26-01-16T10:00:00Z",
                "2026-01-16T10:00:00Z "
            })
    void textThatIsNotATimestampIsRejected(String text) {
        assertThatThrownBy(() -> TemporalText.parseTimestamp(text, true)).isInstanceOf(DateTimeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2026-1-1", "2026-01-16T10:00:00", "5874898-01-01", "-4713-11-23", "2026-00-10"})
    void textThatIsNotADateIsRejected(String text) {
        assertThatThrownBy(() -> TemporalText.parseDate(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void theLimitsOfTimestampsAndDatesAreReadAndWritten() {
        assertThat(TemporalText.formatTimestamp(FIRST_MICRO, false)).isEqualTo("4714-11-24 00:00:00 BC");
        assertThat(TemporalText.formatTimestamp(LAST_MICRO, false)).isEqualTo("294276-12-31 23:59:59.999999");
        assertThat(TemporalText.parseTimestamp("4714-11-24 00:00:00 BC", false)).isEqualTo(FIRST_MICRO);
        assertThat(TemporalText.formatDate(FIRST_DAY)).isEqualTo("4714-11-24 BC");
        assertThat(TemporalText.parseDate("5874897-12-31")).isEqualTo(LAST_DAY);
    }
}
