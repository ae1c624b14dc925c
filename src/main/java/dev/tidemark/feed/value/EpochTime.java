package dev.tidemark.feed.value;

import dev.tidemark.feed.ColumnType.EpochType;
import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * A time that a client sends for a column of an {@link EpochType}. The time can lie between two numbers of the column,
 * because it can be finer than the column's unit, and it can be beyond all of them.
 */
public final class EpochTime {

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    /** The greatest number that is not after the time. */
    private final BigInteger floor;

    private final boolean isExact;

    private EpochTime(BigInteger floor, boolean isExact) {
        this.floor = floor;
        this.isExact = isExact;
    }

    /** @throws InvalidValueException if the text is not a timestamp with a time zone */
    public static EpochTime parse(EpochType type, String text) {
        BigInteger micros = ValueParser.parseEpochMicros(text);
        BigInteger[] numberAndRest =
                micros.divideAndRemainder(BigInteger.valueOf(type.unit().micros()));
        boolean isFloorBelow = numberAndRest[1].signum() < 0;
        return new EpochTime(
                isFloorBelow ? numberAndRest[0].subtract(BigInteger.ONE) : numberAndRest[0],
                numberAndRest[1].signum() == 0);
    }

    /** The number that is equal to the time; empty if there is none. */
    public OptionalLong exact() {
        return isExact && isNumber(floor) ? OptionalLong.of(floor.longValue()) : OptionalLong.empty();
    }

    /** The first number at or after the time; empty if all numbers are before it. */
    public OptionalLong atOrAfter() {
        return least(isExact ? floor : floor.add(BigInteger.ONE));
    }

    /** The first number after the time; empty if there is none. */
    public OptionalLong after() {
        return least(floor.add(BigInteger.ONE));
    }

    /** The last number at or before the time; empty if all numbers are after it. */
    public OptionalLong atOrBefore() {
        return greatest(floor);
    }

    /** The last number before the time; empty if there is none. */
    public OptionalLong before() {
        return greatest(isExact ? floor.subtract(BigInteger.ONE) : floor);
    }

    private static OptionalLong least(BigInteger bound) {
        return bound.compareTo(MAX) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(bound.max(MIN).longValue());
    }

    private static OptionalLong greatest(BigInteger bound) {
        return bound.compareTo(MIN) < 0
                ? OptionalLong.empty()
                : OptionalLong.of(bound.min(MAX).longValue());
    }

    private static boolean isNumber(BigInteger value) {
        return value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
    }
}
