package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.local.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The deployed jar writes its whole standard output, from start to end, as JSON lines. This class does not use the
 * {@link ClassDataArchive}, so it can run while another class creates the archive.
 */
@Order(3)
@Slow
class JsonLogsIT {

    /** The database of the test accepts any password. */
    private static final String PASSWORD = "not-to-be-logged";

    @Test
    @Timeout(60)
    void eachLineIsOneJsonObjectWithTimeLevelAndMessage() throws Exception {
        var lines = outputOfARunWith(Map.of());

        for (var line : lines) {
            JsonNode entry = new ObjectMapper().readTree(line);
            assertThat(OffsetDateTime.parse(entry.required("timestamp").textValue()))
                    .isNotNull();
            assertThat(entry.required("level").textValue()).isIn("INFO", "WARN");
            assertThat(entry.required("message").textValue()).isNotBlank();
        }
        assertThat(lines)
                .as("a message of several lines is one line of the log")
                .anyMatch(line -> line.contains("no index serves these lists") && line.contains("\\n"));
        assertThat(lines).anyMatch(line -> line.contains("Feeds resolved: things"));
        assertThat(lines)
                .filteredOn(line -> line.contains(" serves 1 feed"))
                .singleElement()
                .extracting(JsonLogsIT::message)
                .asString()
                .contains(
                        ", with the profile prod\n",
                        "  Feeds     things: open to everybody; from TIDEMARK_FEEDS\n",
                        ", role postgres\n")
                .containsPattern("  API       curl 'http://localhost:[1-9]\\d*/api/things\\?limit=3'\n")
                .containsPattern("  Health    http://localhost:[1-9]\\d*/q/health/ready");
        assertThat(lines).noneMatch(line -> line.contains(PASSWORD));
    }

    @Test
    @Timeout(60)
    void plainTextLogsCanBeConfigured() throws Exception {
        assertThat(outputOfARunWith(Map.of("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "false")))
                .noneMatch(line -> line.startsWith("{"))
                .anyMatch(line -> line.endsWith("INFO  [de.ti.de.FeedRegistry] Feeds resolved: things"));
    }

    private static String message(String line) {
        try {
            return new ObjectMapper().readTree(line).required("message").textValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String databaseWithoutAnIndexOnSize() throws SQLException {
        String url = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres")) {
            connection.createStatement().execute("create table things (id bigint primary key, size int not null)");
        }
        return url;
    }

    /**
     * Starts the server, stops it once it listens, and returns all lines of its output. It is stopped through its
     * {@link ProcessHandle}, because {@link Process#destroy} would also close the stream of its output.
     */
    private static List<String> outputOfARunWith(Map<String, String> environment) throws IOException, SQLException {
        var builder = DeployedPackage.process().redirectOutput(ProcessBuilder.Redirect.PIPE);
        builder.environment().put("QUARKUS_DATASOURCE_REACTIVE_URL", databaseWithoutAnIndexOnSize());
        builder.environment().put("QUARKUS_DATASOURCE_USERNAME", "postgres");
        builder.environment().put("QUARKUS_DATASOURCE_PASSWORD", PASSWORD);
        builder.environment().put("TIDEMARK_FEEDS", "{things: {table: things, orders: {largest: size desc}}}");
        builder.environment().putAll(environment);
        var process = builder.start();
        try (BufferedReader output = process.inputReader()) {
            var lines = new ArrayList<String>();
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.contains(" serves 1 feed")) {
                    process.toHandle().destroy();
                }
            }
            assertThat(lines).last().asString().contains("stopped in");
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }
}
