package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that may open fewer files than clients open connections. */
@Timeout(120)
@Slow
class OpenFilesIT {

    private static final int LIMIT = 400;

    @Test
    void aServerAtItsLimitOfOpenFilesSaysSoInOneLine() throws Exception {
        ProcessBuilder process = DeployedPackage.quickProcess();
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "tidemark"));
        command.addAll(process.command());
        List<RawConnection> connections = new ArrayList<>();
        try (DeployedServer server = DeployedServer.servingThings(
                        process.command(command), DeployedServer.databaseWithTwentyThings(), Map.of())
                .awaitReady()) {
            assertThat(linesWith(server, "\"This process may open only 400 files"))
                    .hasSize(1);
            assertThat(server.get("/api/things").statusCode()).isEqualTo(200);
            for (int i = 0; i < LIMIT; i++) {
                connections.add(new RawConnection(server.port()));
            }
            // The listening socket tries again every second.
            Thread.sleep(3_500);
            for (RawConnection connection : connections) {
                connection.close();
            }
            Await.until("it serves pages again", () -> server.get("/api/things").statusCode() == 200);
            assertThat(linesWith(server, "Too many open files"))
                    .singleElement()
                    .asString()
                    .doesNotContain("stackTrace");
        }
    }

    private static List<String> linesWith(DeployedServer server, String text) throws IOException {
        return server.log().stream().filter(line -> line.contains(text)).toList();
    }
}
