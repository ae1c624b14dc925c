package dev.tidemark.declare;

import dev.tidemark.naming.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The properties of one feed, by path. Tracks which properties have been read, to find unknown ones.
 *
 * <p>A list is either one string with commas, or a property for each index, such as {@code columns[0]}. In
 * the configuration, a YAML list appears twice, once in each form.
 */
final class FeedProperties {

    private static final Pattern INDEXED = Pattern.compile("(.*)\\[(\\d{1,4})]");

    private final Map<List<String>, String> values;
    private final Set<List<String>> readPaths = new HashSet<>();

    /** The paths that a parser has looked up, whether or not they are set. */
    private final Set<List<String>> knownPaths = new HashSet<>();

    FeedProperties(Map<List<String>, String> values) {
        this.values = values;
    }

    Optional<String> text(String... path) {
        List<String> key = List.of(path);
        readPaths.add(key);
        knownPaths.add(key);
        return Optional.ofNullable(values.get(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Whether the property exists but is blank. */
    boolean isBlank(String... path) {
        String value = values.get(List.of(path));
        return value != null && value.isBlank();
    }

    /** Whether the property exists, even if it is blank. */
    boolean isPresent(String property) {
        return values.keySet().stream()
                .anyMatch(key -> withoutIndex(key.subList(0, 1)).equals(List.of(property)));
    }

    List<String> list(String... path) {
        Map<Integer, String> indexed = new TreeMap<>();
        values.forEach((key, value) -> {
            Matcher index = INDEXED.matcher(key.get(key.size() - 1));
            if (index.matches() && withoutIndex(key).equals(List.of(path))) {
                readPaths.add(key);
                indexed.put(Integer.valueOf(index.group(2)), value.strip());
            }
        });
        Stream<String> plain = text(path).stream().flatMap(text -> Stream.of(text.split(",")));
        return (indexed.isEmpty() ? plain : indexed.values().stream())
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /**
     * Adds a fault if a property that must be a map is a value or a list.
     *
     * @param expected describes the map in the message
     * @return false if a fault was added
     */
    boolean addFaultUnlessMap(String property, String expected, Faults.FeedFaults faults) {
        boolean isMap = list(property).isEmpty();
        if (!isMap) {
            faults.add(property, "must be " + expected + ", not a value or a list");
        }
        return isMap;
    }

    /**
     * Excludes a property that is a value or a list from {@link #unreadProperties}, because another fault is reported
     * for it.
     */
    void markRead(String property) {
        values.keySet().stream()
                .filter(key -> withoutIndex(key).equals(List.of(property)))
                .forEach(readPaths::add);
    }

    /** Returns the names directly below {@code path}, without list indexes. */
    Set<String> namesBelow(String path) {
        knownPaths.add(List.of(path));
        Set<String> names = new LinkedHashSet<>();
        values.keySet().stream()
                .filter(key -> key.size() == 2 && key.get(0).equals(path))
                .forEach(key -> names.add(withoutIndex(key).get(1)));
        return names;
    }

    /** Returns the names directly below {@code path}, whatever follows them, without list indexes. */
    Set<String> childrenOf(String... path) {
        List<String> parent = List.of(path);
        knownPaths.add(parent);
        Set<String> names = new LinkedHashSet<>();
        values.keySet().stream()
                .filter(key -> key.size() > parent.size()
                        && key.subList(0, parent.size()).equals(parent))
                .forEach(key -> names.add(
                        withoutIndex(key.subList(0, parent.size() + 1)).get(parent.size())));
        return names;
    }

    /** Returns the properties that no parser has read, each with its {@link NearestName#hint}. */
    Map<String, String> unreadProperties() {
        Map<String, String> unread = new LinkedHashMap<>();
        values.keySet().stream()
                .filter(key -> !readPaths.contains(key))
                .forEach(key -> unread.put(String.join(".", key), hint(withoutIndex(key))));
        return unread;
    }

    private String hint(List<String> path) {
        Set<String> properties =
                knownPaths.stream().map(known -> known.get(0)).collect(Collectors.toCollection(TreeSet::new));
        if (!properties.contains(path.get(0))) {
            return NearestName.hint(path.get(0), properties);
        }
        List<String> parent = path.subList(0, path.size() - 1);
        return NearestName.hint(
                path.get(path.size() - 1),
                knownPaths.stream()
                        .filter(known -> known.size() == path.size()
                                && known.subList(0, parent.size()).equals(parent))
                        .map(known -> known.get(known.size() - 1))
                        .sorted()
                        .toList());
    }

    private static List<String> withoutIndex(List<String> path) {
        Matcher index = INDEXED.matcher(path.get(path.size() - 1));
        if (!index.matches()) {
            return path;
        }
        List<String> plain = new ArrayList<>(path);
        plain.set(plain.size() - 1, index.group(1));
        return plain;
    }
}
