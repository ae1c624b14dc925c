package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The warning at startup, before any connection is made. */
class SeveralHostsTest {

    @Test
    void aUrlWithSeveralHostsIsWarnedAbout() {
        assertThat(warnings(2)).singleElement().asString().contains("The database's URL names");
        assertThat(warnings(1)).isEmpty();
    }

    private static List<String> warnings(int hosts) {
        List<String> messages = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                messages.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(FeedPools.class.getName());
        logger.addHandler(handler);
        Vertx vertx = Vertx.vertx();
        FeedPools pools = new FeedPools(config(), new SimpleMeterRegistry());
        try {
            pools.create(input(vertx, hosts));
            return messages;
        } finally {
            pools.close();
            logger.removeHandler(handler);
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static PgPoolCreator.Input input(Vertx vertx, int hosts) {
        return new PgPoolCreator.Input() {
            @Override
            public Vertx vertx() {
                return vertx;
            }

            @Override
            public PoolOptions poolOptions() {
                return new PoolOptions();
            }

            @Override
            public List<PgConnectOptions> pgConnectOptionsList() {
                return Collections.nCopies(hosts, new PgConnectOptions());
            }
        };
    }

    private static PostgresConfig config() {
        return new SmallRyeConfigBuilder()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withMapping(PostgresConfig.class)
                .build()
                .getConfigMapping(PostgresConfig.class);
    }
}
