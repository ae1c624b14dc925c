package dev.tidemark.feed.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.EpochType.Unit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochTimeTest {

    @ParameterizedTest
    @CsvSource({
        "S, 1970-01-01T00:00:00Z, 0",
        "S, 1970-01-01T02:00:00+02:00, 0",
        "MS, 1969-12-31T23:59:59.999Z, -1",
        "MS, 2026-01-16T10:00:00.123Z, 1768557600123",
        "US, 2026-01-16T10:00:00.123456Z, 1768557600123456",
        "MS, 2026-01-16 10:00:00.123+00, 1768557600123",
        "MS, +292278994-08-17T07:12:55.807Z, 9223372036854775807",
        "MS, -292275055-05-16T16:47:04.192Z, -9223372036854775808",
        "S, +292277026596-12-04T15:30:07Z, 9223372036854775807",
        "S, -292277022657-01-27T08:29:52Z, -9223372036854775808",
        "US, +294247-01-10T04:00:54.775807Z, 9223372036854775807",
        "US, -290308-12-21T19:59:05.224192Z, -9223372036854775808"
    })
    void aTimeThatTheUnitCanExpressIsExactlyOneNumber(Unit unit, String text, long number) {
        EpochTime time = parse(unit, text);
        assertThat(time.exact()).hasValue(number);
        assertThat(time.atOrAfter()).hasValue(number);
        assertThat(time.atOrBefore()).hasValue(number);
    }

    @Property
    void aTimeIsComparedWithNumbersAsInMathematics(
            @ForAll @LongRange(min = -99_999_999_999L, max = 99_999_999_999L) long second,
            @ForAll @IntRange(max = 999_999) int micros,
            @ForAll Unit unit) {
        EpochTime time = parse(unit, TemporalText.formatTimestamp((second - 946_684_800) * 1_000_000 + micros, true));
        BigDecimal exact = BigDecimal.valueOf(second)
                .multiply(BigDecimal.valueOf(1_000_000))
                .add(BigDecimal.valueOf(micros))
                .divide(BigDecimal.valueOf(unit.micros()));
        BigInteger floor = exact.setScale(0, RoundingMode.FLOOR).toBigInteger();
        BigInteger ceiling = exact.setScale(0, RoundingMode.CEILING).toBigInteger();
        assertThat(time.exact())
                .isEqualTo(floor.equals(ceiling) ? OptionalLong.of(floor.longValueExact()) : OptionalLong.empty());
        assertThat(time.atOrAfter()).hasValue(ceiling.longValueExact());
        assertThat(time.after()).hasValue(floor.longValueExact() + 1);
        assertThat(time.atOrBefore()).hasValue(floor.longValueExact());
        assertThat(time.before()).hasValue(ceiling.longValueExact() - 1);
    }

    @Test
    void aTimeCanBeBeyondAllNumbers() {
        for (EpochTime beyond : new EpochTime[] {
            parse(Unit.MS, "infinity"), parse(Unit.US, "+294247-01-10T04:00:54.775808Z"),
        }) {
            assertThat(beyond.exact()).isEmpty();
            assertThat(beyond.atOrAfter()).isEmpty();
            assertThat(beyond.after()).isEmpty();
            assertThat(beyond.atOrBefore()).hasValue(Long.MAX_VALUE);
            assertThat(beyond.before()).hasValue(Long.MAX_VALUE);
        }
        EpochTime before = parse(Unit.S, "-infinity");
        assertThat(before.exact()).isEmpty();
        assertThat(before.atOrBefore()).isEmpty();
        assertThat(before.before()).isEmpty();
        assertThat(before.atOrAfter()).hasValue(Long.MIN_VALUE);
        assertThat(before.after()).hasValue(Long.MIN_VALUE);
    }

    @Test
    void nothingIsAfterTheLastNumberOrBeforeTheFirst() {
        assertThat(parse(Unit.MS, "+292278994-08-17T07:12:55.807Z").after()).isEmpty();
        assertThat(parse(Unit.MS, "-292275055-05-16T16:47:04.192Z").before()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1768557600123, it must be a timestamp",
        "2026-01-16, it must be a timestamp",
        "2026-01-16T10:00:00, it must have a time zone",
        "2026-02-30T10:00:00Z, this date does not exist",
        "2026-01-16T10:00:00.1234567Z, at most 6 digits",
        "2026-01-16T10:00:00 02:00, encode + in a URL as %2B",
        "+1000000000000-01-16T10:00:00Z, it must be a timestamp"
    })
    void anythingButATimestampWithAZoneIsRejected(String text, String reason) {
        assertThatThrownBy(() -> parse(Unit.MS, text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(reason);
    }

    private static EpochTime parse(Unit unit, String text) {
        return EpochTime.parse(new EpochType(unit), text);
    }
}
