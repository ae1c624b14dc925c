package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.local.TlsPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The deployed server and a database whose certificate it verifies. */
@Timeout(300)
@Slow
class DatabaseTlsIT {

    private static final String FEEDS = "{letters: {table: letters, orders: {by-id: id}}}";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String DATASOURCE = "QUARKUS_DATASOURCE_";
    private static final String REACTIVE = DATASOURCE + "REACTIVE_";

    @TempDir
    static Path directory;

    private static TlsPostgres database;

    private DeployedServer server;

    @BeforeAll
    static void startDatabase() throws Exception {
        database = TlsPostgres.start(directory);
        try (Connection connection = connectAsOwner();
                var statement = connection.createStatement()) {
            statement.execute("create table letters (id bigint primary key, subject text);"
                    + " insert into letters select i, 'subject ' || i % 7 from generate_series(1, 20) i;"
                    + " grant select on letters to " + TlsPostgres.READER);
        }
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        database.close();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Connection connectAsOwner() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + database.port() + "/postgres", "postgres", "");
    }

    /** Settings with which Tidemark verifies the certificate and the host name of the database. */
    private static Map<String, String> verifyingSettings(String host) {
        Map<String, String> environment = new HashMap<>();
        environment.put(REACTIVE + "URL", "postgresql://" + host + ':' + database.port() + "/postgres");
        environment.put(DATASOURCE + "USERNAME", TlsPostgres.READER);
        environment.put(DATASOURCE + "PASSWORD", TlsPostgres.PASSWORD);
        environment.put(REACTIVE + "POSTGRESQL_SSL_MODE", "verify-full");
        environment.put(REACTIVE + "HOSTNAME_VERIFICATION_ALGORITHM", "HTTPS");
        environment.put(REACTIVE + "TRUST_CERTIFICATE_PEM", "true");
        environment.put(
                REACTIVE + "TRUST_CERTIFICATE_PEM_CERTS",
                database.authorityCertificate().toString());
        environment.put("TIDEMARK_START_TIMEOUT", "30s");
        return environment;
    }

    static Stream<Boolean> pipeliningChoices() {
        return Soak.randomHalf(Stream.of(true, false));
    }

    @ParameterizedTest
    @MethodSource("pipeliningChoices")
    void everyConnectionToAVerifiedServerUsesTls(boolean pipelined) throws Exception {
        Map<String, String> environment = verifyingSettings("localhost");
        environment.put("TIDEMARK_PIPELINED", Boolean.toString(pipelined));
        environment.put("TIDEMARK_FEEDS", """
                letters:
                  table: letters
                  orders: {by-id: id, by-subject: subject}
                  default-order: by-id
                """);
        server = new DeployedServer(environment).awaitReady();

        JsonDocument first = JsonDocument.of(server.get("/api/letters?limit=3").body());
        assertThat(first.getList("items.id")).containsExactly("1", "2", "3");
        for (int i = 0; i < 20; i++) {
            assertThat(server.get("/api/letters?order=by-subject").statusCode()).isEqualTo(200);
            assertThat(server.get("/api/letters?order=by-id&limit=" + (i + 1)).statusCode())
                    .isEqualTo(200);
        }
        HTTP.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/api/letters/fresh?cursor="
                                + first.getString("cursors.top")))
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        awaitListener();
        try (Connection connection = connectAsOwner();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*), bool_and(ssl), count(*) filter (where ssl and"
                        + " application_name = 'tidemark listens') from pg_stat_ssl join pg_stat_activity using (pid)"
                        + " where usename = '" + TlsPostgres.READER + "'")) {
            row.next();
            assertThat(row.getInt(1)).isGreaterThanOrEqualTo(3);
            assertThat(row.getBoolean(2)).as("each of them").isTrue();
            assertThat(row.getInt(3)).as("the one that listens").isEqualTo(1);
        }
    }

    /** The URL that Neon shows has {@code channel_binding=require}. */
    @Test
    void theUrlAloneCanContainAllThatTlsNeeds() throws Exception {
        server = new DeployedServer(Map.of("DATABASE_URL", url("localhost"), "TIDEMARK_FEEDS", FEEDS)).awaitReady();
        assertThat(server.get("/api/letters").statusCode()).isEqualTo(200);
        assertThat(server.log()).noneMatch(line -> line.contains(TlsPostgres.PASSWORD));
    }

    @Test
    void theUrlsHostIsVerifiedToo() throws Exception {
        assertThat(startupError(Map.of("DATABASE_URL", url("127.0.0.1"))))
                .contains("No subject alternative names matching IP address 127.0.0.1 found");
    }

    private static String url(String host) {
        return "postgres://" + TlsPostgres.READER + ':' + TlsPostgres.PASSWORD + '@' + host + ':' + database.port()
                + "/postgres?sslmode=verify-full&channel_binding=require&sslrootcert="
                + database.authorityCertificate();
    }

    @Test
    void aCertificateOfAnotherAuthorityStopsTheStart() throws Exception {
        Map<String, String> environment = verifyingSettings("localhost");
        environment.put(
                REACTIVE + "TRUST_CERTIFICATE_PEM_CERTS",
                database.otherAuthorityCertificate().toString());
        assertThat(startupError(environment))
                .contains(
                        "cannot start because of the database: its certificate is not accepted: unable to find valid certification path");
    }

    @Test
    void aUrlThatRequiresTlsNeedsTheAuthorityAndAnyHost() throws Exception {
        String url = url("127.0.0.1").replaceFirst("verify-full", "require");
        assertThat(startupError(Map.of("DATABASE_URL", url.replaceFirst("&sslrootcert=.*", ""))))
                .contains("its certificate is not accepted: unable to find valid certification path")
                .contains("sslrootcert in its URL, or PGSSLROOTCERT, can name the file of its authority");
        server = new DeployedServer(Map.of("DATABASE_URL", url, "TIDEMARK_FEEDS", FEEDS)).awaitReady();
        assertThat(server.get("/api/letters").statusCode()).isEqualTo(200);
    }

    @Test
    void aCertificateForAnotherHostStopsTheStart() throws Exception {
        assertThat(startupError(verifyingSettings("127.0.0.1")))
                .contains(
                        "cannot start because of the database: its certificate is not accepted: No subject alternative names matching IP address 127.0.0.1 found");
    }

    @Test
    void aServerWithoutTlsStopsTheStart() throws Exception {
        Map<String, String> environment = verifyingSettings("localhost");
        environment.put(REACTIVE + "URL", TestPostgres.newDatabase());
        assertThat(startupError(environment))
                .contains("cannot start because of the database")
                .containsIgnoringCase("ssl");
    }

    @Test
    void aWrongPasswordIsNotLogged() throws Exception {
        Map<String, String> environment = verifyingSettings("localhost");
        environment.put(DATASOURCE + "PASSWORD", "wr0ng-word");
        assertThat(startupError(environment))
                .contains("cannot start because of the database")
                .contains("authentication failed")
                .doesNotContain("wr0ng-word");
    }

    @Test
    void credentialsInAUrlAreNotLogged() throws Exception {
        Map<String, String> environment = verifyingSettings("localhost");
        environment.remove(DATASOURCE + "USERNAME");
        environment.remove(DATASOURCE + "PASSWORD");
        environment.put(
                REACTIVE + "URL",
                "postgresql://" + TlsPostgres.READER + ":wr0ng-word@localhost:" + database.port() + "/postgres");
        assertThat(startupError(environment)).contains("authentication failed").doesNotContain("wr0ng-word");
        environment.put(REACTIVE + "URL", "postgresql://somebody:wr0ng-word@localhost:1/nowhere");
        environment.put("TIDEMARK_START_TIMEOUT", "1s");
        assertThat(startupError(environment)).contains("cannot start").doesNotContain("wr0ng-word");
    }

    /** Starts a server, whose start must fail, and returns its output. */
    private String startupError(Map<String, String> environment) throws IOException, InterruptedException {
        server = new DeployedServer(environment);
        assertThat(server.awaitEnd()).isEqualTo(1);
        return String.join("\n", server.log());
    }

    private static void awaitListener() throws SQLException {
        try (Connection connection = connectAsOwner();
                var statement = connection.createStatement()) {
            Await.until("the server listens", () -> {
                try (var row = statement.executeQuery(
                        "select 1 from pg_stat_activity where application_name = 'tidemark listens'")) {
                    return row.next();
                }
            });
        }
    }
}
