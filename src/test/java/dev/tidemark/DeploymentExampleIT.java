package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.client.TidemarkClient;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.universal.UniversalClient;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The deployed server, started as {@code compose.yaml} and the Kubernetes manifests start it, with the table and the
 * role of the example's script. The build of the JVM image also runs the test of the Compose example, to record which
 * classes are needed.
 * This class does not use the {@link ClassDataArchive}, so it can run while another class creates the archive.
 */
@Order(2)
@Timeout(300)
class DeploymentExampleIT {

    private static final String PASSWORD = "of the role";
    private static final String KEY = "QUFB".repeat(21) + "QQ==";
    /** The server's warnings in any log format, but not warnings that the JVM prints about libraries. */
    private static final String WARNING = "WARN\\b";

    private static final int VISIBLE_ORDERS = 10_000 - 10_000 / 17;

    @TempDir
    static Path directory;

    private static String database;
    private DeployedServer server;

    @BeforeAll
    static void prepareTheDatabase() throws SQLException, IOException {
        database = TestPostgres.newDatabase();
        try (Connection connection = connection("postgres")) {
            connection.createStatement().execute(Files.readString(DeploymentFiles.EXAMPLE.resolve("1-orders.sql")));
            connection.createStatement().execute("alter role tidemark password '" + PASSWORD + "'");
        }
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void theComposeExampleServesAllItemsWithoutWarnings() throws Exception {
        Path secrets = Files.writeString(
                directory.resolve("tidemark.properties"),
                "quarkus.datasource.password=" + PASSWORD + "\ntidemark.cursor.keys=" + KEY + "\n");
        start(DeploymentFiles.composeEnvironment(DeploymentFiles.EXAMPLE.resolve("feeds.yaml"), secrets));

        assertThat(TidemarkClient.of(URI.create("http://localhost:" + server.port()))
                        .feed("orders", item -> JsonDocument.of(item).getString("id"))
                        .limit(100)
                        .items())
                .hasSize(VISIBLE_ORDERS)
                .doesNotHaveDuplicates();
        assertThat(page("?order=largest&customer=chen&placed_at.gte=2026-01-02T00:00:00Z")
                        .getList("items.customer"))
                .hasSize(30)
                .containsOnly("chen");
        assertThat(UniversalClient.rows(
                        List.of(new UniversalClient("http://localhost:" + server.port() + "/v3/orders?", 7).first())))
                .hasSize(7);
        String top = page("?limit=1").getString("cursors.top");
        assertThat(server.get("/api/orders/fresh?cursor=" + top).body()).contains("\"count\":0");
        assertThat(server.get("/api/orders?limit=none").statusCode()).isEqualTo(400);
        // The feed browser is off.
        for (String path : List.of("/browse", "/browse/browse.js", "/browse/plan/orders")) {
            assertThat(server.get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(String.join("\n", server.log()))
                .contains("Feeds resolved: orders")
                .doesNotContainPattern(WARNING);

        server.askToStop();
        server.awaitEnd();
    }

    @Test
    void theKubernetesManifestsServeTheSameFeeds() throws Exception {
        Path feeds = Files.writeString(directory.resolve("feeds.yaml"), DeploymentFiles.configMapFeeds());
        start(DeploymentFiles.kubernetesEnvironment(feeds, PASSWORD, KEY));

        assertThat(page("").getList("items.id")).hasSize(30);
        assertThat(String.join("\n", server.log()))
                .contains("Feeds resolved: orders")
                .doesNotContainPattern(WARNING);
    }

    /** Somebody who takes over Tidemark's database connection cannot change anything. */
    @Test
    void theRoleCanOnlyRead() throws SQLException {
        try (Connection connection = connection("tidemark")) {
            for (String change : List.of(
                    "insert into orders (customer, total) values ('mallory', 1)",
                    "update orders set total = 0",
                    "delete from orders",
                    "truncate orders",
                    "create table public.mine (id int)",
                    "drop trigger tidemark_notify on orders",
                    "alter table orders add column mine int")) {
                assertThatThrownBy(() -> connection.createStatement().execute(change))
                        .as(change)
                        .hasMessageMatching("(?s).*(permission denied|must be owner).*");
            }
        }
    }

    private void start(Map<String, String> environment) throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("QUARKUS_DATASOURCE_REACTIVE_URL", database);
        server = DeployedServer.withoutClassDataArchive(settings).awaitReady();
    }

    private JsonDocument page(String query) throws IOException, InterruptedException {
        HttpResponse<String> answer = server.get("/api/orders" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonDocument.of(answer.body());
    }

    private static Connection connection(String user) throws SQLException {
        return DriverManager.getConnection("jdbc:" + database, user, PASSWORD);
    }
}
