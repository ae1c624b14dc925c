package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several processes of the deployed server over one database. */
@Timeout(120)
@Slow
class SeveralInstancesIT {

    private static final List<DeployedServer> ALL = new ArrayList<>();

    private static DeployedServer firstServer;
    private static DeployedServer serverWithSameKeys;

    /** The server with rotated keys: it seals with the new key, and also opens cursors that the old key sealed. */
    private static DeployedServer serverWithRotatedKeys;

    @BeforeAll
    static void start() throws Exception {
        String database = DeployedServer.databaseWithTwentyThings();
        firstServer = start(database, key(1));
        serverWithSameKeys = start(database, key(1));
        serverWithRotatedKeys = start(database, key(2) + ',' + key(1));
        for (DeployedServer server : ALL) {
            server.awaitReady();
        }
    }

    private static DeployedServer start(String database, String keys) throws IOException {
        DeployedServer server = DeployedServer.servingThings(
                database, Map.of("TIDEMARK_CURSOR_KEYS", keys, "TIDEMARK_FEED_BROWSER", "true"));
        ALL.add(server);
        return server;
    }

    @AfterAll
    static void stop() {
        ALL.forEach(DeployedServer::close);
    }

    @Test
    void instancesContinueEachOthersScrollsDuringKeyRotation() throws Exception {
        JsonDocument first = page(firstServer, "");
        JsonDocument second = page(serverWithRotatedKeys, "&cursor=" + first.getString("next_cursor"));
        assertThat(first.getList("items.id")).containsExactly("1", "2", "3", "4");
        assertThat(second.getList("items.id")).containsExactly("5", "6", "7", "8");
        assertThat(send(firstServer, "&cursor=" + second.getString("next_cursor"))
                        .body())
                .as("the instance that does not have the new key yet")
                .contains("invalid_cursor");
    }

    @Test
    void instancesWithTheSameKeysGiveTheSameBytes() throws Exception {
        assertThat(send(firstServer, "").body())
                .isEqualTo(send(serverWithSameKeys, "").body());
        assertThat(page(firstServer, "&cursor=" + page(serverWithSameKeys, "").getString("next_cursor"))
                        .getList("items.id"))
                .containsExactly("5", "6", "7", "8");
    }

    @Test
    void noInstanceServesTheInbox() throws Exception {
        for (String path : List.of("/", "/phone", "/lab", "/client/index.js", "/inbox/traffic", "/inbox/lab/horizon")) {
            HttpResponse<String> answer = firstServer.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).contains("not_found");
        }
        assertThat(firstServer.get("/browse").body()).contains("feed browser").doesNotContain("Inbox");
    }

    private static JsonDocument page(DeployedServer server, String parameters)
            throws IOException, InterruptedException {
        return JsonDocument.of(send(server, parameters).body());
    }

    private static HttpResponse<String> send(DeployedServer server, String parameters)
            throws IOException, InterruptedException {
        return server.get("/api/things?limit=4" + parameters);
    }

    private static String key(int seed) {
        byte[] key = new byte[64];
        IntStream.range(0, 64).forEach(i -> key[i] = (byte) (i * 7 + seed));
        return Base64.getEncoder().encodeToString(key);
    }
}
