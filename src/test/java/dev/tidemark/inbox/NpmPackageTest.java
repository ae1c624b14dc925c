package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The npm package as others install it: packed, next to the libraries that it has adapters for, and used by
 * {@code src/test/javascript/libraries} against a running server. Needs npm, and downloads the libraries.
 */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
@EnabledIfEnvironmentVariable(named = "TIDEMARK_TEST_NPM", matches = "true")
class NpmPackageTest {

    private static final Path PACKAGE = Path.of("src/client/javascript");
    private static final Path TESTS = Path.of("src/test/javascript/libraries");
    private static final Path PACKED = Path.of("target/npm").toAbsolutePath();
    private static final Path INSTALLED = PACKED.resolve("libraries");

    @TestHTTPResource("/")
    URI server;

    @Test
    @Timeout(300)
    void theInstalledPackageWorksWithItsLibraries() throws IOException, InterruptedException {
        Files.createDirectories(INSTALLED);
        run(PACKAGE, "npm", "pack", "--pack-destination", PACKED.toString());
        try (var files = Files.newDirectoryStream(TESTS)) {
            for (var file : files) {
                Files.copy(file, INSTALLED.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        run(INSTALLED, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        run(INSTALLED, "npm", "install", "--no-save", "--ignore-scripts", "--no-audit", packed());

        var report = run(INSTALLED, "npm", "test");

        assertThat(report).containsPattern("pass [1-9]").containsPattern("fail 0");
    }

    private static String packed() throws IOException {
        try (var files = Files.newDirectoryStream(PACKED, "*.tgz")) {
            return files.iterator().next().toString();
        }
    }

    private String run(Path directory, String... command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("TIDEMARK_URL", server.toString());
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
