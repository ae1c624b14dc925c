package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.TestPostgres;
import dev.tidemark.settings.ConfigFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the deployed package, as they are run in a terminal or a pipeline. Each test starts a process, so
 * most of what the commands do is tested without one, in CommandsTest and TidemarkMainTest.
 */
@Timeout(120)
class CommandsIT {

    @TempDir
    static Path directory;

    private static String database;

    @BeforeAll
    static void makeDatabase() throws SQLException {
        database = TestPostgres.newDatabase();
        try (Connection connection = DriverManager.getConnection("jdbc:" + database, "postgres", "")) {
            connection.createStatement().execute("create table \"Größe\" (id int primary key)");
            connection.createStatement().execute("""
                    create schema yaml;
                    create table yaml.words (id int primary key, no int not null, "on" date, off boolean, "010" text)""");
        }
    }

    private record Result(int status, String out, String err) {}

    private static Result run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = DeployedPackage.quickProcess();
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Map<String, String> settings() {
        return new HashMap<>(
                Map.of("QUARKUS_DATASOURCE_REACTIVE_URL", database, "QUARKUS_DATASOURCE_USERNAME", "postgres"));
    }

    @Test
    void feedsCanHaveNamesThatYamlReadsAsOtherValues() throws Exception {
        Path feeds = Files.writeString(directory.resolve("words.yaml"), """
                tidemark: {feeds: {no: {table: yaml.words, columns: [id, no, on, off, 010],
                  orders: {off: no, 1e3: off desc}, default-order: 1e3, filters: {no: equals, off: equals, on: range}}}}
                """);
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", feeds.toString());
        Result check = run(settings, "check", "--json");
        assertThat(check.status()).as(check.out()).isZero();
        assertThat(check.out()).contains("order 1e3", "order off", "filter on no");
    }

    @Test
    void aProposalIsWrittenInEveryEnvironment() throws Exception {
        // These ports are in use, as on a machine on which a server runs.
        try (ServerSocket web = new ServerSocket(0);
                ServerSocket management = new ServerSocket(0)) {
            Map<String, String> settings = settings();
            settings.put("QUARKUS_HTTP_PORT", Integer.toString(web.getLocalPort()));
            settings.put("QUARKUS_MANAGEMENT_PORT", Integer.toString(management.getLocalPort()));
            // Many containers have this locale.
            settings.put("LC_ALL", "C");
            // The shell has emptied the file to which the proposal is written.
            Path feeds = Files.createFile(directory.resolve("feeds.yaml"));
            Path half = Files.writeString(directory.resolve("half.yaml"), "tidemark:\n  feeds: {\n");
            settings.put("QUARKUS_CONFIG_LOCATIONS", feeds + "," + half);
            Result proposed = run(settings, "propose");
            assertThat(proposed.err())
                    .isEqualTo("Ignored: " + ConfigFiles.faults(half.toString()).get(0) + "\n");
            assertThat(proposed.status()).isZero();
            assertThat(proposed.out()).contains("Größe");
        }
    }

    @Test
    void aWrongValueIsReportedWithItsLocationAndTheExpectedType() throws Exception {
        Path feeds = Files.writeString(directory.resolve("values.yaml"), """
                tidemark:
                  statement-timeout: soon
                  feeds:
                    films:
                      table: rentals.film
                      orders: {newest: film_id desc}
                """);
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", feeds.toString());
        settings.put("TIDEMARK_FREE_CONNECTIONS", "few");
        settings.put("TIDEMARK_MAX_PAGE_BYTES", "16MB");
        Result checked = run(settings, "check");
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out()).isEmpty();
        // The records that libraries log before the log is configured are printed when the process ends.
        assertThat(checked.err().lines().filter(line -> line.startsWith("Tidemark")))
                .containsExactlyInAnyOrder(
                        "Tidemark cannot start: tidemark.statement-timeout (values.yaml:2) is \"soon\", but must be a duration, such as 500ms, 5s, or 1h",
                        "Tidemark cannot start: TIDEMARK_MAX_PAGE_BYTES is \"16MB\", but must be a number of bytes, such as 64K or 16M",
                        "Tidemark cannot start: TIDEMARK_FREE_CONNECTIONS is \"few\", but must be a whole number");
        assertThat(checked.err()).doesNotContain("SRCFG", "\tat ");
    }

    /** The framework accepts these values. */
    @Test
    void aValueOutOfBoundsStopsTheStartOfTheServer() throws Exception {
        Map<String, String> bounds = settings();
        bounds.put("TIDEMARK_STATEMENT_TIMEOUT", "5ms");
        bounds.put("TIDEMARK_REQUIRE_INDEXES", "ture");
        Result started = run(bounds);
        assertThat(started.status()).isEqualTo(1);
        assertThat(started.err().lines())
                .containsExactlyInAnyOrder(
                        "Tidemark cannot start: TIDEMARK_STATEMENT_TIMEOUT is \"5ms\", but must be from 10ms to 1h",
                        "Tidemark cannot start: TIDEMARK_REQUIRE_INDEXES is \"ture\", but must be true or false");
    }

    @Test
    void helpIsPrinted() throws Exception {
        Result help = run(Map.of(), "--help");
        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage:");
    }

    @Test
    void aMalformedFileInTheWorkingDirectoryIsReportedWithItsLine() throws Exception {
        Path config = Files.createDirectories(directory.resolve("malformed/config"));
        Files.writeString(config.resolve("application.yaml"), "tidemark:\n  feeds: [a\n");
        Path out = config.resolve("out");
        Process process = DeployedPackage.process()
                .directory(config.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(Files.readString(out))
                .startsWith("Tidemark cannot start: config/application.yaml:3:1: is not valid YAML: ");
    }

    /**
     * The framework reads this malformed file, because SMALLRYE_CONFIG_LOCATIONS lists it; Tidemark does not check it.
     */
    @Test
    void aFailureBeforeTheLogIsConfiguredIsPrinted() throws Exception {
        Path broken = Files.writeString(directory.resolve("unknown.yaml"), "tidemark:\n  feeds: [a\n");
        Result result = run(Map.of("SMALLRYE_CONFIG_LOCATIONS", broken.toString()), "check");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("expected ',' or ']'");
    }
}
