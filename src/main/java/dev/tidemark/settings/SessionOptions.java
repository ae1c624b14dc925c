package dev.tidemark.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameter {@code options} of libpq, such as {@code -c work_mem=64MB}.
 *
 * @param settings of the session
 * @param others what is no setting of PostgreSQL, but of a proxy before it; empty if there is nothing else
 */
public record SessionOptions(Map<String, String> settings, String others) {

    private static final Pattern SETTING =
            Pattern.compile("(?<!\\S)(?:-c\\s*|--)(?<name>[A-Za-z_.-]+)=(?<value>(?:\\\\.|[^\\s\\\\])*)");

    /** Splits the parameter. A backslash precedes a space that is part of a value. */
    public static SessionOptions parse(String options) {
        Map<String, String> settings = new LinkedHashMap<>();
        Matcher setting = SETTING.matcher(options);
        while (setting.find()) {
            settings.put(
                    setting.group("name").replace('-', '_'),
                    setting.group("value").replaceAll("\\\\(.)", "$1"));
        }
        return new SessionOptions(settings, setting.replaceAll("").strip());
    }
}
