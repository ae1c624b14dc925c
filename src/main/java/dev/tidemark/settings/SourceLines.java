package dev.tidemark.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.yaml.snakeyaml.nodes.Node;

/** Maps properties to their lines in YAML files. */
final class SourceLines {

    private static final Logger LOG = Logger.getLogger(SourceLines.class);

    private final Map<String, String> locations = new HashMap<>();

    private SourceLines() {}

    /** Reads the files that a configuration lists. */
    static SourceLines of(Config config) {
        return of(config.getOptionalValue("quarkus.config.locations", String.class)
                .map(ConfigFiles::yamlFiles)
                .orElse(List.of()));
    }

    static SourceLines of(List<Path> files) {
        SourceLines lines = new SourceLines();
        files.forEach(lines::read);
        return lines;
    }

    private void read(Path file) {
        try {
            YamlText yaml = YamlText.read(file);
            if (yaml.faults().isEmpty()) {
                yaml.documents().forEach(document -> read(document, "", file.getFileName() + ":"));
            }
        } catch (IOException changed) {
            // The file has changed since the configuration was read. Faults in it are then reported without line
            // numbers.
            LOG.debugf(changed, "%s cannot be read again", file);
        }
    }

    private void read(Node node, String prefix, String file) {
        YamlText.entries(node).forEach((key, entry) -> {
            locations.putIfAbsent(prefix + key, file + YamlText.line(entry));
            read(entry.getValueNode(), prefix + key + '.', file);
        });
    }

    /** Returns the file and the line of a property, if it is in one of the files. */
    Optional<String> find(String property) {
        return Optional.ofNullable(locations.get(property));
    }
}
