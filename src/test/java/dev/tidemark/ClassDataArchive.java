package dev.tidemark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An archive (AppCDS) of the classes that a server has loaded by the time it has served some pages. With it, a server
 * needs less than two thirds of the processor time to start. A JVM archives only classes that its own class loaders
 * have loaded, not those of Quarkus' class loader, so the jars of the package become the class path, as in the image.
 */
final class ClassDataArchive {

    private static final String PACKAGE_DIRECTORY = "quarkus-app";
    private static final String MAIN_CLASS = "dev.tidemark.start.TidemarkMain";

    /** Empty until {@link #jarArguments()} is called for the first time. */
    private static List<String> jarArguments = List.of();

    private ClassDataArchive() {}

    /** Whether this jar is in {@code target/quarkus-app}: the classes of other packages are not archived. */
    static boolean isSupported(Path jar) {
        return jar.toAbsolutePath().getParent().endsWith(PACKAGE_DIRECTORY);
    }

    /**
     * The JVM arguments that choose the jar and its archive. The first call creates the archive, which takes seconds.
     */
    static synchronized List<String> jarArguments() throws IOException {
        if (jarArguments.isEmpty()) {
            Path root = DeployedPackage.root();
            Path jar = root.resolveSibling("server.jar");
            Path archive = root.resolveSibling("server-" + System.getProperty("java.runtime.version") + ".jsa");
            if (isOlderThanPackage(archive)) {
                Files.deleteIfExists(archive);
                writeJar(jar, root);
                writeArchive(archive, jar);
            }
            List<String> start = List.of("-jar", jar.toString());
            // A JVM that has no archive of the JDK's own classes creates no archive.
            jarArguments = Files.exists(archive)
                    ? Stream.concat(Stream.of("-XX:SharedArchiveFile=" + archive), start.stream())
                            .toList()
                    : start;
        }
        return jarArguments;
    }

    private static boolean isOlderThanPackage(Path archive) throws IOException {
        if (Files.notExists(archive)) {
            return true;
        }
        for (Path packaged : DeployedPackage.files()) {
            if (Files.getLastModifiedTime(packaged).compareTo(Files.getLastModifiedTime(archive)) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Writes a jar that contains only the package's manifest, with a class path that lists the jars in the order in
     * which Quarkus' class loader searches them.
     */
    private static void writeJar(Path jar, Path root) throws IOException {
        List<Path> classPath = new ArrayList<>();
        for (String directory : List.of("quarkus", "app", "lib/main", "lib/boot")) {
            try (var files = Files.list(root.resolve(directory))) {
                // In the directory quarkus, the jar of transformed classes precedes the jar of generated classes.
                files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted((one, other) ->
                                directory.equals("quarkus") ? other.compareTo(one) : one.compareTo(other))
                        .forEach(classPath::add);
            }
        }
        Manifest manifest;
        try (JarFile packaged = new JarFile(root.resolve("quarkus-run.jar").toFile())) {
            manifest = packaged.getManifest();
        }
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, MAIN_CLASS);
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        classPath.stream()
                                .map(file -> PACKAGE_DIRECTORY + "/" + root.relativize(file))
                                .collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private static void writeArchive(Path archive, Path jar) throws IOException {
        Path unfinished = archive.resolveSibling("unfinished.jsa");
        Files.deleteIfExists(unfinished);
        ProcessBuilder recording =
                DeployedPackage.process(List.of("-jar", jar.toString()), "-XX:ArchiveClassesAtExit=" + unfinished);
        try (DeployedServer server =
                DeployedServer.servingThings(recording, DeployedServer.databaseWithTwentyThings(), Map.of())) {
            server.awaitReady();
            for (String target : List.of("/api", "/api/things?limit=3", "/v3/things?limit=3", "/api/things?limit=0")) {
                server.get(target);
            }
            server.getManagement("/q/metrics");
            server.askToStop();
            server.awaitEnd();
        } catch (SQLException | InterruptedException e) {
            throw new IOException("no archive was made", e);
        }
        if (Files.exists(unfinished)) {
            Files.move(unfinished, archive);
        }
    }
}
