package dev.tidemark.postgres;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.Catalogue.FeedOverTable;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RejectedStatements;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.catalogue.PgCatalogue;
import dev.tidemark.postgres.connection.PostgresConfig;
import dev.tidemark.postgres.sql.Sql;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A database for tests that need no HTTP, with the pools, the catalogue and the reader that Tidemark uses. */
public final class TestDatabase {

    private static final PostgresConfig CONFIG = new SmallRyeConfigBuilder()
            .withConverter(Duration.class, 200, new DurationConverter())
            .withDefaultValue("tidemark.statement-timeout", "30s")
            .withMapping(PostgresConfig.class)
            .build()
            .getConfigMapping(PostgresConfig.class);

    /** Short, so that plans are discarded in most tests. */
    private static final Duration MAX_PLAN_AGE = Duration.ofMillis(50);

    private static final TestDatabase INSTANCE = empty();

    private final PgConnectOptions owner;
    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Database database = new Database(CONFIG, metrics, new RejectedStatements(), MAX_PLAN_AGE);
    private final Pool pool;
    private final Pool indexedPool;
    private final Pool writePool;
    private final AtomicInteger feeds = new AtomicInteger();
    private final Catalogue catalogue;
    private final FeedReader reader;
    private final PgFeedCounter counter;

    private TestDatabase(PgConnectOptions owner, String role) {
        this.owner = owner;
        PgConnectOptions options = new PgConnectOptions(owner).setUser(role);
        pool = database.create(new PgPoolCreator.Input() {
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
        indexedPool = database.indexedPool();
        writePool = PgBuilder.pool().connectingTo(owner).using(vertx).build();
        catalogue = new PgCatalogue(new io.vertx.mutiny.sqlclient.Pool(pool), database);
        reader = new AlternatingFeedReader(new PgFeedReader(database), vertx.getOrCreateContext());
        counter = new PgFeedCounter(database);
    }

    public static TestDatabase get() {
        return INSTANCE;
    }

    /** An empty database other than the shared one, read as its owner. The caller closes it. */
    public static TestDatabase empty() {
        return asOwner(TestPostgres.newDatabase());
    }

    /** Like {@link #empty()}, with the locale that the given options of CREATE DATABASE state. */
    public static TestDatabase empty(String locale) {
        return asOwner(TestPostgres.newDatabase(locale));
    }

    private static TestDatabase asOwner(String url) {
        PgConnectOptions owner =
                PgConnectOptions.fromUri(url).setUser("postgres").addProperty("TimeZone", "UTC");
        return new TestDatabase(owner, owner.getUser());
    }

    /** The shared database, read as another role. The caller closes it. */
    public static TestDatabase asRole(String role) {
        return INSTANCE.as(role);
    }

    /** This database, read as another role. The caller closes it. */
    public TestDatabase as(String role) {
        return new TestDatabase(owner, role);
    }

    /**
     * A database other than the shared one, read as a role that owns nothing. The caller closes it.
     *
     * @param url the URL with which the owner connects
     */
    public static TestDatabase over(String url, String role) {
        return new TestDatabase(PgConnectOptions.fromUri(url), role);
    }

    /** Closes the pools. Do not call this for the shared instance that {@link #get} returns. */
    public void close() {
        database.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    public PgFeedCounter counter() {
        return counter;
    }

    public FeedReader reader() {
        return reader;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    /** The options with which the owner of the database connects. */
    public PgConnectOptions owner() {
        return owner;
    }

    public Vertx vertx() {
        return vertx;
    }

    public SimpleMeterRegistry metrics() {
        return metrics;
    }

    public Database database() {
        return database;
    }

    /** Executes a statement and returns its plan with the number of buffers that it touched. */
    public List<String> explain(Statement statement, String values, String planMode) {
        return explainAfter(statement, "SET plan_cache_mode = " + planMode, values);
    }

    /** The plan of the eleventh execution, for which PostgreSQL chooses between a generic and a custom plan. */
    public List<String> explainAfterTen(Statement statement, String tenValues, String values) {
        return explainAfter(statement, ("EXECUTE explained" + tenValues + ";").repeat(10), values);
    }

    private List<String> explainAfter(Statement statement, String before, String values) {
        String execute =
                "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) EXECUTE explained" + (values.equals("()") ? "" : values);
        List<String> lines = new ArrayList<>();
        (statement.hasServingIndex() ? indexedPool : pool)
                .withConnection(connection -> connection
                        .query("SHOW plan_cache_mode")
                        .execute()
                        .map(rows -> rows.iterator().next().getString(0))
                        .compose(mode -> connection
                                .query("PREPARE explained AS " + statement.sql() + ";" + before)
                                .execute()
                                .compose(prepared -> connection.query(execute).execute())
                                .onSuccess(plan -> plan.forEach(row -> lines.add(row.getString(0))))
                                .eventually(() -> connection
                                        .query("DEALLOCATE explained; SET plan_cache_mode = " + mode)
                                        .execute())))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        return lines;
    }

    /** The number of buffers that the execution touched, without those for planning. */
    public static int buffers(List<String> plan) {
        String touched = plan.stream()
                .filter(line -> line.contains("Buffers: shared"))
                .findFirst()
                .orElseThrow();
        return Stream.of(touched.split(" "))
                .filter(word -> word.startsWith("hit=") || word.startsWith("read="))
                .mapToInt(word -> Integer.parseInt(word.substring(word.indexOf('=') + 1)))
                .sum();
    }

    /** The pool for lists that no index serves. Its sessions are read-only. */
    public Pool pool() {
        return pool;
    }

    /** The pool that tests use to change tables. */
    public Pool writePool() {
        return writePool;
    }

    /** Skips the test if PostgreSQL is older. */
    public void assumeAtLeast(int major) {
        int version = Integer.parseInt(rows("SELECT current_setting('server_version_num') AS version")
                .get(0)
                .getString("version"));
        Assumptions.assumeTrue(version >= major * 10_000, () -> "needs PostgreSQL " + major);
    }

    /** Runs statements one by one. Each ends with a semicolon and a line break. */
    public void run(String statements) {
        for (String statement : statements.split(";\\s*\n")) {
            rows(statement);
        }
    }

    public List<Row> rows(String query) {
        List<Row> rows = new ArrayList<>();
        writePool
                .query(query)
                .execute()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .forEach(rows::add);
        return rows;
    }

    /** The lists of the feed that no index serves. */
    public List<MissingIndex> missingIndexes(Feed feed) {
        Duration timeout = Duration.ofSeconds(9);
        Table table = catalogue
                .findTables(List.of(Sql.relation(feed.relation())))
                .await()
                .atMost(timeout)
                .get(0)
                .orElseThrow();
        return catalogue
                .inspectIndexes(List.of(new FeedOverTable(feed, table)))
                .await()
                .atMost(timeout)
                .get(0)
                .missingIndexes();
    }

    /**
     * A feed with the given properties, resolved against the catalogue. Each feed gets a distinct name.
     *
     * @param properties alternating names and values
     */
    public Feed feed(String... properties) {
        String name = "feed" + feeds.incrementAndGet();
        Map<String, String> declared = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            declared.put(name + '.' + properties[i], properties[i + 1]);
        }
        return DeclaredFeeds.resolve(catalogue, declared).find(name).orElseThrow();
    }
}
