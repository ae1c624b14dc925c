package dev.tidemark.settings;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Maps properties to their lines in YAML files. */
public final class SourceLines {

    private static final Logger LOG = Logger.getLogger(SourceLines.class);

    private final Map<String, String> locations = new HashMap<>();

    private SourceLines() {}

    /** Reads the configured files. */
    public static SourceLines ofConfiguration() {
        return of(ConfigProvider.getConfig());
    }

    /** Reads the files that a configuration lists. */
    public static SourceLines of(Config config) {
        return of(config.getOptionalValue("quarkus.config.locations", String.class)
                .map(ConfigFiles::yamlFiles)
                .orElse(List.of()));
    }

    static SourceLines of(List<YamlFile> files) {
        SourceLines lines = new SourceLines();
        files.forEach(lines::read);
        return lines;
    }

    private void read(YamlFile file) {
        try {
            if (file.faults().isEmpty()) {
                file.documents()
                        .forEach(document -> read(document, "", file.path().getFileName() + ":"));
            }
        } catch (IOException | YAMLException changed) {
            // The file has changed since the configuration was read. Faults in it are then reported without line
            // numbers.
            LOG.debugf(changed, "%s cannot be read again", file.path());
        }
    }

    private void read(Node node, String prefix, String file) {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                if (entry.getKeyNode() instanceof ScalarNode key) {
                    String path = prefix + key.getValue();
                    locations.putIfAbsent(path, file + (key.getStartMark().getLine() + 1));
                    read(entry.getValueNode(), path + '.', file);
                }
            }
        }
    }

    /** Returns the file and the line of a property, if it is in one of the files. */
    Optional<String> find(String property) {
        return Optional.ofNullable(locations.get(property));
    }

    /**
     * Returns the file and the line of a property, or of the nearest enclosing property.
     *
     * @param root the property at which the search stops, such as {@code tidemark.feeds.messages}
     */
    public Optional<String> find(String root, String property) {
        String path = root + '.' + property;
        while (path.length() >= root.length()) {
            String location = locations.get(path);
            if (location != null) {
                return Optional.of(location);
            }
            path = path.substring(0, Math.max(0, path.lastIndexOf('.')));
        }
        return Optional.empty();
    }
}
