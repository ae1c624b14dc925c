package dev.tidemark.feed.value;

import static dev.tidemark.feed.read.RowValues.INFINITY;
import static dev.tidemark.feed.read.RowValues.MINUS_INFINITY;
import static dev.tidemark.feed.read.RowValues.POSTGRES_EPOCH_DAY;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats dates and timestamps, over PostgreSQL's whole range and with microsecond precision.
 *
 * <p>The parser accepts PostgreSQL's text format ({@code 2026-01-16 10:00:00.5+00}, {@code 0044-03-15 BC}), ISO 8601
 * ({@code 2026-01-16T10:00:00.5Z}, expanded years such as {@code -0043-03-15} and {@code +12026-01-01}), {@code
 * infinity} and {@code -infinity}. The formatter writes PostgreSQL's text format. If a text cannot be parsed, a {@link
 * DateTimeException} is thrown. Its message is safe to show to the client.
 */
public final class TemporalText {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    /**
     * PostgreSQL's range starts at 4714-11-24 BC and ends before 5874898-01-01 (dates) or 294277-01-01 (timestamps).
     */
    private static final long FIRST_EPOCH_DAY = LocalDate.of(-4713, 11, 24).toEpochDay();

    private static final long END_EPOCH_DAY = LocalDate.of(5_874_898, 1, 1).toEpochDay();
    private static final long FIRST_MICROS = (FIRST_EPOCH_DAY - POSTGRES_EPOCH_DAY) * MICROS_PER_DAY;
    private static final long END_MICROS =
            (LocalDate.of(294_277, 1, 1).toEpochDay() - POSTGRES_EPOCH_DAY) * MICROS_PER_DAY;

    /** The leap years of the Gregorian calendar repeat after this number of years. */
    private static final int YEARS_PER_CYCLE = 400;

    private static final int DAYS_PER_CYCLE = 146_097;

    private static final BigInteger BEYOND_LONG = BigInteger.ONE.shiftLeft(2 * Long.SIZE);

    private static final String DATE = "([+-]?\\d{4,12})-(\\d{2})-(\\d{2})";
    private static final String ZONE = "(?<zone>[Zz]|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?)?";
    private static final Pattern DATE_FORM = Pattern.compile(DATE + "( BC)?");
    private static final Pattern TIMESTAMP_FORM =
            Pattern.compile(DATE + "(?:[Tt ](\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d+))?)?)" + ZONE + "( BC)?");

    private TemporalText() {}

    /** Parses a date into days since 1970-01-01. */
    public static long parseDate(String text) {
        if (text.equals("infinity")) {
            return INFINITY;
        }
        if (text.equals("-infinity")) {
            return MINUS_INFINITY;
        }
        Matcher date = DATE_FORM.matcher(text);
        if (!date.matches()) {
            throw new DateTimeException("it must be a date such as 2026-01-16");
        }
        return requireRange(epochDay(date, date.group(4) != null), FIRST_EPOCH_DAY, END_EPOCH_DAY);
    }

    /**
     * Parses a timestamp with a time zone into the exact number of microseconds since 1970-01-01T00:00:00Z. The year
     * can have up to 12 digits. Infinities become numbers that are beyond every {@code long}.
     */
    static BigInteger parseEpochMicros(String text) {
        if (text.equals("infinity")) {
            return BEYOND_LONG;
        }
        if (text.equals("-infinity")) {
            return BEYOND_LONG.negate();
        }
        Matcher timestamp = matchTimestamp(text, true);
        long seconds = secondOfDay(timestamp) - offsetSeconds(timestamp.group("zone"));
        long day = epochDay(timestamp, timestamp.group(9) != null);
        return BigInteger.valueOf(day)
                .multiply(BigInteger.valueOf(MICROS_PER_DAY))
                .add(BigInteger.valueOf(seconds * MICROS_PER_SECOND + fractionMicros(timestamp.group(7))));
    }

    /**
     * Parses a timestamp into microseconds since 2000-01-01T00:00:00.
     *
     * @param zoned whether the text must have a time zone, in which case the timestamp is converted to UTC; otherwise
     *     the text must have none
     */
    public static long parseTimestamp(String text, boolean zoned) {
        if (text.equals("infinity")) {
            return INFINITY;
        }
        if (text.equals("-infinity")) {
            return MINUS_INFINITY;
        }
        Matcher timestamp = matchTimestamp(text, zoned);
        long seconds = secondOfDay(timestamp) - (zoned ? offsetSeconds(timestamp.group("zone")) : 0);
        long day = epochDay(timestamp, timestamp.group(9) != null) - POSTGRES_EPOCH_DAY;
        if (day > END_MICROS / MICROS_PER_DAY || day < FIRST_MICROS / MICROS_PER_DAY) {
            throw outOfRange();
        }
        long micros = day * MICROS_PER_DAY + seconds * MICROS_PER_SECOND + fractionMicros(timestamp.group(7));
        return requireRange(micros, FIRST_MICROS, END_MICROS);
    }

    private static Matcher matchTimestamp(String text, boolean zoned) {
        Matcher timestamp = TIMESTAMP_FORM.matcher(text);
        if (!timestamp.matches()) {
            throw new DateTimeException("it must be a timestamp such as 2026-01-16T10:00:00" + (zoned ? "Z" : ""));
        }
        if (zoned != (timestamp.group("zone") != null)) {
            throw new DateTimeException(
                    zoned
                            ? "it must have a time zone, such as Z in 2026-01-16T10:00:00Z"
                            : "a time zone is not allowed");
        }
        return timestamp;
    }

