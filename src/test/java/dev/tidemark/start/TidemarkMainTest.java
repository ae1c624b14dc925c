package dev.tidemark.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.command.Arguments;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is checked before the framework starts, and how a command that failed is reported. */
class TidemarkMainTest {

    private static final String[] SERVER = {};

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private PrintStream stream() {
        return new PrintStream(err, true, StandardCharsets.UTF_8);
    }

    private Optional<String> check(String[] arguments, String locations, String... variables) {
        return TidemarkMain.check(arguments, locations, Set.of(variables), directory, stream());
    }

    private String printed() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            porpose                          | There is no command porpose.
            propose --tables --schema=rental | --tables needs a name
            propose --role                   | --role needs the name of a role
            propose --role public            | --role needs the name of a role
            propose --role=                  | --role needs the name of a role
            check --sql --json               | check takes --json or --sql, but not both.
            check --verify-keys=soon         | --verify-keys needs a time of up to 24h, such as 30s or 10m, but got soon.
            check --verify-keys=             | --verify-keys needs a time
            """)
    void argumentsThatAreNotUnderstoodAreRejectedWithTheUsage(String arguments, String reason) {
        assertThat(check(arguments.split(" "), "")).isEmpty();
        assertThat(printed()).startsWith(reason).endsWith("\n\n" + Arguments.USAGE);
    }

    @Test
    void faultyFilesAndVariablesPreventTheStart() throws IOException {
        Path feeds = Files.writeString(directory.resolve("broken.yaml"), "tidemark:\n  feeds: {\n");
        assertThat(check(SERVER, feeds + ",file:///nowhere/feeds.yaml", "TIDEMARK_STATEMENT_TIMOUT"))
                .isEmpty();
        assertThat(printed())
                .contains("Tidemark cannot start: " + feeds + ":3:1: is not valid YAML: ")
                .contains("Tidemark cannot start: there is no file file:///nowhere/feeds.yaml, which")
                .contains(
                        "there is no setting TIDEMARK_STATEMENT_TIMOUT; the nearest name is TIDEMARK_STATEMENT_TIMEOUT");
    }

    @Test
    void aMalformedFileInTheWorkingDirectoryPreventsTheStart() throws IOException {
        Path file = Files.createDirectory(directory.resolve("config")).resolve("application.yaml");
        Files.writeString(file, "tidemark:\n  feeds: [a\n");
        assertThat(check(SERVER, "")).isEmpty();
        assertThat(printed()).startsWith("Tidemark cannot start: " + file + ":3:1: is not valid YAML: ");
    }

    @Test
    void filesWithoutFaultsAreRead() throws IOException {
        String feeds = Files.writeString(directory.resolve("feeds.yaml"), "tidemark:\n  feeds: {}\n")
                .toString();
        assertThat(check(SERVER, feeds, "TIDEMARK_START_TIMEOUT")).contains(feeds);
        assertThat(check(new String[] {"check", "--strict"}, feeds)).contains(feeds);
        assertThat(printed()).isEmpty();
    }

    /** For example, {@code propose > feeds.yaml} empties the configured file before the command reads it. */
    @Test
    void aProposalIgnoresFaultyFiles() throws IOException {
        Path broken = Files.writeString(directory.resolve("half.yaml"), "tidemark:\n  feeds: {\n");
        Path empty = Files.writeString(directory.resolve("empty.yaml"), "");
        Path feeds = Files.writeString(
                directory.resolve("feeds.yaml"), "tidemark:\n  feeds:\n    film: {table: '${NO_SUCH}', no: such}\n");
        Path settings = Files.writeString(directory.resolve("settings.yaml"), "tidemark: {start-timeout: 1s}\n");
        assertThat(check(
                        new String[] {"propose"},
                        "missing.yaml," + broken + "," + empty + "," + feeds + "," + settings))
                .contains(empty + "," + feeds + "," + settings);
        assertThat(printed())
                .contains("Ignored: there is no file missing.yaml", "Ignored: " + broken + ":3:1: is not valid YAML: ");
    }

    @Test
    void aCommandThatCannotRunIsReportedWithoutAStackTrace() {
        Throwable failure = new RuntimeException("Failed to start", new ConfigurationException("There is no table a."));
        assertThat(TidemarkMain.commandStatus(failure, stream())).isEqualTo(2);
        assertThat(printed().lines()).containsExactly("There is no table a.");
    }

    /** A native executable has none of the files by which sources and converters of settings would be discovered. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            s.yaml       | tidemark: {start-timeout: soon}        | tidemark.start-timeout (s.yaml:1) is "soon", but must be a duration, such as 500ms, 5s, or 1h
            s.yaml       | tidemark: {free-connections: many}     | tidemark.free-connections (s.yaml:1) is "many", but must be a whole number
            s.yaml       | '"%prod": {tidemark: {pipelined: si}}' | tidemark.pipelined is "si", but must be true or false
            s.yaml       | tidemark: {free-conections: 3}         | there is no setting tidemark.free-conections (s.yaml:1); the nearest name is free-connections
            s.properties | tidemark.connect-timeout=soon          | tidemark.connect-timeout is "soon", but must be a duration, such as 500ms, 5s, or 1h
            """)
    void aRejectedSettingIsDescribedWithoutAnythingThatIsDiscovered(String name, String content, String description)
            throws IOException {
        Path file = Files.writeString(directory.resolve(name), content);
        Throwable failure = new IllegalArgumentException("SRCFG00039: The config property does not convert");
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        System.setProperty("quarkus.config.locations", file.toString());
        try {
            thread.setContextClassLoader(new WithoutServices(loader));
            assertThat(TidemarkMain.commandStatus(new IllegalStateException(failure), stream()))
                    .isEqualTo(2);
        } finally {
            thread.setContextClassLoader(loader);
            System.clearProperty("quarkus.config.locations");
        }
        assertThat(printed()).startsWith("Tidemark cannot start: " + description + System.lineSeparator());
    }

    private static final class WithoutServices extends ClassLoader {

        WithoutServices(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/") ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }
}
