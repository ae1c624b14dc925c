package dev.tidemark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The deployed server: the packaged jar, or the executable of a native build. The system properties {@code
 * deployed.java}, {@code deployed.options} and {@code deployed.jar} choose another Java, its options and another jar,
 * for the build of an image.
 */
final class DeployedPackage {

    private static final String EXECUTABLE = System.getProperty("native.image.path", "");

    /** The directory of the jar also contains its libraries. */
    private static final Path JAR = Path.of(System.getProperty("deployed.jar", "target/quarkus-app/quarkus-run.jar"))
            .toAbsolutePath();

    private DeployedPackage() {}

    /**
     * Prepares a process of the server, tuned for a quick start on a JVM. It listens on free ports and inherits no
     * settings of Tidemark or Quarkus. Its output is discarded.
     *
     * @param options such as {@code -Dquarkus.http.port=0} and {@code -Xmx128m}; options that begin with {@code
     *     -XX:} are not passed to a native executable, which would reject them
     */
    static ProcessBuilder process(String... options) {
        return process(List.of("-jar", JAR.toString()), options);
    }

    /**
     * Like {@code process}, but with a {@link ClassDataArchive} if a jar in {@code target/quarkus-app} is deployed,
     * {@code deployed.options} is not set, and the JVM can create an archive.
     */
    static ProcessBuilder quickProcess(String... options) throws IOException {
        boolean archivable =
                !isNative() && System.getProperty("deployed.options") == null && ClassDataArchive.isSupported(JAR);
        return archivable ? process(ClassDataArchive.jarArguments(), options) : process(options);
    }

    /** @param jarArguments the JVM arguments that choose the jar */
    static ProcessBuilder process(List<String> jarArguments, String... options) {
        List<String> command = new ArrayList<>();
        if (isNative()) {
            command.add(EXECUTABLE);
            Stream.of(options).filter(option -> !option.startsWith("-XX:")).forEach(command::add);
        } else {
            command.add(System.getProperty("deployed.java", System.getProperty("java.home") + "/bin/java"));
            // Most runs are too short for the optimizing compiler or a concurrent collector to pay off. With a smaller
            // metaspace, each start collects garbage several times, which takes a tenth of its processor time.
            Stream.of(System.getProperty(
                                    "deployed.options",
                                    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=128m"
                                            + " -XX:+ExitOnOutOfMemoryError")
                            .split(" "))
                    .filter(option -> !option.isEmpty())
                    .forEach(command::add);
            command.addAll(List.of(options));
            command.addAll(jarArguments);
        }
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> name.startsWith("QUARKUS_") || name.startsWith("TIDEMARK_"));
        builder.environment().putAll(Map.of("QUARKUS_HTTP_PORT", "0", "QUARKUS_MANAGEMENT_PORT", "0"));
        return builder;
    }

    /** All deployed files; for a native build, the files that the executable was built from. */
    static List<Path> files() throws IOException {
        try (var files = Files.walk(root())) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    static Path root() throws IOException {
        if (!isNative()) {
            return JAR.getParent();
        }
        try (var built = Files.newDirectoryStream(Path.of("target"), "*-native-image-source-jar")) {
            return built.iterator().next();
        }
    }

    private static boolean isNative() {
        return !EXECUTABLE.isEmpty();
    }
}
