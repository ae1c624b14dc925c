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

    private static boolean isInfinite(long value) {
        return value == RowValues.INFINITY || value == RowValues.MINUS_INFINITY;
    }

    private static void writeInfinity(JsonBytes json, long value) {
        json.string(value == RowValues.INFINITY ? "infinity" : "-infinity");
    }

    private static void appendDate(JsonBytes json, long epochDay) {
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        int year = date.getYear();
        if (year < 1 || year > 9999) {
            json.raw(year < 0 ? '-' : '+');
        }
        int absolute = Math.abs(year);
        json.digits(absolute, absolute > 9999 ? Integer.toString(absolute).length() : 4);
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
