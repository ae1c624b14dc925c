package dev.tidemark.settings;

import io.smallrye.common.classloader.ClassPathUtils;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads YAML in which every key and value under {@code tidemark.feeds} is text as it stands: a column named {@code no}
 * is not {@code false}, and one named {@code null} is not missing. The framework, which follows YAML 1.1, is given the
 * same YAML with quotes around them.
 */
public final class FeedText {

    private static final List<String> PATH = List.of("tidemark", "feeds");

    /** The keys and values that have been copied, so that aliases stay aliases. */
    private final Map<Node, Node> copies = new IdentityHashMap<>();

    private FeedText() {}

    /**
     * @param name of the source, for messages
     * @throws YAMLException if the YAML is malformed
     */
    public static YamlConfigSource source(String name, String yaml) {
        return source(name, yaml, YamlConfigSource.ORDINAL);
    }

    static YamlConfigSource source(URL url, int ordinal) throws IOException {
        String yaml = ClassPathUtils.readStream(url, FeedText::read);
        return source(String.format(YamlConfigSource.NAME, url), yaml, ordinal);
    }

    private static String read(InputStream file) {
        try (file) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static YamlConfigSource source(String name, String yaml, int ordinal) {
        DumperOptions options = new DumperOptions();
        options.setExplicitStart(true);
        options.setSplitLines(false);
        Yaml parser = new Yaml(new LoaderOptions(), options);
        StringWriter quoted = new StringWriter();
        for (Node document : parser.composeAll(new StringReader(yaml))) {
            parser.serialize(new FeedText().below(PATH, document), quoted);
        }
        return new YamlConfigSource(name, quoted.toString(), ordinal);
    }

    /** Copies the node with what is at the path below it as text, also in a profile, and in what is merged. */
    private Node below(List<String> path, Node node) {
        if (path.isEmpty()) {
            return node instanceof ScalarNode ? node : asText(node);
        }
        if (node instanceof SequenceNode merged) {
            List<Node> maps =
                    merged.getValue().stream().map(map -> below(path, map)).toList();
            return new SequenceNode(merged.getTag(), maps, merged.getFlowStyle());
        }
        if (!(node instanceof MappingNode mapping)) {
            return node;
        }
        List<NodeTuple> entries = new ArrayList<>();
        for (NodeTuple entry : mapping.getValue()) {
            String key = entry.getKeyNode() instanceof ScalarNode text ? text.getValue() : "";
            Node value = entry.getValueNode();
            if (key.equals(path.get(0))) {
                value = below(path.subList(1, path.size()), value);
            } else if (isMerge(entry.getKeyNode()) || key.startsWith("%")) {
                value = below(path, value);
            }
            entries.add(new NodeTuple(entry.getKeyNode(), value));
        }
        return new MappingNode(mapping.getTag(), entries, mapping.getFlowStyle());
    }

    private Node asText(Node node) {
        Node known = copies.get(node);
        if (known != null || isMerge(node)) {
            return known == null ? node : known;
        }
        if (node instanceof MappingNode mapping) {
            List<NodeTuple> entries = new ArrayList<>();
            Node copy = new MappingNode(mapping.getTag(), entries, mapping.getFlowStyle());
            copies.put(node, copy);
            mapping.getValue()
                    .forEach(entry ->
                            entries.add(new NodeTuple(asText(entry.getKeyNode()), asText(entry.getValueNode()))));
            return copy;
        }
        if (node instanceof SequenceNode sequence) {
            List<Node> items = new ArrayList<>();
            Node copy = new SequenceNode(sequence.getTag(), items, sequence.getFlowStyle());
            copies.put(node, copy);
            sequence.getValue().forEach(item -> items.add(asText(item)));
            return copy;
        }
        String text = ((ScalarNode) node).getValue();
        return new ScalarNode(Tag.STR, text, node.getStartMark(), node.getEndMark(), ScalarStyle.DOUBLE_QUOTED);
    }

    private static boolean isMerge(Node node) {
        return node.getTag().equals(Tag.MERGE);
    }
}
