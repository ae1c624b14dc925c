package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The files that {@code QUARKUS_CONFIG_LOCATIONS} names. The framework skips a missing one, and fails with a stack trace if one is
 * malformed.
 */
public final class ConfigFiles {

    private ConfigFiles() {}

    /** @param locations separated by commas: paths, or URLs, of which only those of files are checked */
    public static List<String> faults(String locations) {
        List<String> faults = new ArrayList<>();
        for (String location : split(locations)) {
            Optional<Path> file = path(location);
            if (file.isEmpty()) {
                continue;
            }
            if (!Files.exists(file.get())) {
                faults.add("there is no file " + location + ", which QUARKUS_CONFIG_LOCATIONS names"
                        + NearestName.hint(String.valueOf(file.get().getFileName()), filesBeside(file.get())));
            } else if (isYaml(file.get())) {
                syntaxFault(file.get()).ifPresent(faults::add);
            }
        }
        return faults;
    }

    /** The files that the locations name, also missing ones, and the files in the directories that they name. */
    public static List<Path> files(String locations) {
        return split(locations).stream()
                .flatMap(location -> path(location).stream())
                .flatMap(path -> filesIn(path).stream())
                .toList();
    }

    /** @return the path itself if it is not a directory with files */
    private static List<Path> filesIn(Path path) {
        try (Stream<Path> entries = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
            List<Path> files = entries.filter(Files::isRegularFile).sorted().toList();
            return files.isEmpty() ? List.of(path) : files;
        } catch (IOException | UncheckedIOException gone) {
            return List.of(path);
        }
    }

    static List<Path> yamlFiles(String locations) {
        return split(locations).stream()
                .flatMap(location -> path(location).stream())
                .filter(file -> isYaml(file) && Files.exists(file))
                .toList();
    }

    private static List<String> split(String locations) {
        return Stream.of(locations.split(","))
                .map(String::strip)
                .filter(location -> !location.isEmpty())
                .toList();
    }

    /** @return empty if the URL does not refer to a file */
    private static Optional<Path> path(String location) {
        try {
            if (location.startsWith("file:")) {
                return Optional.of(Path.of(URI.create(location)));
            }
            return location.contains(":") ? Optional.empty() : Optional.of(Path.of(location));
        } catch (IllegalArgumentException notAPath) {
            return Optional.empty();
        }
    }

    private static boolean isYaml(Path file) {
        return file.toString().matches(".*\\.ya?ml") && Files.isRegularFile(file);
    }

    private static List<String> filesBeside(Path missing) {
        try (Stream<Path> files = Files.list(missing.toAbsolutePath().getParent())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(".*\\.(ya?ml|properties)"))
                    .sorted()
                    .toList();
        } catch (IOException noDirectory) {
            return List.of();
        }
    }

    private static Optional<String> syntaxFault(Path file) {
        try {
            documents(file);
            return Optional.empty();
        } catch (MarkedYAMLException malformed) {
            Mark mark = malformed.getProblemMark();
            String place = mark == null ? "" : ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
            String snippet = mark == null ? "" : "\n" + mark.get_snippet();
            return Optional.of(file + place + ": is not valid YAML: " + malformed.getProblem() + snippet);
        } catch (YAMLException | IOException unreadable) {
            return Optional.of(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    static List<Node> documents(Path file) throws IOException {
        List<Node> documents = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(file)) {
            new Yaml(new LoaderOptions()).composeAll(reader).forEach(documents::add);
        }
        return documents;
    }
}
