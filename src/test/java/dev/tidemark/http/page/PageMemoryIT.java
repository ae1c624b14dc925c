package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.http.JsonDocument;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of rows that together have more bytes than the heap. */
@Timeout(180)
@Slow
class PageMemoryIT {

    @Test
    void aPageAroundAnItemKeepsOnlyTheRequestedColumns() throws Exception {
        String database = DeployedServer.databaseWithTwentyThings();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("alter table things add body text");
            connection.createStatement().execute("update things set body = repeat('x', 8000000)");
        }
        try (DeployedServer server =
                DeployedServer.servingThings(database, "-Xmx80m").awaitReady()) {
            HttpResponse<String> page = server.get("/api/things?around=10&fields=id&limit=20");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(JsonDocument.of(page.body()).getList("items")).hasSize(20);
        }
    }
}
