package dev.tidemark.postgres.startup;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.BesideQuarkusTests;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@BesideQuarkusTests
class DatabaseStartupTest {

    @Test
    void aSilentAddressIsReportedAsATimeout() throws IOException {
        Vertx vertx = Vertx.vertx();
        try (ServerSocket silent = new ServerSocket(0)) {
            Pool pool = new Pool(PgBuilder.pool()
                    .connectingTo(new PgConnectOptions()
                            .setHost("localhost")
                            .setPort(silent.getLocalPort())
                            .setUser("nobody"))
                    .using(vertx)
                    .build());
            assertThatThrownBy(() -> DatabaseStartup.await(
                                    pool, Future::succeededFuture, Future::succeededFuture, Duration.ofMillis(100))
                            .await()
                            .atMost(Duration.ofSeconds(30)))
                    .hasMessageEndingWith("the address has not answered within 1 s");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
