package dev.tidemark.declare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the properties under {@code tidemark.feeds} into declarations. The properties are flat and unordered. Their
 * names are paths such as {@code messages.orders.newest} and {@code messages.columns[0]}.
 */
final class DeclarationReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    private static final Pattern SEGMENT = Pattern.compile(
            "\\G(?:\"(?<quoted>(?:[^\"\\\\]|\\\\.)*)\"(?<index>(?:\\[\\d+])?)|(?<plain>[^.]*))(?:\\.|$)",
            Pattern.DOTALL);

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)", Pattern.DOTALL);

    private DeclarationReader() {}

    /** @return all declarations, including those with faults. Each invalid property is reported in {@code faults} */
    static List<FeedDeclaration> read(Map<String, String> properties, Faults faults) {
        Map<String, Map<List<String>, String>> byFeed = new TreeMap<>();
        new TreeMap<>(properties).forEach((name, value) -> {
            List<String> path = splitPath(name);
            Map<List<String>, String> values = byFeed.computeIfAbsent(path.get(0), feed -> new LinkedHashMap<>());
            if (path.size() == 1) {
                faults.forFeed(path.get(0)).add("feed", "must be a map of properties, not a value");
            } else {
                values.put(List.copyOf(path.subList(1, path.size())), value);
            }
        });
        List<FeedDeclaration> declarations = new ArrayList<>();
        byFeed.forEach((name, values) -> {
            Faults.FeedFaults feedFaults = faults.forFeed(name);
            if (!NAME.matcher(name).matches()) {
                feedFaults.add(
                        "name", "must be a letter followed by up to 62 letters, digits, hyphens, and underscores");
            }
            declarations.add(new DeclarationParser(name, new FeedProperties(values), feedFaults).parse());
        });
        return declarations;
    }

    /**
     * Splits a path at its dots, except those inside a segment that is in double quotes. Quotes elsewhere are part of the
     * name, because the framework does not escape the keys of a YAML file.
     */
    static List<String> splitPath(String path) {
        List<String> segments = new ArrayList<>();
        Matcher segment = SEGMENT.matcher(path);
        do {
            segment.find();
            segments.add(
                    segment.group("plain") != null
                            ? segment.group("plain")
                            : ESCAPED.matcher(segment.group("quoted")).replaceAll("$1") + segment.group("index"));
        } while (segment.end() < path.length());
        return segments;
    }
}
