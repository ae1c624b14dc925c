package dev.tidemark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the texts in a source file that are logged above debug, with {@code …} for what is put into them. */
final class LoggedTexts {

    /** By a logger, whatever the constant is called, or by the one method that logs for others. */
    private static final Pattern CALL =
            Pattern.compile("\\b[A-Z_]+\\s*\\.(?:info|warn|error)f?\\(|(?<!void )\\btell\\(");

    private static final Pattern PUT_IN = Pattern.compile("%[,\\d]*[a-mo-z]");
    private static final Pattern BREAKS = Pattern.compile("%n|\\\\n|\\s+");

    private LoggedTexts() {}

    /** @throws IllegalArgumentException if something is logged whose text is made elsewhere */
    static List<String> of(String source) {
        var texts = new ArrayList<String>();
        var call = CALL.matcher(source);
        while (call.find()) {
            texts.add(split(source, call.end(), ',').stream()
                    .map(LoggedTexts::text)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("a text made elsewhere")));
        }
        return texts;
    }

    /** A sum of literals and of what is put between them. */
    private static Optional<String> text(String argument) {
        if (!argument.contains("\"")) {
            return Optional.empty();
        }
        var text = new StringBuilder();
        for (String part : split(argument + ')', 0, '+')) {
            text.append(
                    part.startsWith("\"")
                            ? PUT_IN.matcher(part.substring(1, part.length() - 1))
                                    .replaceAll("…")
                            : "…");
        }
        return Optional.of(BREAKS.matcher(text).replaceAll(" ").strip());
    }

    /** The parts up to the parenthesis that closes, outside of strings and of parentheses within. */
    private static List<String> split(String source, int from, char separator) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        int depth = 0;
        boolean inString = false;
        for (int at = from; depth >= 0; at++) {
            char c = source.charAt(at);
            if (c == '"' && (at == 0 || source.charAt(at - 1) != '\\')) {
                inString = !inString;
            }
            depth += inString ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth < 0 || depth == 0 && !inString && c == separator) {
                parts.add(part.toString().strip());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        return parts;
    }
}
