package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.events.EventClient;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The setting that decides whether clients share the limits of streams, behind a proxy that names the clients. */
@Slow
class SharesIT {

    private static final String FIRST_CLIENT = "198.51.100.1";
    private static final String OTHER_CLIENT = "198.51.100.2";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(120)
    void anotherClientGetsAStreamOnlyIfSharesAreFair(boolean isFair) throws Exception {
        Map<String, String> settings = Map.of(
                "TIDEMARK_FAIR_SHARES", String.valueOf(isFair),
                "TIDEMARK_FRESH_MAX_STREAMS", "2",
                "TIDEMARK_FRESH_HEARTBEAT", "100ms",
                "QUARKUS_HTTP_PROXY_PROXY_ADDRESS_FORWARDING", "true",
                "QUARKUS_HTTP_PROXY_TRUSTED_PROXIES", "127.0.0.1,[::1]");
        try (DeployedServer server = DeployedServer.servingThings(settings).awaitReady()) {
            String target = "/api/things/fresh?cursor="
                    + JsonDocument.of(server.get("/api/things?limit=1").body()).getString("cursors.top");
            try (EventClient first = open(server, target, FIRST_CLIENT);
                    EventClient second = open(server, target, FIRST_CLIENT)) {
                assertThat(first.next()).contains("\"count\":0");
                assertThat(second.next()).contains("\"count\":0");
                try (EventClient third = open(server, target, OTHER_CLIENT)) {
                    assertThat(third.status()).isEqualTo(isFair ? 200 : 503);
                    if (isFair) {
                        assertThat(JsonDocument.of(second.problem()).getString("code"))
                                .isEqualTo("overloaded");
                    } else {
                        first.awaitHeartbeat();
                        second.awaitHeartbeat();
                    }
                }
            }
        }
    }

    private static EventClient open(DeployedServer server, String target, String address) {
        return EventClient.openAsync(server.port(), target, "X-Forwarded-For", address)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
