package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The result of {@code ./mvnw package} in {@code target/quarkus-app}, or the executable of a native build. */
@Timeout(120)
class DeployedJarIT {

    @Test
    void thePackageContainsNothingOfTheTryItRun() throws IOException {
        var names = new ArrayList<String>();
        for (var file : DeployedPackage.files()) {
            names.add(DeployedPackage.root().relativize(file).toString());
            if (file.toString().endsWith(".jar")) {
                try (var jar = new JarFile(file.toFile())) {
                    jar.stream().map(ZipEntry::getName).forEach(names::add);
                }
            }
        }

        assertThat(names).anyMatch(name -> name.startsWith("dev/tidemark/feed/"));
        assertThat(names)
                .noneMatch(name -> name.startsWith("dev/tidemark/local") || name.startsWith("dev/tidemark/inbox"))
                .noneMatch(
                        name -> name.contains("zonky") || name.startsWith("org/postgresql/") || name.endsWith(".txz"))
                .noneMatch(name -> name.contains("try-it"))
                .noneMatch(name -> name.endsWith(".js") && !name.startsWith("dev/tidemark/http/browser/pages/"))
                .noneMatch(name -> name.contains("playwright"));
    }

    @Test
    void aMissingDatabaseSettingStopsTheStartAndIsNamed() throws IOException, InterruptedException {
        assertThat(startupError(Map.of()))
                .isEqualTo("Tidemark has no database: set QUARKUS_DATASOURCE_REACTIVE_URL (such as"
                        + " postgresql://db.example.org:5432/shop), or DATABASE_URL, and if the URL has none,"
                        + " QUARKUS_DATASOURCE_USERNAME and QUARKUS_DATASOURCE_PASSWORD.\n");
    }

    @Test
    void aMalformedCursorKeyStopsTheStartAndIsNotLogged() throws IOException, InterruptedException {
        assertThat(startupError(Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL", TestPostgres.newDatabase(),
                        "QUARKUS_DATASOURCE_USERNAME", "postgres",
                        "TIDEMARK_CURSOR_KEYS", "c2hvcnQ=")))
                .startsWith("Tidemark cannot start: tidemark.cursor.keys")
                .hasLineCount(1)
                .doesNotContain("c2hvcnQ");
    }

    @Test
    void inboxSettingsAreUnknown() throws IOException, InterruptedException {
        assertThat(startupError(
                        Map.of(
                                "QUARKUS_DATASOURCE_REACTIVE_URL",
                                TestPostgres.newDatabase(),
                                "QUARKUS_DATASOURCE_USERNAME",
                                "postgres"),
                        "-Dtidemark.inbox.traffic=20"))
                .contains("tidemark.inbox.traffic");
    }

    @Test
    void aFaultyFeedStopsTheStartAndAllItsFaultsAreListed() throws IOException, InterruptedException {
        assertThat(startupError(Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL", TestPostgres.newDatabase(),
                        "QUARKUS_DATASOURCE_USERNAME", "postgres",
                        "TIDEMARK_FEEDS", "things:\n  table: things")))
                .isEqualTo("""
                        Tidemark cannot start: 2 faults in the declared feeds.
                          feed things
                            - orders (TIDEMARK_FEEDS:1): is missing: declare at least one, such as newest: created_at desc
                            - table (TIDEMARK_FEEDS:2): there is no table or view 'things'
                        """);
    }

    @Test
    void anUnreachableDatabaseStopsTheStartAfterAWaitAndIsNamed() throws IOException, InterruptedException {
        assertThat(startupError(Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL", "postgresql://localhost:1/nowhere",
                        "QUARKUS_DATASOURCE_USERNAME", "postgres",
                        "TIDEMARK_START_TIMEOUT", "1s")))
                .startsWith("Tidemark cannot start because of the database: ")
                .contains("localhost")
                .hasLineCount(1);
    }

    /** Starts the server, which must end by itself with status 1, and returns its error output. */
    private static String startupError(Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        var builder = DeployedPackage.quickProcess(options).redirectError(ProcessBuilder.Redirect.PIPE);
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            var complaint = new String(process.getErrorStream().readAllBytes());
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            return complaint;
        } finally {
            process.destroyForcibly();
        }
    }
}
