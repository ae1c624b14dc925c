package dev.tidemark.postgres;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.FeedReader;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL for tests that need no HTTP, with the pool, catalogue and reader that the server uses. */
public final class TestDatabase {

    private static final TestDatabase INSTANCE = new TestDatabase();

    private final Pool pool;
    private final AtomicInteger feeds = new AtomicInteger();
    private final ServingIndexes indexes = new ServingIndexes();
    private final Catalogue catalogue;
    private final FeedReader reader;

    private TestDatabase() {
        EmbeddedPostgres postgres;
        try {
            postgres = EmbeddedPostgres.builder().start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        PgConnectOptions options = new PgConnectOptions()
                .setHost("localhost")
                .setPort(postgres.getPort())
                .setDatabase("postgres")
                .setUser("postgres");
        Vertx vertx = Vertx.vertx();
        pool = new FeedPool(() -> Duration.ofSeconds(30)).create(new PgPoolCreator.Input() {
            @Override
            public Vertx vertx() {
                return vertx;
            }

            @Override
            public PoolOptions poolOptions() {
                return new PoolOptions().setMaxSize(8);
            }

            @Override
            public List<PgConnectOptions> pgConnectOptionsList() {
                return List.of(options);
            }
        });
        catalogue = new PgCatalogue(new io.vertx.mutiny.sqlclient.Pool(pool), indexes);
        reader = new PgFeedReader(pool, indexes);
    }

    public static TestDatabase get() {
        return INSTANCE;
    }

    public FeedReader reader() {
        return reader;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    public Pool pool() {
        return pool;
    }

    /** Runs statements that are separated by semicolons. */
    public void run(String statements) {
        pool.query(statements)
                .execute()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    public List<Row> rows(String query) {
        List<Row> rows = new ArrayList<>();
        pool.query(query)
                .execute()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .forEach(rows::add);
        return rows;
    }

    /** The feed of one declaration, its properties given as name, value, name, value; no two have the same name. */
    public Feed feed(String... properties) {
        String name = "feed" + feeds.incrementAndGet();
        Map<String, String> declared = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            declared.put(name + '.' + properties[i], properties[i + 1]);
        }
        return DeclaredFeeds.resolve(catalogue, declared).find(name).orElseThrow();
    }
}
