package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the configuration files: those that {@code QUARKUS_CONFIG_LOCATIONS} lists, and those that the framework
 * reads from the working directory. The framework skips missing files, and fails with a stack trace if a file is
 * malformed.
 */
public final class ConfigFiles {

    private static final String LISTED_CLAUSE = ", which QUARKUS_CONFIG_LOCATIONS lists";

    /** Files that the framework reads although they are not listed, relative to the working directory. */
    private static final List<String> UNLISTED_FILES = List.of("config/application.yaml", "config/application.yml");

    private ConfigFiles() {}

    /** The faults of the YAML files that the framework reads from the working directory without being told to. */
    public static List<String> faultsInWorkingDirectory(Path workingDirectory) {
        return UNLISTED_FILES.stream()
                .map(workingDirectory::resolve)
                .filter(Files::exists)
                .flatMap(file -> faultsIn(file).stream())
                .toList();
    }

    /** @param locations paths and URLs, separated by commas; only paths and file URLs are checked */
    public static List<String> faults(String locations) {
        return split(locations).stream()
                .flatMap(location -> faultsAt(location).stream())
                .toList();
    }

    /** Returns the faults of a file, and of the files of active profiles that the framework reads beside it. */
    private static List<String> faultsIn(Path file) {
        return Stream.concat(Stream.of(file), isYaml(file) ? filesOfProfiles(file) : Stream.empty())
                .flatMap(read -> faultsInOne(read).stream())
                .toList();
    }

    private static Stream<Path> filesOfProfiles(Path file) {
        String profiles =
                System.getProperty("quarkus.profile", System.getenv().getOrDefault("QUARKUS_PROFILE", "prod"));
        String name = String.valueOf(file.getFileName());
        int end = name.lastIndexOf('.');
        return split(profiles).stream()
                .map(profile -> file.resolveSibling(name.substring(0, end) + '-' + profile + name.substring(end)))
                .filter(Files::isRegularFile);
    }

    private static List<String> faultsInOne(Path file) {
        try {
            return YamlText.read(file).faults();
        } catch (IOException unreadable) {
            return List.of(file + ": cannot be read: " + YamlText.reason(unreadable));
        }
    }

    private static List<String> faultsAt(String location) {
        Optional<Path> path;
        try {
            path = path(location);
        } catch (IllegalArgumentException invalid) {
            return List.of(location + LISTED_CLAUSE
                    + ", is not a valid URL; write a URL such as file:///etc/my%20feeds.yaml, or a path without special"
                    + " characters");
        }
        if (path.isPresent() && !Files.exists(path.get())) {
            return List.of("there is no file " + location + LISTED_CLAUSE
                    + NearestName.hint(String.valueOf(path.get().getFileName()), filesBeside(path.get())));
        }
        if (path.isPresent() && !Files.isDirectory(path.get()) && !Files.isRegularFile(path.get())) {
            return List.of(location + LISTED_CLAUSE + ", is neither a file nor a directory");
        }
        List<Path> files = path.map(ConfigFiles::filesAt).orElse(List.of());
        if (path.isPresent() && files.stream().noneMatch(ConfigFiles::isRead)) {
            return List.of(location + LISTED_CLAUSE
                    + (Files.isDirectory(path.get())
                            ? ", has no file whose name ends"
                            : ", is not read: its name must end")
                    + " in .yaml, .yml, .json, or .properties");
        }
        return files.stream()
                .filter(file -> isYaml(file) || isJson(file.toString()))
                .flatMap(file -> faultsIn(file).stream())
                .distinct()
                .toList();
    }

    /** Returns the locations that have no faults. */
    public static String withoutFaults(String locations) {
        return split(locations).stream()
                .filter(location -> faultsAt(location).isEmpty())
                .collect(Collectors.joining(","));
    }

    /**
     * Returns the files in the list of locations, including missing ones, and the files that are read from the
     * directories in the list.
     */
    static List<Path> files(String locations) {
        return split(locations).stream()
                .flatMap(location -> path(location).stream())
                .flatMap(path -> filesAt(path).stream())
                .toList();
    }

    /**
     * @return the files that are read from the directory; the path itself if it is not a directory, or has no such
     *     files
     */
    private static List<Path> filesAt(Path path) {
        try (Stream<Path> entries = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
            List<Path> files = entries.filter(Files::isRegularFile)
                    .filter(ConfigFiles::isRead)
                    .sorted()
                    .toList();
            return files.isEmpty() ? List.of(path) : files;
        } catch (IOException | UncheckedIOException unreadable) {
            return List.of(path);
        }
    }

    static List<Path> yamlFiles(String locations) {
        return files(locations).stream().filter(ConfigFiles::isYaml).toList();
    }

    static List<Path> jsonFiles(String locations) {
        return files(locations).stream()
                .filter(file -> isJson(file.toString()) && Files.isRegularFile(file))
                .toList();
    }

    private static List<String> split(String locations) {
        return Stream.of(locations.split(","))
                .map(String::strip)
                .filter(location -> !location.isEmpty())
                .toList();
    }

    /**
     * @return the path; empty if the location is a URL that does not refer to a file
     * @throws IllegalArgumentException if it is not a valid URL. A path must be one as well, of the same path, because
     *     the framework takes it as one
     */
    private static Optional<Path> path(String location) {
        URI url = URI.create(location);
        if (url.getScheme() != null) {
            return url.getScheme().equals("file") ? Optional.of(Path.of(url)) : Optional.empty();
        }
        if (!location.equals(url.getPath())) {
            throw new IllegalArgumentException(location);
        }
        return Optional.of(Path.of(location));
    }

    private static boolean isYaml(Path file) {
        return file.toString().matches(".*\\.ya?ml") && Files.isRegularFile(file);
    }

    static boolean isJson(String file) {
        return file.endsWith(".json");
    }

    private static boolean isRead(Path file) {
        return isYaml(file) || isJson(file.toString()) || file.toString().endsWith(".properties");
    }

    private static List<String> filesBeside(Path missingFile) {
        try (Stream<Path> files = Files.list(missingFile.toAbsolutePath().getParent())) {
            return files.filter(Files::isRegularFile)
                    .filter(ConfigFiles::isRead)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException noDirectory) {
            return List.of();
        }
    }
}
