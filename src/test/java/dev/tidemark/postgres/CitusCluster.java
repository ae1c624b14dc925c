package dev.tidemark.postgres;

import dev.tidemark.local.DedicatedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Citus cluster of a coordinator and two workers. The settings of the workers differ from those of Tidemark's
 * sessions.
 */
final class CitusCluster implements AutoCloseable {

    /**
     * Tests with Citus need the extension citus in the PostgreSQL installation that {@code pg_config} reports. Without
     * the extension, they are skipped and a message is printed; if {@value #MUST_RUN_VARIABLE} is set, they fail.
     */
    static final class InstalledCondition implements ExecutionCondition {

        private static final String MUST_RUN_VARIABLE = "TIDEMARK_TEST_CITUS";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (isInstalled() || System.getenv(MUST_RUN_VARIABLE) != null) {
                return ConditionEvaluationResult.enabled("Citus is installed or required");
            }
            if (context.getTestMethod().isEmpty()) {
                System.out.println("NOT TESTED WITH CITUS: " + context.getDisplayName()
                        + " found no PostgreSQL with the extension citus");
            }
            return ConditionEvaluationResult.disabled("Citus is not installed");
        }
    }

    final DedicatedPostgres coordinator;
    final List<DedicatedPostgres> workers;

    CitusCluster(Path directory) throws Exception {
        coordinator = server(directory.resolve("coordinator"));
        workers = List.of(
                server(directory.resolve("first"), "timezone", "Asia/Kolkata"),
                server(directory.resolve("second"), "timezone", "America/St_Johns", "datestyle", "SQL, DMY"));
        for (DedicatedPostgres node : nodes()) {
            node.start();
            node.run("create extension citus");
        }
        coordinator.run("select citus_set_coordinator_host('localhost', " + coordinator.port() + ")");
        for (DedicatedPostgres worker : workers) {
            coordinator.run("select citus_add_node('localhost', " + worker.port() + ")");
        }
    }

    private static DedicatedPostgres server(Path directory, String... settings) throws Exception {
        String[] common = {
            "shared_preload_libraries", "citus", "citus.node_conninfo", "sslmode=disable", "max_connections", "200"
        };
        return DedicatedPostgres.installed(
                binaries(),
                directory,
                Stream.of(common, settings).flatMap(Stream::of).toArray(String[]::new));
    }

    /**
     * Runs statements in one session of the coordinator, each in its own transaction. Each statement ends with a
     * semicolon and a line break.
     */
    void run(String statements) throws SQLException {
        try (Connection connection = coordinator.connect();
                var statement = connection.createStatement()) {
            for (String one : statements.split(";\\s*\n")) {
                statement.execute(one);
            }
        }
    }

    List<DedicatedPostgres> nodes() {
        return Stream.concat(Stream.of(coordinator), workers.stream()).toList();
    }

    static String url(DedicatedPostgres node) {
        return "postgresql://postgres@localhost:" + node.port() + "/postgres";
    }

    private static boolean isInstalled() {
        return config("--sharedir")
                .filter(share -> Files.exists(share.resolve("extension/citus.control")))
                .isPresent();
    }

    private static Path binaries() {
        return config("--bindir").orElseThrow(() -> new IllegalStateException("there is no pg_config"));
    }

    /** The path that {@code pg_config} prints for an option; empty if the program does not exist. */
    private static Optional<Path> config(String option) {
        try {
            Process config = new ProcessBuilder("pg_config", option).start();
            String path = new String(config.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (DedicatedPostgres node : nodes()) {
            node.close();
        }
    }
}
