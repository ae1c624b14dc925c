package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostSelectorTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aHostWhoseFailureHasNoMessageIsUnavailable() {
        HostSelector hosts = selector(failing(new ClosedChannelException()), failing(new ClosedChannelException()));
        assertThatThrownBy(() -> bestHost(hosts)).hasCauseInstanceOf(ClosedChannelException.class);
        assertThat(hosts.all()).extracting(Host::describe).containsOnly("unavailable: ClosedChannelException");
        hosts.close();
    }

    private HostSelector selector(HostAccess... access) {
        return new HostSelector(
                List.of("first:5432", "second:5432"),
                index -> access[index],
                Duration.ofSeconds(10),
                primary -> {},
                new SimpleMeterRegistry(),
                vertx);
    }

    private static Host bestHost(HostSelector hosts) throws Exception {
        return hosts.bestHost().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static HostAccess failing(Throwable failure) {
        return new HostAccess() {
            @Override
            public Future<PgConnection> connectForPolls(Duration idleTimeout) {
                return Future.failedFuture(failure);
            }

            @Override
            public void cut() {}
        };
    }
}