    /** Formats a date in PostgreSQL's text format. */
    public static String formatDate(long epochDay) {
        if (epochDay == INFINITY || epochDay == MINUS_INFINITY) {
            return formatInfinity(epochDay);
        }
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        StringBuilder text = new StringBuilder(16);
        appendDate(text, date);
        return date.getYear() > 0 ? text.toString() : text.append(" BC").toString();
    }

    /** Formats a timestamp in PostgreSQL's text format; if {@code zoned}, in time zone UTC. */
    public static String formatTimestamp(long microsSince2000, boolean zoned) {
        if (microsSince2000 == INFINITY || microsSince2000 == MINUS_INFINITY) {
            return formatInfinity(microsSince2000);
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(microsSince2000, MICROS_PER_DAY) + POSTGRES_EPOCH_DAY);
        long microOfDay = Math.floorMod(microsSince2000, MICROS_PER_DAY);
        StringBuilder text = new StringBuilder(36);
        appendDate(text, date);
        long second = microOfDay / MICROS_PER_SECOND;
        appendPadded(text.append(' '), second / 3600, 2);
        appendPadded(text.append(':'), second / 60 % 60, 2);
        appendPadded(text.append(':'), second % 60, 2);
        if (microOfDay % MICROS_PER_SECOND != 0) {
            appendPadded(text.append('.'), microOfDay % MICROS_PER_SECOND, 6);
        }
        if (zoned) {
            text.append("+00");
        }
        return date.getYear() > 0 ? text.toString() : text.append(" BC").toString();
    }

    private static String formatInfinity(long value) {
        return value == INFINITY ? "infinity" : "-infinity";
    }

    /** Appends the date without its era. The year 0 of ISO 8601 is 1 BC. */
    private static void appendDate(StringBuilder text, LocalDate date) {
        appendPadded(text, date.getYear() > 0 ? date.getYear() : 1 - date.getYear(), 4);
        appendPadded(text.append('-'), date.getMonthValue(), 2);
        appendPadded(text.append('-'), date.getDayOfMonth(), 2);
    }

    private static void appendPadded(StringBuilder text, long value, int width) {
        long least = 1;
        for (int digits = 1; digits < width; digits++) {
            least *= 10;
            if (value < least) {
                text.append('0');
            }
        }
        text.append(value);
    }

    private static long epochDay(Matcher date, boolean beforeChrist) {
        long year = Long.parseLong(date.group(1));
        if (beforeChrist && (year < 1 || date.group(1).startsWith("+"))) {
            throw new DateTimeException("a year BC must be 1 or more, without a sign");
        }
        long isoYear = beforeChrist ? 1 - year : year;
        try {
            // The calendar repeats itself, so that a year can be beyond those of LocalDate.
            return LocalDate.of(
                                    Math.floorMod(isoYear, YEARS_PER_CYCLE),
                                    Integer.parseInt(date.group(2)),
                                    Integer.parseInt(date.group(3)))
                            .toEpochDay()
                    + Math.floorDiv(isoYear, YEARS_PER_CYCLE) * DAYS_PER_CYCLE;
        } catch (DateTimeException e) {
            // The message of the JDK differs between Java versions.
            throw new DateTimeException("this date does not exist");
        }
    }

    private static long secondOfDay(Matcher timestamp) {
        int hour = Integer.parseInt(timestamp.group(4));
        int minute = Integer.parseInt(timestamp.group(5));
        int second = timestamp.group(6) == null ? 0 : Integer.parseInt(timestamp.group(6));
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("the time of day must be from 00:00:00 to 23:59:59");
        }
        return hour * 3600L + minute * 60L + second;
    }

    private static long fractionMicros(String digits) {
        if (digits == null) {
            return 0;
        }
        if (digits.length() > 6) {
            throw new DateTimeException("fractional seconds can have at most 6 digits");
        }
        return Long.parseLong(digits + "0".repeat(6 - digits.length()));
    }

    private static long offsetSeconds(String zone) {
        if (zone.equalsIgnoreCase("Z")) {
            return 0;
        }
        String digits = zone.substring(1).replace(":", "");
        int hours = Integer.parseInt(digits.substring(0, 2));
        int minutes = digits.length() < 4 ? 0 : Integer.parseInt(digits.substring(2, 4));
        int seconds = digits.length() < 6 ? 0 : Integer.parseInt(digits.substring(4, 6));
        if (hours > 15) {
            throw new DateTimeException("the offset of the time zone must be less than 16 hours");
        }
        if (minutes > 59 || seconds > 59) {
            throw new DateTimeException("the minutes and seconds of a time zone's offset must be less than 60");
        }
        return (zone.charAt(0) == '-' ? -1 : 1) * (hours * 3600L + minutes * 60L + seconds);
    }

    private static long requireRange(long value, long start, long end) {
        if (value < start || value >= end) {
            throw outOfRange();
        }
        return value;
    }

    private static DateTimeException outOfRange() {
        return new DateTimeException("it is outside PostgreSQL's range");
    }
}
