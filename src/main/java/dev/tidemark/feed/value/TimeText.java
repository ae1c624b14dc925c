package dev.tidemark.feed.value;

import java.time.DateTimeException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts times of day, from {@code 00:00:00} to {@code 24:00:00} inclusive, to a canonical form. */
final class TimeText {

    private static final Pattern FORM =
            Pattern.compile("([01]\\d|2[0-4]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,6}))?)?");

    private TimeText() {}

    /** @throws DateTimeException if the text is not such a time; its message is safe to show to the client */
    static String canonicalize(String text) {
        Matcher time = FORM.matcher(text);
        if (!time.matches()) {
            throw new DateTimeException(
                    "it must be a time such as 10:00:00, with at most 6 digits of fractional seconds");
        }
        String second = time.group(3) == null ? "00" : time.group(3);
        String fraction = time.group(4) == null ? "" : time.group(4).replaceFirst("0+$", "");
        String canonical =
                time.group(1) + ':' + time.group(2) + ':' + second + (fraction.isEmpty() ? "" : '.' + fraction);
        if (canonical.compareTo("24:00:00") > 0) {
            throw new DateTimeException("the time of day must be from 00:00:00 to 24:00:00");
        }
        return canonical;
    }
}
