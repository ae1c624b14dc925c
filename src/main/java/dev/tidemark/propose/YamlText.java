package dev.tidemark.propose;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes texts as YAML that the configuration reads back unchanged. */
final class YamlText {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*");

    /** Texts that YAML 1.1 reads as booleans or null if they are not quoted. */
    private static final Set<String> RESERVED_WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private YamlText() {}

    /** Writes a value. Dollar signs are escaped, because the configuration expands expressions in values. */
    static String value(String text) {
        return isPlain(text) ? text : quote(text).replace("$", "\\\\$");
    }

    static String key(String text) {
        return isPlain(text) ? text : quote(text);
    }

    private static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches() && !RESERVED_WORDS.contains(text.toLowerCase(Locale.ROOT));
    }

    /** A list on one line. */
    static String list(Collection<String> texts) {
        return texts.stream().map(YamlText::value).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == '\u007f' || c >= '\u0080' && c < '\u00a0' || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /**
     * Writes a comment on one line. Line breaks in names are replaced, because text after a line break would not be
     * part of the comment.
     */
    static String comment(String text) {
        return "# " + text.replaceAll("\\R", " ");
    }
}
