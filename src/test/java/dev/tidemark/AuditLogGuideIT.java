package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.http.TestTokens;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide to an audit log, block by block: its statements, its feed, its script, and its commands with their output.
 */
@Slow
class AuditLogGuideIT {

    private static final Path GUIDE = Path.of("src/site/markdown/audit-log.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
    private static final String SERVER = "http://localhost:8080/";

    private final String database = TestPostgres.newDatabase();
    private final KeyPair keys = TestTokens.newKeys();
    private Optional<DeployedServer> server = Optional.empty();

    @TempDir
    Path directory;

    @Test
    @Timeout(120)
    void everyCommandPrintsWhatTheGuideShows() throws Exception {
        assumeTrue(
                GuidesTest.hasTools() || System.getenv(GuidesTest.MUST_RUN_VARIABLE) != null,
                "bash, curl or jq is missing");
        SoftAssertions softly = new SoftAssertions();
        try {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(GUIDE)).results().toList()) {
                String text = block.group(2);
                switch (block.group(1)) {
                    case "sql" -> execute(text);
                    case "yaml" -> server = Optional.of(serve(text));
                    case "bash" -> Files.writeString(directory.resolve("nightly.sh"), onServer(text));
                    case "console" -> softly.assertThat(run(text)).isEqualTo(output(text));
                    default -> throw new AssertionError("a block of the kind " + block.group(1));
                }
            }
            softly.assertAll();
            assertThat(server.orElseThrow().log()).noneMatch(line -> line.contains("no index serves"));
        } finally {
            server.ifPresent(DeployedServer::close);
        }
    }

    /** Executes one statement after the other, because some cannot be part of a transaction. */
    private void execute(String statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
                var statement = connection.createStatement()) {
            for (String sql : statements.split(";\n")) {
                statement.execute(sql);
            }
        }
    }

    private DeployedServer serve(String feeds) throws IOException {
        Path file = Files.writeString(directory.resolve("feeds.yaml"), feeds);
        return new DeployedServer(Map.of(
                        "QUARKUS_CONFIG_LOCATIONS",
                        file.toString(),
                        "QUARKUS_DATASOURCE_REACTIVE_URL",
                        database,
                        "QUARKUS_DATASOURCE_USERNAME",
                        "postgres",
                        "MP_JWT_VERIFY_PUBLICKEY",
                        TestTokens.base64(keys.getPublic().getEncoded()),
                        "MP_JWT_VERIFY_ISSUER",
                        "https://issuer.example.org",
                        "MP_JWT_VERIFY_AUDIENCES",
                        TestTokens.AUDIENCE,
                        "TIDEMARK_CURSOR_KEYS",
                        Sealers.KEY))
                .awaitReady();
    }

    private String run(String session) throws IOException, InterruptedException {
        String script = session.lines()
                .filter(line -> line.startsWith("$ "))
                .map(line -> onServer(line.substring(2)) + '\n')
                .collect(Collectors.joining("", "curl() { command curl -sS \"$@\"; }\n", ""));
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        bash.environment()
                .put("token", TestTokens.claims().claim("tenant", "acme").jws().sign(keys.getPrivate()));
        Process process = bash.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output.replace("\r", "");
    }

    private static String output(String session) {
        return session.lines()
                .filter(line -> !line.startsWith("$ "))
                .map(line -> line + '\n')
                .collect(Collectors.joining());
    }

    private String onServer(String command) {
        return command.replace(
                SERVER, "http://localhost:" + server.orElseThrow().port() + '/');
    }
}
