package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The npm package as users install it: packed, and in a project with other libraries. The project is a copy of {@code
 * src/test/javascript/libraries}, with the libraries that its tests and the guide use. Needs npm, and downloads the
 * libraries.
 */
final class NpmProject {

    /** Set this variable to {@code true} where npm is installed and may download packages. */
    static final String NPM_VARIABLE = "TIDEMARK_TEST_NPM";

    private static final Path PACKAGE = Path.of("src/client/javascript");
    private static final Path TESTS = Path.of("src/test/javascript/libraries");
    private static final Path PACKED = Path.of("target/npm").toAbsolutePath();
    private static final Path DIRECTORY = PACKED.resolve("libraries");

    private static final int LONGEST_RUN_MINUTES = 8;

    private static boolean installed;

    private NpmProject() {}

    /**
     * Installs the package and compiles the TypeScript programs that use it, unless an earlier call did, and returns
     * the project's directory.
     */
    static synchronized Path install() throws IOException, InterruptedException {
        if (!installed) {
            Files.createDirectories(DIRECTORY);
            run(PACKAGE, "npm", "pack", "--pack-destination", PACKED.toString());
            try (var files = Files.newDirectoryStream(TESTS)) {
                for (var file : files) {
                    Files.copy(file, DIRECTORY.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            run(DIRECTORY, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
            run(DIRECTORY, "npm", "install", "--no-save", "--ignore-scripts", "--no-audit", packageFile());
            run(DIRECTORY, "npm", "run", "compile");
            installed = true;
        }
        return DIRECTORY;
    }

    private static String packageFile() throws IOException {
        try (var files = Files.newDirectoryStream(PACKED, "*.tgz")) {
            return files.iterator().next().toString();
        }
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        run(directory, Map.of(), command);
    }

    /** Runs a command that must succeed, and returns its output. */
    static String run(Path directory, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var process = builder.start();
        // A test with an open stream would keep its process alive for ever.
        CompletableFuture.delayedExecutor(LONGEST_RUN_MINUTES, TimeUnit.MINUTES).execute(() -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
        var output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
