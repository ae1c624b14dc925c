package dev.tidemark.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * YAML, or JSON, which is YAML as well. The values are nodes, whose text is as it stands: {@code no} is not {@code
 * false}. Checks the form, but neither the settings nor the declarations of feeds.
 *
 * @param name of the file or variable, for messages
 */
public record YamlText(String name, String text) {

    /** The maximum size of a file that is read. The framework has the same limit. */
    private static final int MAX_BYTES = 3 << 20;

    /** Matches a slash behind an odd number of backslashes. Each two before the last one are a backslash. */
    private static final Pattern ESCAPED_SLASH = Pattern.compile("(?<!\\\\)((?:\\\\{2})*)\\\\/");

    /** The framework ignores other names with dots, too, but nobody expects Tidemark to read them. */
    private static final Pattern DOTTED_SETTING = Pattern.compile("(%[^.]*\\.)?(tidemark|quarkus)\\.");

    private static final Pattern JSON_START = Pattern.compile("\\s*\\{\\s*\"");

    private static final Set<Tag> TEXT = Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP);

    /** @throws IOException if the file cannot be read, or is too large */
    static YamlText read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is larger than 3 MB");
        }
        return new YamlText(file.toString(), Files.readString(file));
    }

    /** Returns why a file cannot be read, for a message. */
    static String reason(IOException unreadable) {
        if (unreadable instanceof AccessDeniedException) {
            return "permission denied";
        }
        return unreadable instanceof CharacterCodingException
                ? "it is not encoded in UTF-8"
                : String.valueOf(unreadable.getMessage());
    }

    /** @throws YAMLException if the text is malformed */
    public List<Node> documents() {
        String yaml = JSON_START.matcher(text).lookingAt() ? withoutTabsAndEscapedSlashes(text) : text;
        List<Node> documents = new ArrayList<>();
        new Yaml(new LoaderOptions()).composeAll(new StringReader(yaml)).forEach(documents::add);
        return documents;
    }

    /**
     * Returns JSON that is YAML as well, which allows neither tabs as indentation, nor {@code \/} in a string. A
     * string of JSON contains no tabs.
     */
    private static String withoutTabsAndEscapedSlashes(String json) {
        return ESCAPED_SLASH.matcher(json.replace('\t', ' ')).replaceAll("$1/");
    }

    /**
     * Returns the entries of a map by their keys, including those that the key {@code <<} merges into it. A node that
     * is not a map has none.
     */
    public static Map<String, NodeTuple> entries(Node node) {
        Map<String, NodeTuple> entries = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().stream()
                    .filter(entry -> !isMerge(entry))
                    .forEach(entry -> entries.put(key(entry), entry));
            // The map's own entries have precedence, and then those of the first map that is merged.
            mapping.getValue().stream()
                    .filter(YamlText::isMerge)
                    .map(NodeTuple::getValueNode)
                    .flatMap(merged -> merged instanceof SequenceNode several
                            ? several.getValue().stream()
                            : List.of(merged).stream())
                    .forEach(merged -> entries(merged).forEach(entries::putIfAbsent));
        }
        return entries;
    }

    /**
     * Whether a value of the key {@code <<} is one that the framework, which ends with a stack trace otherwise,
     * merges.
     */
    private static boolean canBeMerged(Node value) {
        return value instanceof MappingNode
                || (value instanceof SequenceNode several
                        && several.getValue().stream().allMatch(MappingNode.class::isInstance));
    }

    private static boolean isMerge(NodeTuple entry) {
        return entry.getKeyNode().getTag().equals(Tag.MERGE);
    }

    private static String key(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
    }

    /** Returns the line of the key of an entry. */
    public static int line(NodeTuple entry) {
        return entry.getKeyNode().getStartMark().getLine() + 1;
    }

    /**
     * Returns the faults of a file with settings, each with its line and column if it is at one place in the file. The
     * framework ignores some of them, and reports others with a stack trace.
     */
    List<String> faults() {
        List<String> faults = new ArrayList<>(formFaults());
        if (faults.isEmpty()) {
            for (Node document : documents()) {
                if (!(document instanceof MappingNode) && !isEmpty(document)) {
                    faults.add(location(document)
                            + ": must be a map of properties, such as tidemark, and not a list or a value");
                }
                addFaultsOfSettings(document, faults);
                if (ConfigFiles.isJson(name)) {
                    addFaultsUnlessOnlyFeeds(document, faults);
                }
            }
        }
        return faults;
    }

    /** Returns the faults that any text can have: it is malformed, repeats a key, or has a value that is in itself. */
    List<String> formFaults() {
        List<String> faults = new ArrayList<>();
        try {
            Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            documents().forEach(document -> addFormFaults(document, seen, faults));
        } catch (MarkedYAMLException malformed) {
            Mark mark = malformed.getProblemMark();
            faults.add((mark == null ? name : location(mark)) + ": is not valid YAML: " + malformed.getProblem()
                    + (mark == null ? "" : "\n" + mark.get_snippet()));
        } catch (YAMLException malformed) {
            faults.add(name + ": cannot be read: " + malformed.getMessage());
        }
        return faults;
    }

    private void addFormFaults(Node node, Set<Node> seen, List<String> faults) {
        if (!seen.add(node)) {
            return;
        }
        if (!tags(node).contains(node.getTag())) {
            faults.add(location(node) + ": cannot be read with the tag " + node.getTag());
        }
        // True only of a node that has an alias inside of it.
        if (node.isTwoStepsConstruction()) {
            faults.add(location(node) + ": contains itself");
        }
        if (node instanceof MappingNode mapping) {
            Map<String, Integer> lines = new HashMap<>();
            for (NodeTuple entry : mapping.getValue()) {
                Integer before = isMerge(entry) ? null : lines.putIfAbsent(key(entry), line(entry));
                if (before != null) {
                    faults.add(location(entry.getKeyNode()) + ": " + key(entry) + " is repeated; it is already in line "
                            + before);
                }
                if (!isMerge(entry)) {
                    addFormFaults(entry.getKeyNode(), seen, faults);
                } else if (!canBeMerged(entry.getValueNode())) {
                    faults.add(location(entry.getValueNode()) + ": << must have a map, or a list of maps");
                }
                addFormFaults(entry.getValueNode(), seen, faults);
            }
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> addFormFaults(item, seen, faults));
        }
    }

    /** The tags for which the framework can read the node. Without a tag in the text, a node has one of them. */
    private static Set<Tag> tags(Node node) {
        if (node instanceof ScalarNode) {
            return TEXT;
        }
        return Set.of(node instanceof MappingNode ? Tag.MAP : Tag.SEQ);
    }

    private void addFaultsOfSettings(Node document, List<String> faults) {
        entries(document).forEach((name, section) -> {
            if (name.equals("tidemark")) {
                addFaultUnlessMap(section, "must be a map of settings, such as feeds", faults);
                NodeTuple feeds = entries(section.getValueNode()).get("feeds");
                if (feeds != null) {
                    addFaultUnlessMap(feeds, "must be a map of feeds by their names", faults);
                }
            } else if (DOTTED_SETTING.matcher(name).lookingAt() && !ConfigFiles.isJson(this.name)) {
                faults.add(location(section.getKeyNode()) + ": " + name
                        + " is not read: write each part as a key of its own, below the one before it");
            } else if (name.startsWith("%")) {
                if (name.contains(",")) {
                    faults.add(location(section.getKeyNode()) + ": " + name
                            + " is not read: write a section for each profile");
                }
                addFaultsOfSettings(section.getValueNode(), faults);
            }
        });
    }

    /** Adds a fault for each setting. The framework, which reads the settings, does not read JSON. */
    private void addFaultsUnlessOnlyFeeds(Node document, List<String> faults) {
        entries(document).forEach((name, section) -> {
            if (name.startsWith("%")) {
                addFaultsUnlessOnlyFeeds(section.getValueNode(), faults);
                return;
            }
            Map<String, NodeTuple> settings =
                    name.equals("tidemark") ? entries(section.getValueNode()) : Map.of(name, section);
            settings.forEach((setting, entry) -> {
                if (!setting.equals("feeds") && !setting.equals("$schema")) {
                    faults.add(location(entry.getKeyNode()) + ": " + setting
                            + " is not read: a JSON file can only declare feeds, under tidemark");
                }
            });
        });
    }

    private void addFaultUnlessMap(NodeTuple entry, String expected, List<String> faults) {
        Node value = entry.getValueNode();
        if (!(value instanceof MappingNode) && !isEmpty(value)) {
            faults.add(location(value) + ": " + key(entry) + " " + expected + ", and not a value or a list");
        }
    }

    static boolean isEmpty(Node node) {
        return node instanceof ScalarNode text
                ? text.getValue().isEmpty()
                : ((CollectionNode<?>) node).getValue().isEmpty();
    }

    private String location(Node node) {
        return location(node.getStartMark());
    }

    private String location(Mark mark) {
        return name + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }
}
