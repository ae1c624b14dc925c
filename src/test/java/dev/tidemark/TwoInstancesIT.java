package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.TestPostgres;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes of what is deployed, over one database. */
class TwoInstancesIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<Process> processes = new ArrayList<>();
    private final Map<Integer, Integer> managementPorts = new HashMap<>();

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    @Timeout(60)
    void theyContinueEachOthersScrollsAndARotatedKeyStillOpens() throws Exception {
        String url = TestPostgres.newDatabase();
        makeTable(url);
        String oldKey = key(1);
        int one = start(url, oldKey);
        // Rotated: seals with a new key, and still opens what the old one sealed.
        int other = start(url, key(2) + ',' + oldKey);
        await(one);
        await(other);

        JsonPath first = page(one, "");
        JsonPath second = page(other, "&cursor=" + first.getString("next_cursor"));
        assertThat(first.getList("items.id")).containsExactly("1", "2", "3", "4");
        assertThat(second.getList("items.id")).containsExactly("5", "6", "7", "8");
        assertThat(send(one, "&cursor=" + second.getString("next_cursor")).body())
                .as("who has not got the new key yet")
                .contains("invalid_cursor");
    }

    @Test
    @Timeout(60)
    void withTheSameKeysTheyGiveTheSameBytes() throws Exception {
        String url = TestPostgres.newDatabase();
        makeTable(url);
        int one = start(url, key(3));
        int other = start(url, key(3));
        await(one);
        await(other);

        assertThat(send(one, "").body()).isEqualTo(send(other, "").body());
        assertThat(page(one, "&cursor=" + page(other, "").getString("next_cursor"))
                        .getList("items.id"))
                .containsExactly("5", "6", "7", "8");
    }

    @Test
    @Timeout(60)
    void theyServeNothingOfTheInbox() throws Exception {
        String url = TestPostgres.newDatabase();
        makeTable(url);
        int port = start(url, key(4));
        await(port);

        for (String path : List.of("/", "/phone", "/lab", "/tidemark.js", "/inbox/traffic", "/inbox/lab/horizon")) {
            HttpResponse<String> answer = get(port, path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).contains("not_found");
        }
    }

    private static void makeTable(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres")) {
            connection.createStatement().execute("create table things (id bigint primary key)");
            connection.createStatement().execute("insert into things select generate_series(1, 20)");
        }
    }

    private int start(String url, String keys) throws IOException {
        int port = DeployedServer.freePort();
        int managementPort = DeployedServer.freePort();
        var builder = Deployed.process();
        builder.environment().put("QUARKUS_DATASOURCE_REACTIVE_URL", url);
        builder.environment().put("QUARKUS_DATASOURCE_USERNAME", "postgres");
        builder.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
        builder.environment().put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
        builder.environment().put("TIDEMARK_CURSOR_KEYS", keys);
        builder.environment().put("TIDEMARK_FEEDS_THINGS_TABLE", "things");
        builder.environment().put("TIDEMARK_FEEDS_THINGS_ORDERS_O", "id");
        processes.add(builder.start());
        managementPorts.put(port, managementPort);
        return port;
    }

    /** Until it is ready, as a load balancer would find out. */
    private void await(int port) throws InterruptedException {
        HttpRequest ready = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + managementPorts.get(port) + "/q/health/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        while (true) {
            try {
                if (HTTP.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                Thread.onSpinWait();
            }
        }
    }

    private static JsonPath page(int port, String where) throws IOException, InterruptedException {
        return JsonPath.from(send(port, where).body());
    }

    private static HttpResponse<String> send(int port, String where) throws IOException, InterruptedException {
        return get(port, "/api/things?limit=4" + where);
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String key(int seed) {
        byte[] key = new byte[64];
        IntStream.range(0, 64).forEach(i -> key[i] = (byte) (i * 7 + seed));
        return Base64.getEncoder().encodeToString(key);
    }
}
