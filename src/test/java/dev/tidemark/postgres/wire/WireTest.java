package dev.tidemark.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.local.TestPostgres;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WireTest {

    private final Vertx vertx = Vertx.vertx();
    private final PgConnection connection = PgConnection.connect(
                    vertx, PgConnectOptions.fromUri(TestPostgres.newDatabase()).setUser("postgres"))
            .toCompletionStage()
            .toCompletableFuture()
            .join();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aConnectionCanBeCutTwice() {
        NettyWire wire = NettyWire.of(connection);
        wire.cut();
        wire.channel().closeFuture().syncUninterruptibly();
        Await.until("its pipeline is empty", () -> wire.channel().pipeline().firstContext() == null);
        wire.cut();
        assertThat(wire.channel().isOpen()).isFalse();
    }

    @Test
    void wiresOfOneConnectionAreEqual() {
        assertThat(Wire.of(connection)).isEqualTo(Wire.of(connection));
    }
}
