package dev.tidemark.declare;

import dev.tidemark.naming.NearestName;
import dev.tidemark.settings.YamlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The properties of one feed, by path, as they stand in YAML. Tracks which properties have been read, to find unknown
 * ones. A list is a YAML list, or a value with commas.
 */
final class FeedProperties {

    private final String source;
    private final NodeTuple feed;
    private final Set<List<String>> readPaths = new HashSet<>();

    /** The paths that a parser has looked up, whether or not they are set. */
    private final Set<List<String>> knownPaths = new HashSet<>();

    /**
     * @param source the name of the file or variable
     * @param feed the feed's name, with its properties
     */
    FeedProperties(String source, NodeTuple feed) {
        this.source = source;
        this.feed = feed;
    }

    /** Returns the value, stripped; empty if it is blank, missing, a list, or a map. */
    Optional<String> text(String... path) {
        return value(path).map(ScalarNode::getValue).map(String::strip).filter(value -> !value.isEmpty());
    }

    private Optional<ScalarNode> value(String... path) {
        knownPaths.add(List.of(path));
        Optional<ScalarNode> value =
                find(path).filter(ScalarNode.class::isInstance).map(ScalarNode.class::cast);
        value.ifPresent(found -> readPaths.add(List.of(path)));
        return value;
    }

    private Optional<Node> find(String... path) {
        Optional<Node> node = Optional.of(feed.getValueNode());
        for (String name : path) {
            node = node.map(map -> YamlText.entries(map).get(name)).map(NodeTuple::getValueNode);
        }
        return node;
    }

    /** Whether the property exists but is blank. */
    boolean isBlank(String... path) {
        return value(path).filter(value -> value.getValue().isBlank()).isPresent();
    }

    /** Whether the property exists, even if it is blank. */
    boolean isPresent(String property) {
        return find(property).isPresent();
    }

    List<String> list(String... path) {
        return items(path).stream().filter(item -> !item.isEmpty()).toList();
    }

    /** Returns the items of a list, also empty ones. */
    List<String> items(String... path) {
        Optional<SequenceNode> items = find(path)
                .filter(SequenceNode.class::isInstance)
                .map(SequenceNode.class::cast)
                .filter(sequence -> sequence.getValue().stream().allMatch(ScalarNode.class::isInstance));
        items.ifPresent(found -> readPaths.add(List.of(path)));
        return Stream.concat(
                        items.stream()
                                .flatMap(found -> found.getValue().stream())
                                .map(item -> ((ScalarNode) item).getValue()),
                        text(path).stream().flatMap(text -> Stream.of(text.split(","))))
                .map(String::strip)
                .toList();
    }

    /**
     * Adds a fault if a property that must be a map is a value or a list. An empty map is no fault.
     *
     * @param expected describes the map in the message
     * @return false if a fault was added
     */
    boolean addFaultUnlessMap(String property, String expected, Faults.FeedFaults faults) {
        boolean isMap = list(property).isEmpty();
        children(property);
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
        readPaths.add(List.of(property));
    }

    /** Returns the names directly below {@code path} whose values are not maps. */
    Set<String> namesBelow(String path) {
        Set<String> names = new LinkedHashSet<>();
        children(path).forEach((name, entry) -> {
            if (!(entry.getValueNode() instanceof MappingNode)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Returns the names directly below {@code path}. */
    Set<String> childrenOf(String... path) {
        return children(path).keySet();
    }

    private Map<String, NodeTuple> children(String... path) {
        knownPaths.add(List.of(path));
        Optional<Node> map = find(path).filter(MappingNode.class::isInstance);
        map.ifPresent(found -> readPaths.add(List.of(path)));
        return map.map(YamlText::entries).orElse(Map.of());
    }

    /** Returns what is wrong with each property that no parser has read, such as an unknown name. */
    Map<String, String> unreadProperties() {
        Map<String, String> unread = new LinkedHashMap<>();
        addUnread(List.of(), feed.getValueNode(), unread);
        return unread;
    }

    private void addUnread(List<String> path, Node node, Map<String, String> unread) {
        Map<String, NodeTuple> entries = YamlText.entries(node);
        if (!entries.isEmpty()) {
            entries.forEach((name, entry) -> {
                List<String> child = new ArrayList<>(path);
                child.add(name);
                addUnread(child, entry.getValueNode(), unread);
            });
        } else if (!path.isEmpty() && !readPaths.contains(path)) {
            unread.put(
                    String.join(".", path),
                    knownPaths.contains(path) && !(node instanceof ScalarNode)
                            ? "a list or a map stands where a value is expected"
                            : "unknown property" + hint(path));
        }
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

    /** Returns the paths that a parser has looked up, whether or not they are set. */
    Set<List<String>> knownPaths() {
        return knownPaths;
    }

    /** Returns the place of a property, or of what it would stand in, such as {@code feeds.yaml:7}. */
    String location(String property) {
        NodeTuple place = feed;
        String rest = property;
        while (true) {
            String path = rest;
            Optional<Map.Entry<String, NodeTuple>> next = YamlText.entries(place.getValueNode()).entrySet().stream()
                    .filter(entry -> path.equals(entry.getKey()) || path.startsWith(entry.getKey() + '.'))
                    .findFirst();
            if (next.isEmpty()) {
                return source + ':' + YamlText.line(place);
            }
            place = next.get().getValue();
            rest = rest.substring(Math.min(rest.length(), next.get().getKey().length() + 1));
        }
    }
}
