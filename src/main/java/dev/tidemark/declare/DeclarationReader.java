package dev.tidemark.declare;

import io.smallrye.config.NameIterator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the properties under {@code tidemark.feeds} into declarations. Property names arrive flat and in no sequence
 * ({@code messages.orders.newest}, {@code messages.columns[0]}).
 */
final class DeclarationReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    private DeclarationReader() {}

    /** @return all declarations; what is wrong with them is in {@code faults}, and left out or set to its default */
    static List<FeedDeclaration> read(Map<String, String> properties, Faults faults) {
        Map<String, Map<List<String>, String>> byFeed = new TreeMap<>();
        new TreeMap<>(properties).forEach((name, value) -> {
            List<String> path = path(name);
            Map<List<String>, String> values = byFeed.computeIfAbsent(path.get(0), feed -> new LinkedHashMap<>());
            if (path.size() == 1) {
                faults.forFeed(path.get(0)).add("feed", "has properties, and is no value itself");
            } else {
                values.put(List.copyOf(path.subList(1, path.size())), value);
            }
        });
        List<FeedDeclaration> declarations = new ArrayList<>();
        byFeed.forEach((name, values) -> {
            Faults.ForFeed feedFaults = faults.forFeed(name);
            if (!NAME.matcher(name).matches()) {
                feedFaults.add("name", "a feed's name is a letter, then up to 62 letters, digits, - and _");
            }
            declarations.add(new DeclarationParser(name, new FeedProperties(values), feedFaults).parse());
        });
        return declarations;
    }

    private static List<String> path(String name) {
        List<String> segments = new ArrayList<>();
        for (NameIterator segment = new NameIterator(name); segment.hasNext(); segment.next()) {
            segments.add(segment.getNextSegment());
        }
        return segments;
    }
}
