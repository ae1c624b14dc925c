package dev.tidemark.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.common.classloader.ClassPathUtils;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * A place where feeds are declared.
 *
 * @param origin the path of the file, or the name of the variable
 * @param name the name of the file without its directory, or that of the variable, for messages
 * @param feeds the declarations, by the names of the feeds
 */
public record FeedSource(String origin, String name, Map<String, NodeTuple> feeds) {

    /** The variable whose value is what stands under {@code tidemark.feeds} in a file. */
    public static final String VARIABLE = "TIDEMARK_FEEDS";

    static final String PROPERTY = "tidemark.feeds";

    /** Matches the name that the framework gives to the source of a YAML file. The group is the URL of the file. */
    private static final Pattern YAML_FILE = Pattern.compile("YamlConfigSource\\[source=(.*)]");

    /**
     * Reads all declarations: in the files from which the framework reads settings, in the listed JSON files, and in
     * the variable.
     *
     * @throws ConfigurationException if a text is malformed
     */
    public static List<FeedSource> readAll(SmallRyeConfig config) {
        List<FeedSource> sources = new ArrayList<>();
        Stream<String> yaml = StreamSupport.stream(config.getConfigSources().spliterator(), false)
                .map(ConfigSource::getName)
                .map(YAML_FILE::matcher)
                .filter(Matcher::matches)
                .map(source -> source.group(1));
        Stream<String> json = config
                .getOptionalValue("quarkus.config.locations", String.class)
                .map(ConfigFiles::jsonFiles)
                .orElse(List.of())
                .stream()
                .map(file -> file.toUri().toString());
        Stream.concat(yaml, json)
                .distinct()
                .forEach(url -> sources.addAll(inFile(origin(url), read(url), config.getProfiles())));
        // As it stands, without the expansion of expressions.
        String text = config.getConfigValue(PROPERTY).getRawValue();
        if (text != null && !text.isBlank()) {
            sources.add(of(VARIABLE, text));
        }
        sources.removeIf(source -> source.feeds().isEmpty());
        return sources;
    }

    /**
     * Reads a text that stands under {@code tidemark.feeds}.
     *
     * @throws ConfigurationException if the text is malformed
     */
    public static FeedSource of(String name, String text) {
        YamlText yaml = new YamlText(name, text);
        throwIfAny(yaml.formFaults());
        List<Node> documents = yaml.documents();
        if (documents.size() != 1 || !(documents.get(0) instanceof MappingNode)) {
            throwIfAny(List.of(name + ": must be a map of feeds by their names, as under " + PROPERTY + " in a file"));
        }
        return new FeedSource(name, name, YamlText.entries(documents.get(0)));
    }

    /** @param source the name of a source of properties */
    static boolean isYamlFile(String source) {
        return YAML_FILE.matcher(source).matches();
    }

    /**
     * Reads the declarations in the text of a file, and in its sections for active profiles, such as {@code "%prod"}.
     *
     * @param origin the path of the file
     * @throws ConfigurationException if the text is malformed
     */
    public static List<FeedSource> inFile(String origin, String text, List<String> profiles) {
        YamlText yaml = new YamlText(origin, text);
        throwIfAny(yaml.faults());
        String name = String.valueOf(Path.of(origin).getFileName());
        return yaml.documents().stream()
                .flatMap(document -> sections(document, profiles))
                .flatMap(section -> value(section, "tidemark"))
                .flatMap(settings -> value(settings, "feeds"))
                .map(feeds -> new FeedSource(origin, name, YamlText.entries(feeds)))
                .toList();
    }

    /** Returns the path of a file, or its name in a jar or on another server. */
    private static String origin(String url) {
        return url.startsWith("file:")
                ? Path.of(URI.create(url)).toString()
                : url.substring(url.indexOf("!/") < 0 ? 0 : url.indexOf("!/") + "!/".length());
    }

    private static String read(String url) {
        try {
            return ClassPathUtils.readStream(URI.create(url).toURL(), FeedSource::read);
        } catch (IOException | UncheckedIOException unreadable) {
            throw new ConfigurationException(
                    "Tidemark cannot start: " + url + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private static String read(InputStream file) {
        try (file) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Node> sections(Node document, List<String> profiles) {
        return Stream.concat(
                Stream.of(document),
                YamlText.entries(document).entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith("%")
                                && profiles.contains(entry.getKey().substring(1)))
                        .map(entry -> entry.getValue().getValueNode()));
    }

    private static Stream<Node> value(Node map, String key) {
        return Stream.ofNullable(YamlText.entries(map).get(key)).map(NodeTuple::getValueNode);
    }

    private static void throwIfAny(List<String> faults) {
        if (!faults.isEmpty()) {
            throw new ConfigurationException(
                    "Tidemark cannot start: " + String.join("\nTidemark cannot start: ", faults));
        }
    }
}
