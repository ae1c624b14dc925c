package dev.tidemark.declare;

import io.smallrye.config.NameIterator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the properties under {@code tidemark.feeds} into declarations. The properties are flat and unordered. Their
 * names are paths such as {@code messages.orders.newest} and {@code messages.columns[0]}.
 */
final class DeclarationReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

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

    private static List<String> splitPath(String name) {
        List<String> segments = new ArrayList<>();
        for (NameIterator segment = new NameIterator(name); segment.hasNext(); segment.next()) {
            segments.add(segment.getNextSegment());
        }
        return segments;
    }
}
