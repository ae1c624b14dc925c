package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The OpenAPI document in the hands of others: linters find nothing in it, and the clients that are generated from it compile
 * and scroll. Their programs are in {@code src/test/openapi}. Maven fetches the generator for Java only with this environment
 * variable, and npm downloads the rest.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class GeneratedClientsTest {

    private static final String WITH_JAVA = "TIDEMARK_TEST_CLIENTS";
    private static final String WITH_NPM = "TIDEMARK_TEST_NPM";

    private static final Path PROGRAMS = Path.of("src/test/openapi");
    private static final Path DIRECTORY = Path.of("target/openapi-clients").toAbsolutePath();
    private static final String CLASS_PATH = DIRECTORY.resolve("lib/*") + ":" + System.getProperty("java.class.path");

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = WITH_JAVA, matches = "true")
    void theJavaClientScrollsForwardAndBack() throws Exception {
        saveDocument();
        Path client = DIRECTORY.resolve("java");
        String generator = jar("openapi-generator-cli");
        run(
                "java",
                "-jar",
                generator,
                "generate",
                "--generator-name=java",
                "--library=native",
                "--additional-properties=useJakartaEe=true",
                "--input-spec=openapi.json",
                "--output=java");
        List<String> compile = Stream.concat(
                        Stream.of("javac", "-proc:none", "-nowarn", "-d", "java/classes", "-cp", CLASS_PATH),
                        sources(client.resolve("src/main/java")))
                .toList();
        run(Stream.concat(compile.stream(), Stream.of("Scroll.java")).toArray(String[]::new));

        assertThat(run("java", "-cp", client.resolve("classes") + ":" + CLASS_PATH, "Scroll", url()))
                .contains("66 letters forward and 66 back");
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = WITH_NPM, matches = "true")
    void theTypeScriptClientScrollsForwardAndBackAndLintersFindNothing() throws Exception {
        saveDocument();
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");

        run("npm", "run", "lint");
        run("npm", "run", "generate");

        assertThat(run("npm", "run", "scroll")).contains("66 letters forward and 66 back");
    }

    /** Saves the document next to the programs that use it. */
    private static void saveDocument() throws IOException {
        Files.createDirectories(DIRECTORY);
        try (Stream<Path> programs = Files.list(PROGRAMS)) {
            for (Path program : programs.toList()) {
                Files.copy(program, DIRECTORY.resolve(program.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.write(
                DIRECTORY.resolve("openapi.json"),
                TestClient.get("/q/openapi", "Accept", "application/json").body());
    }

    private static String jar(String name) throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(Path::toString)
                    .filter(file -> file.contains(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Stream<String> sources(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(Path::toString).filter(file -> file.endsWith(".java")).toList().stream();
        }
    }

    private static String url() {
        return TestClient.url("").toString();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(DIRECTORY.toFile()).redirectErrorStream(true);
        builder.environment().put("TIDEMARK_URL", url());
        builder.environment().put("REDOCLY_TELEMETRY", "off");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
