package dev.tidemark.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.TestPostgres;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aConnectionThatTheServerEndsPrintsNothing() {
        PgConnectOptions options =
                PgConnectOptions.fromUri(TestPostgres.newDatabase()).setUser("postgres");
        PgConnection connection = PgConnection.connect(vertx, options)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        new OpenConnections().add(connection);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        connection.closeHandler(closed::complete);

        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true));
        try {
            PgConnection.connect(vertx, options)
                    .compose(other -> other.query("SELECT pg_terminate_backend(" + connection.processId() + ")")
                            .execute())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            closed.join();
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString()).doesNotContain("terminating connection");
    }
}
