package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;
import java.time.LocalDate;

/**
 * Writes dates and timestamps as ISO 8601 strings. A fraction of a second has 3 or 6 digits, as the value requires; a
 * zero fraction is omitted. Years before 0001 and after 9999 have a sign and at least 4 digits; 1 BC is {@code +0000}.
 * Infinite values are the strings {@code infinity} and {@code -infinity}.
 */
final class IsoText {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    /** The leap years of the Gregorian calendar repeat after this number of years. */
    private static final int YEARS_PER_CYCLE = 400;

    private static final int DAYS_PER_CYCLE = 146_097;

    private IsoText() {}

    static void writeDate(JsonBytes json, long epochDay) {
        if (isInfinite(epochDay)) {
            writeInfinity(json, epochDay);
            return;
        }
        json.raw('"');
        appendDate(json, epochDay);
        json.raw('"');
    }

    /** @param zoned whether to append Z for UTC */
    static void writeTimestamp(JsonBytes json, long microsSince2000, boolean zoned) {
        if (isInfinite(microsSince2000)) {
            writeInfinity(json, microsSince2000);
            return;
        }
        json.raw('"');
        appendDate(json, Math.floorDiv(microsSince2000, MICROS_PER_DAY) + RowValues.POSTGRES_EPOCH_DAY);
        appendTime(json, Math.floorMod(microsSince2000, MICROS_PER_DAY));
        if (zoned) {
            json.raw('Z');
        }
        json.raw('"');
    }

    /**
     * Writes a time in UTC. The time can be far outside PostgreSQL's range of timestamps.
     *
     * @param units the number of units since 1970-01-01T00:00:00Z
     * @param unitMicros the number of microseconds in a unit, a divisor of 1,000,000
     */
    static void writeEpoch(JsonBytes json, long units, int unitMicros) {
        long unitsPerDay = MICROS_PER_DAY / unitMicros;
        json.raw('"');
        appendDate(json, Math.floorDiv(units, unitsPerDay));
        appendTime(json, Math.floorMod(units, unitsPerDay) * unitMicros);
        json.raw('Z').raw('"');
    }

    private static boolean isInfinite(long value) {
        return value == RowValues.INFINITY || value == RowValues.MINUS_INFINITY;
    }

    private static void writeInfinity(JsonBytes json, long value) {
        json.string(value == RowValues.INFINITY ? "infinity" : "-infinity");
    }

    private static void appendDate(JsonBytes json, long epochDay) {
        // The calendar repeats itself, so that a year can be beyond those of LocalDate.
        LocalDate date = LocalDate.ofEpochDay(Math.floorMod(epochDay, DAYS_PER_CYCLE));
        long year = date.getYear() + Math.floorDiv(epochDay, DAYS_PER_CYCLE) * YEARS_PER_CYCLE;
        if (year >= 1 && year <= 9999) {
            json.digits((int) year, 4);
        } else {
            json.raw(year < 0 ? '-' : '+');
            long absolute = Math.abs(year);
            if (absolute > 9999) {
                json.number(absolute);
            } else {
                json.digits((int) absolute, 4);
            }
        }
        json.raw('-').digits(date.getMonthValue(), 2);
        json.raw('-').digits(date.getDayOfMonth(), 2);
    }

    private static void appendTime(JsonBytes json, long microOfDay) {
        int secondOfDay = (int) (microOfDay / MICROS_PER_SECOND);
        int microOfSecond = (int) (microOfDay % MICROS_PER_SECOND);
        json.raw('T').digits(secondOfDay / 3600, 2);
        json.raw(':').digits(secondOfDay / 60 % 60, 2);
        json.raw(':').digits(secondOfDay % 60, 2);
        if (microOfSecond % 1000 != 0) {
            json.raw('.').digits(microOfSecond, 6);
        } else if (microOfSecond != 0) {
            json.raw('.').digits(microOfSecond / 1000, 3);
        }
    }
}
