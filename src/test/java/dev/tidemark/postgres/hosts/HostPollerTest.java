package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.postgres.connection.HostAccess;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgConnection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostPollerTest {

    private final Vertx vertx = Vertx.vertx();
    private final ContextInternal context = (ContextInternal) vertx.getOrCreateContext();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aConnectionThatOpensAfterTheCloseIsClosedWithoutAFailure() throws Exception {
        Promise<PgConnection> opening = context.promise();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        PgConnection connection = connection(closed);
        Host host = new Host("db:5432", 0);
        context.exceptionHandler(failure::complete);
        context.runOnContext(here -> {
            HostPoller poller = new HostPoller(host, access(opening.future()), () -> {});
            poller.pollOrConnect();
            poller.close();
            opening.complete(connection);
        });

        closed.get(5, TimeUnit.SECONDS);
        context.runOnContext(later -> failure.complete(null));
        assertThat(failure.get(5, TimeUnit.SECONDS)).isNull();
        assertThat(host.state()).isInstanceOf(HostState.Unpolled.class);
    }

    private static HostAccess access(Future<PgConnection> opening) {
        return new HostAccess() {
            @Override
            public Future<PgConnection> connectForPolls(Duration idleTimeout) {
                return opening;
            }

            @Override
            public void cut() {}
        };
    }

    /** A connection on which only {@code close} can be called. */
    private static PgConnection connection(CompletableFuture<Void> closed) {
        return (PgConnection) Proxy.newProxyInstance(
                PgConnection.class.getClassLoader(), new Class<?>[] {PgConnection.class}, (proxy, method, values) -> {
                    if (!method.getName().equals("close")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    closed.complete(null);
                    return Future.succeededFuture();
                });
    }
}
