package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The package on each JDK from 17 to 25 of this machine, one of each version: the JDK of the build, and those that are
 * in {@code /usr/lib/jvm} or in variables such as {@code JAVA_HOME_21_X64}, which GitHub's runners have.
 */
@DisabledIfSystemProperty(named = "native.image.path", matches = ".+", disabledReason = "an executable needs no JDK")
@Slow
class JdksIT {

    @ParameterizedTest
    @MethodSource("jdks")
    @Timeout(120)
    void aListIsServedToItsEnd(Path jdk) throws Exception {
        ProcessBuilder process = DeployedPackage.process();
        process.command().set(0, jdk.resolve("bin/java").toString());
        process.command().remove("-XX:+ExitOnOutOfMemoryError");
        try (DeployedServer server = DeployedServer.servingThings(
                        process, DeployedServer.databaseWithTwentyThings(), Map.of())
                .awaitReady()) {
            List<String> ids = new ArrayList<>();
            String target = "/api/things?limit=7";
            while (target != null) {
                JsonDocument page = JsonDocument.of(server.get(target).body());
                ids.addAll(page.getList("items.id"));
                target = page.getBoolean("has_more")
                        ? "/api/things?limit=7&cursor=" + page.getString("next_cursor")
                        : null;
            }
            assertThat(ids).hasSize(20).doesNotHaveDuplicates();
            assertThat(server.errors()).isEmpty();
            assertThat(server.log())
                    .anyMatch(line -> line.contains("The JVM option -XX:+ExitOnOutOfMemoryError is not set"));
        }
    }

    static Collection<Path> jdks() throws IOException {
        List<Path> homes = new ArrayList<>();
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("JAVA_HOME")) {
                homes.add(Path.of(value));
            }
        });
        Path installed = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(installed)) {
            try (DirectoryStream<Path> directories = Files.newDirectoryStream(installed)) {
                directories.forEach(homes::add);
            }
        }
        homes.add(Path.of(System.getProperty("java.home")));
        Map<Integer, Path> homeOfVersion = new TreeMap<>();
        for (Path home : homes) {
            if (Files.isExecutable(home.resolve("bin/java")) && Files.isReadable(home.resolve("release"))) {
                int version = version(home);
                if (version >= 17 && version <= 25) {
                    homeOfVersion.put(version, home);
                }
            }
        }
        return homeOfVersion.values();
    }

    private static int version(Path home) throws IOException {
        Properties release = new Properties();
        try (var file = Files.newBufferedReader(home.resolve("release"))) {
            release.load(file);
        }
        String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Runtime.Version.parse(version).feature();
    }
}
