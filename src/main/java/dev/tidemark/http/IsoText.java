package dev.tidemark.http;

import dev.tidemark.feed.RowValues;
import java.time.LocalDate;

/**
 * Dates and timestamps as JSON strings in ISO 8601. A fraction of a second has the 3 or 6 digits that the value needs;
 * years before 0001 and after 9999 are expanded, with a sign, and 1 BC is {@code +0000}.
 */
final class IsoText {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    /** More than {@code +294276-12-31T23:59:59.999999Z} and {@code +5874897-12-31} need. */
    private static final int MAX_CHARS = 36;

    private final byte[] ascii = new byte[MAX_CHARS];
    private int length;

    private IsoText() {}

    static void writeDate(JsonBytes json, long days) {
        if (isInfinite(days)) {
            writeInfinity(json, days);
            return;
        }
        IsoText text = new IsoText();
        text.date(days);
        text.write(json);
    }

    /** @param zoned whether it ends with a Z for UTC */
    static void writeTimestamp(JsonBytes json, long micros, boolean zoned) {
        if (isInfinite(micros)) {
            writeInfinity(json, micros);
            return;
        }
        IsoText text = new IsoText();
        text.date(Math.floorDiv(micros, MICROS_PER_DAY) + RowValues.MICROS_DAY_ZERO);
        text.time(Math.floorMod(micros, MICROS_PER_DAY));
        if (zoned) {
            text.append('Z');
        }
        text.write(json);
    }

    private static boolean isInfinite(long value) {
        return value == RowValues.INFINITY || value == RowValues.MINUS_INFINITY;
    }

    private static void writeInfinity(JsonBytes json, long value) {
        json.string(value == RowValues.INFINITY ? "infinity" : "-infinity");
    }

    private void date(long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        int year = date.getYear();
        if (year < 1 || year > 9999) {
            append(year < 0 ? '-' : '+');
        }
        digits(Math.abs(year), Math.max(4, decimals(Math.abs(year))));
        append('-');
        digits(date.getMonthValue(), 2);
        append('-');
        digits(date.getDayOfMonth(), 2);
    }

    private void time(long microOfDay) {
        int second = (int) (microOfDay / MICROS_PER_SECOND);
        int fraction = (int) (microOfDay % MICROS_PER_SECOND);
        append('T');
        digits(second / 3600, 2);
        append(':');
        digits(second / 60 % 60, 2);
        append(':');
        digits(second % 60, 2);
        if (fraction != 0) {
            append('.');
            if (fraction % 1000 == 0) {
                digits(fraction / 1000, 3);
            } else {
                digits(fraction, 6);
            }
        }
    }

    private static int decimals(int number) {
        int decimals = 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            decimals++;
        }
        return decimals;
    }

    private void digits(int number, int width) {
        int rest = number;
        for (int at = length + width - 1; at >= length; at--) {
            ascii[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += width;
    }

    private void append(char c) {
        ascii[length++] = (byte) c;
    }

    private void write(JsonBytes json) {
        json.raw('"').raw(ascii, 0, length).raw('"');
    }
}
