package dev.tidemark.http.openapi;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Clients that are generated from the OpenAPI document of the running server, and programs that scroll with them. The
 * programs are in a directory of {@code src/test/openapi}.
 */
final class GeneratedClients {

    /**
     * If this environment variable is {@code true}, tests use npm to download the linters, the generator for
     * TypeScript, and the dependencies of its client.
     */
    static final String NPM_VARIABLE = "TIDEMARK_TEST_NPM";

    private static final Path PROGRAMS = Path.of("src/test/openapi");
    private static final Path LIBRARIES = Path.of("target/openapi-clients").toAbsolutePath();
    private static final String CLASS_PATH = LIBRARIES.resolve("lib/*") + ":" + System.getProperty("java.class.path");

    private final Path directory;
    private final String token;

    /** @param token the value of {@code Authorization} that the programs send */
    GeneratedClients(String directoryName, String token) throws IOException {
        this.directory = LIBRARIES.resolve(directoryName);
        this.token = token;
        copy(PROGRAMS, LIBRARIES);
        copy(PROGRAMS, directory);
        copy(PROGRAMS.resolve(directoryName), directory);
        Files.write(
                directory.resolve("openapi.json"),
                given().accept("application/json").when().get("/q/openapi").asByteArray());
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Generates a client in Java, compiles it with the program, runs the program, and returns its output. */
    String scrollInJava() throws Exception {
        run(
                directory,
                "java",
                "-jar",
                generator(),
                "generate",
                "--generator-name=java",
                "--library=native",
                "--additional-properties=useJakartaEe=true,useSingleRequestParameter=true",
                "--global-property=apiTests=false",
                "--input-spec=openapi.json",
                "--output=java");
        Stream<String> options = Stream.of("javac", "-proc:none", "-nowarn", "-d", "java/classes", "-cp", CLASS_PATH);
        run(
                directory,
                Stream.of(options, sources(directory.resolve("java/src/main/java")), Stream.of("Scroll.java"))
                        .flatMap(parts -> parts)
                        .toArray(String[]::new));
        return run(directory, "java", "-cp", directory.resolve("java/classes") + ":" + CLASS_PATH, "Scroll", url());
    }

    /**
     * Generates projects in Java, Kotlin, and TypeScript without options, and builds them with their tests. The
     * document describes a few feeds: all types, odd names, keys of several columns, counts, and no key.
     */
    void buildProjects() throws Exception {
        installLibraries();
        Files.writeString(
                directory.resolve("openapi.json"),
                ApiDescription.ofFeeds(Set.of("specimens", "oddities", "legs", "cards", "letters", "ranking")));
        run(
                directory,
                "java",
                "-jar",
                generator(),
                "batch",
                "--clean",
                "--fail-fast",
                "java.yaml",
                "kotlin.yaml",
                "typescript.yaml");
        String maven = Path.of("mvnw").toAbsolutePath().toString();
        run(directory, maven, "--batch-mode", "--quiet", "--file=java", "package");
        run(directory, maven, "--batch-mode", "--quiet", "test-compile");
        run(directory, "npx", "tsc");
    }

    /**
     * Runs the linters Spectral and Redocly and returns what they print. Both fail if they find an error. If there are
     * only warnings, Spectral fails too, but Redocly prints {@code You have} and their number.
     */
    String lint() throws Exception {
        installLibraries();
        return run(directory, "npm", "run", "lint");
    }

    /** Generates types in TypeScript, compiles the program with them, runs it, and returns its output. */
    String scrollInTypeScript() throws Exception {
        installLibraries();
        run(directory, "npm", "run", "generate");
        return run(directory, "npm", "run", "scroll");
    }

    private void installLibraries() throws Exception {
        if (!Files.exists(LIBRARIES.resolve("node_modules"))) {
            run(LIBRARIES, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        }
    }

    private static String generator() throws IOException {
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            return files.map(Path::toString)
                    .filter(file -> file.contains("openapi-generator-cli"))
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
        return TestServer.url("").toString();
    }

    private String run(Path workingDirectory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("TIDEMARK_URL", url());
        builder.environment().put("TIDEMARK_TOKEN", token);
        builder.environment().put("REDOCLY_TELEMETRY", "off");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
