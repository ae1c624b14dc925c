package dev.tidemark.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML file with settings. Checks its form, but neither the settings nor the declarations of feeds. */
record YamlFile(Path path) {

    /**
     * A file with this many values is rejected. Otherwise, a small file with aliases could fill the memory, because the
     * configuration has a property for each value, including values that aliases repeat.
     */
    private static final int MAX_VALUES = 100_000;

    /** The merge key, which adds the entries of another map. */
    private static final String MERGE = "<<";

    /**
     * Returns the faults, each with its line and column if it is at one place in the file. The framework ignores some of
     * them, and reports others with a stack trace.
     */
    List<String> faults() {
        try {
            List<String> faults = new ArrayList<>();
            int values = 0;
            Map<Node, Integer> counted = new IdentityHashMap<>();
            for (Node document : documents()) {
                if (!(document instanceof MappingNode)) {
                    faults.add(location(document.getStartMark())
                            + ": must be a map of properties, such as tidemark, and not a list or a value");
                }
                addFaultsOfSettings(document, faults);
                values = Math.min(MAX_VALUES, values + countValues(document, counted, faults));
            }
            if (values == MAX_VALUES) {
                faults.add(path + ": has at least 100,000 values, including those that aliases repeat");
            }
            return faults;
        } catch (MarkedYAMLException malformed) {
            Mark mark = malformed.getProblemMark();
            return List.of((mark == null ? path.toString() : location(mark)) + ": is not valid YAML: "
                    + malformed.getProblem() + (mark == null ? "" : "\n" + mark.get_snippet()));
        } catch (YAMLException | IOException unreadable) {
            return List.of(path + ": cannot be read: " + reason(unreadable));
        }
    }

    private String location(Mark mark) {
        return path + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }

    static String reason(Exception unreadable) {
        if (unreadable instanceof AccessDeniedException) {
            return "permission denied";
        }
        return unreadable instanceof CharacterCodingException
                ? "it is not encoded in UTF-8"
                : String.valueOf(unreadable.getMessage());
    }

    /**
     * Counts the values, including those that aliases repeat, up to {@link #MAX_VALUES}, and adds a fault for each
     * repeated key.
     *
     * @param counted the number of values in each node that has been counted; a node that contains itself has the
     *     maximum
     */
    private int countValues(Node node, Map<Node, Integer> counted, List<String> faults) {
        Integer known = counted.putIfAbsent(node, MAX_VALUES);
        if (known != null) {
            return known;
        }
        int values = 1;
        if (node instanceof MappingNode mapping) {
            Map<String, Integer> lines = new HashMap<>();
            for (NodeTuple entry : mapping.getValue()) {
                addFaultIfRepeated(entry.getKeyNode(), lines, faults);
                values = Math.min(MAX_VALUES, values + countValues(entry.getValueNode(), counted, faults));
            }
        } else if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                values = Math.min(MAX_VALUES, values + countValues(item, counted, faults));
            }
        }
        counted.put(node, values);
        return values;
    }

    private void addFaultIfRepeated(Node node, Map<String, Integer> lines, List<String> faults) {
        if (node instanceof ScalarNode key && !key.getValue().equals(MERGE)) {
            Integer before =
                    lines.putIfAbsent(key.getValue(), key.getStartMark().getLine() + 1);
            if (before != null) {
                faults.add(location(key.getStartMark()) + ": " + key.getValue() + " is repeated; it is already in line "
                        + before);
            }
        }
    }

    private void addFaultsOfSettings(Node document, List<String> faults) {
        for (NodeTuple entry : entries(document)) {
            if (hasKey(entry, "tidemark")) {
                addFaultUnlessMap(entry, "must be a map of settings, such as feeds", faults);
                entries(entry.getValueNode()).stream()
                        .filter(setting -> hasKey(setting, "feeds"))
                        .forEach(feeds -> addFaultUnlessMap(feeds, "must be a map of feeds by their names", faults));
            }
        }
    }

    private static List<NodeTuple> entries(Node node) {
        return node instanceof MappingNode mapping ? mapping.getValue() : List.of();
    }

    private static boolean hasKey(NodeTuple entry, String name) {
        return entry.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name);
    }

    private void addFaultUnlessMap(NodeTuple entry, String expected, List<String> faults) {
        Node value = entry.getValueNode();
        boolean isEmpty = value instanceof ScalarNode text && text.getValue().isEmpty();
        if (!isEmpty && !(value instanceof MappingNode)) {
            faults.add(location(value.getStartMark()) + ": " + ((ScalarNode) entry.getKeyNode()).getValue() + " "
                    + expected + ", and not a value or a list");
        }
    }

    /** Whether the file has declarations of feeds and nothing else, or is empty. */
    boolean hasOnlyFeeds() throws IOException {
        for (Node document : documents()) {
            if (!(onlyValue(document, "tidemark") instanceof MappingNode tidemark)
                    || onlyValue(tidemark, "feeds") == null) {
                return false;
            }
        }
        return true;
    }

    /** @return the value of the key; null if the node is not a map with only this key */
    private static @Nullable Node onlyValue(Node node, String key) {
        return node instanceof MappingNode mapping
                        && mapping.getValue().size() == 1
                        && mapping.getValue().get(0).getKeyNode() instanceof ScalarNode only
                        && only.getValue().equals(key)
                ? mapping.getValue().get(0).getValueNode()
                : null;
    }

    /** @throws YAMLException if the file is malformed */
    List<Node> documents() throws IOException {
        if (Files.size(path) > ConfigFiles.MAX_BYTES) {
            throw new IOException("it is larger than 3 MB");
        }
        List<Node> documents = new ArrayList<>();
        new Yaml(new LoaderOptions())
                .composeAll(new StringReader(Files.readString(path)))
                .forEach(documents::add);
        return documents;
    }
}
