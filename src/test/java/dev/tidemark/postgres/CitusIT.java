package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.FeedsText;
import dev.tidemark.Slow;
import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.declare.CheckedFeed;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedExplainer.StatementPlan;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.catalogue.NotifyTrigger;
import dev.tidemark.postgres.catalogue.PageExplainer;
import dev.tidemark.postgres.catalogue.PgInventory;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import dev.tidemark.propose.Proposals;
import dev.tidemark.propose.Selection;
import dev.tidemark.settings.FeedSource;
import io.vertx.mutiny.sqlclient.Pool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Feeds over Citus tables, read by a role that has only the privilege SELECT. */
@ExtendWith(CitusCluster.InstalledCondition.class)
@Timeout(300)
@Slow
class CitusIT {

    private static final int[] PAGE_SIZES = {1, 3, 100};
    private static final int TENANTS = 8;
    private static final String TENANT = "3";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    static Path directory;

    private static CitusCluster cluster;
    private static TestDatabase database;

    @BeforeAll
    static void start() throws Exception {
        cluster = new CitusCluster(directory);
        cluster.run("""
                create role reader login;
                set citus.shard_count = 8;
                create table notes (tenant_id int not null, id bigint not null, written_at timestamptz not null, rank int,
                  status text not null, deleted_at timestamptz, primary key (tenant_id, id));
                select create_distributed_table('notes', 'tenant_id');
                insert into notes select i % 8, i, '2026-01-01'::timestamptz + i / 8 * interval '12 hours',
                  case when i % 3 > 0 then i / 8 % 4 end, case when i % 5 = 0 then 'open' else 'done' end,
                  case when i % 7 = 0 then now() end from generate_series(1, 96) i;
                create index on notes (tenant_id, written_at desc, id desc);
                create index on notes (tenant_id, rank) where deleted_at is null;
                create table kinds (id bigint primary key, name text not null);
                select create_reference_table('kinds');
                insert into kinds select i, 'kind ' || i % 7 from generate_series(1, 30) i;
                create table local (id bigint primary key, name text not null);
                insert into local select i, 'kind ' || i % 7 from generate_series(1, 30) i;
                create table managed (id bigint primary key, name text not null);
                insert into managed select i, 'kind ' || i % 7 from generate_series(1, 30) i;
                select citus_add_local_table_to_metadata('managed');
                create table lone (id bigint primary key, name text not null);
                select create_distributed_table('lone', null);
                insert into lone select i, 'kind ' || i % 7 from generate_series(1, 30) i;
                create table events (tenant_id int not null, id bigint not null, name text not null,
                  primary key (tenant_id, id)) partition by range (id);
                create table events_1 partition of events for values from (0) to (15);
                create table events_2 partition of events for values from (15) to (100);
                select create_distributed_table('events', 'tenant_id');
                insert into events select i % 3, i, 'kind ' || i % 7 from generate_series(1, 30) i;
                create view seen as select id, name from events;
                grant select on notes, kinds, local, managed, lone, events, seen to reader;
                analyze;
                """);
        database = TestDatabase.over(CitusCluster.url(cluster.coordinator), "reader");
    }

    @AfterAll
    static void stop() throws Exception {
        if (database != null) {
            database.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Feed notes(String order) {
        return database.feed(
                "table",
                "notes",
                "columns",
                "id",
                "orders.o",
                order,
                "filters.tenant_id",
                "equals",
                "filters.status",
                "equals");
    }

    private static Condition isAnyOf(Feed feed, String column, String... values) {
        return new Condition.AnyOf(feed.filters().get(column).column(), List.of(values));
    }

    private static List<String> ids(String query) {
        return database.rows("select id::text as shown from " + query).stream()
                .map(row -> row.getString(0))
                .toList();
    }

    /** @param keys the columns that the feed's key adds to the order */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "written_at desc | tenant_id desc, id desc",
                "written_at | tenant_id, id",
                "id | tenant_id",
                "tenant_id desc, written_at | id",
                "written_at desc, rank | tenant_id, id",
                "rank desc nulls last, written_at | tenant_id, id",
                "rank nulls first | tenant_id, id"
            })
    void aWalkReadsWhatSqlReads(String order, String keys) {
        Feed feed = notes(order);
        String sorted = " order by " + order + ", " + keys;
        List<String> all = ids("notes" + sorted);
        List<String> ofTenant = ids("notes where tenant_id = " + TENANT + sorted);
        List<String> open = ids("notes where tenant_id = " + TENANT + " and status = 'open'" + sorted);
        List<String> ofTwo = ids("notes where tenant_id in (1, 2)" + sorted);
        assertThat(ofTenant).hasSize(12);
        for (int size : PAGE_SIZES) {
            assertReads(walk(feed, size, isAnyOf(feed, "tenant_id", TENANT)), ofTenant, size);
            assertReads(
                    walk(feed, size, isAnyOf(feed, "tenant_id", TENANT), isAnyOf(feed, "status", "open")), open, size);
        }
        // Pages of several shards take longer, so fewer sizes are tested.
        for (int size : new int[] {7, 100}) {
            assertReads(walk(feed, size), all, size);
            assertReads(walk(feed, size, isAnyOf(feed, "tenant_id", "1", "2")), ofTwo, size);
        }
    }

    private static Walk walk(Feed feed, int size, Condition... conditions) {
        return new Walk(database.reader(), feed, size, conditions);
    }

    private static void assertReads(Walk walk, List<String> expected, int size) {
        assertThat(walk.forward()).as("by %d", size).isEqualTo(expected);
        assertThat(walk.backward()).as("back by %d", size).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kinds", "local", "managed", "lone", "events", "seen"})
    void everyKindOfRelationIsWalkedLikeAnOrdinaryTable(String table) {
        Feed feed = database.feed("table", table, "columns", "id", "orders.o", "name, id", "key", key(table));
        for (int size : PAGE_SIZES) {
            assertReads(new Walk(database.reader(), feed, size), ids(table + " order by name, id"), size);
        }
    }

    private static String key(String table) {
        return table.equals("events") ? "id,tenant_id" : "id";
    }

    @Test
    void shardsAreRecognized() {
        Map<String, Optional<Shards>> expected = Map.of(
                "notes", Optional.of(new Shards(false, Optional.of("tenant_id"))),
                "events", Optional.of(new Shards(false, Optional.of("tenant_id"))),
                "kinds", Optional.of(new Shards(true, Optional.empty())),
                "managed", Optional.of(new Shards(true, Optional.empty())),
                "lone", Optional.of(new Shards(true, Optional.empty())),
                "seen", Optional.of(new Shards(false, Optional.empty())),
                "local", Optional.empty());
        expected.forEach((table, shards) -> assertThat(
                        database.feed("table", table, "columns", "id", "orders.o", "id", "key", keyOf(table))
                                .relation()
                                .storage()
                                .shards())
                .as(table)
                .isEqualTo(shards));
    }

    private static String keyOf(String table) {
        return table.equals("notes") ? "tenant_id,id" : key(table);
    }

    private static Statement.Kind kind(Feed feed, Condition... conditions) {
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of(conditions));
        return new OrderStatements(feed, state.order())
                .page(PageShape.of(state, new PageRequest(Optional.empty(), 20)))
                .kind();
    }

    @Test
    void theKindOfAStatementDependsOnItsShardsAndIndexes() {
        Feed newest = notes("written_at desc");
        assertThat(kind(newest, isAnyOf(newest, "tenant_id", TENANT))).isEqualTo(Statement.Kind.ONE_SHARD);
        assertThat(kind(newest)).isEqualTo(Statement.Kind.FREE);
        assertThat(kind(newest, isAnyOf(newest, "tenant_id", "1", "2"))).isEqualTo(Statement.Kind.SEVERAL_SHARDS);
        assertThat(kind(newest, isAnyOf(newest, "status", "open"))).isEqualTo(Statement.Kind.FREE);
        Feed unindexed = notes("status");
        assertThat(kind(unindexed, isAnyOf(unindexed, "tenant_id", TENANT))).isEqualTo(Statement.Kind.FREE);
        assertThat(kind(database.feed("table", "kinds", "orders.o", "id"))).isEqualTo(Statement.Kind.ONE_SHARD);
        assertThat(kind(database.feed("table", "local", "orders.o", "id"))).isEqualTo(Statement.Kind.INDEXED);
    }

    /** A partial index serves a feed if the feed shows no rows outside the index. */
    @Test
    void missingIndexesAreFoundAndCanBeCreated() {
        String[] ranked = {
            "table", "notes", "orders.o", "rank", "filters.tenant_id", "equals", "visible", "deleted_at is null"
        };
        assertThat(database.missingIndexes(database.feed("table", "kinds", "orders.o", "name")))
                .singleElement()
                .satisfies(missing -> assertThat(missing.script())
                        .singleElement()
                        .asString()
                        .startsWith("CREATE INDEX CONCURRENTLY ")
                        .endsWith(" ON public.kinds (name, id);"));
        List<MissingIndex> missing = database.missingIndexes(database.feed(ranked));
        assertThat(missing)
                .extracting(index -> index.list().description())
                .containsExactly("order o", "order o with a filter on tenant_id");
        missing.stream().flatMap(index -> index.script().stream()).forEach(database::rows);
        assertThat(database.missingIndexes(database.feed(ranked))).isEmpty();
        database.rows("create index on notes (tenant_id, status, id) where deleted_at is null");
        assertThat(database.missingIndexes(database.feed(
                        "table", "notes", "orders.o", "tenant_id, status, id", "visible", "Deleted_at IS null")))
                .isEmpty();
    }

    @Test
    void thePlanOfAPageIsThatOfItsShard() {
        Feed feed = notes("written_at desc");
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of(isAnyOf(feed, "tenant_id", TENANT)));
        List<StatementPlan> plans = new PageExplainer(database.database())
                .explain(state, new PageRequest(Optional.empty(), 20))
                .await()
                .atMost(TIMEOUT);
        assertThat(plans).singleElement().satisfies(plan -> {
            assertThat(plan.indexed()).isTrue();
            assertThat(plan.plan()).anyMatch(line -> line.contains("Task Count: 1"));
        });
    }

    private static CheckedFeeds check(String... properties) {
        Map<String, String> declared = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            declared.put("notes." + properties[i], properties[i + 1]);
        }
        return DeclaredFeeds.newFeedCheck(database.catalogue())
                .check(List.of(FeedSource.of("feeds", FeedsText.of(declared))))
                .await()
                .atMost(TIMEOUT);
    }

    @Test
    void listsInAllShardsAreReportedAndRejectedIfIndexesAreRequired() {
        CheckedFeeds checked = check(
                "table",
                "notes",
                "orders.newest",
                "written_at desc",
                "filters.tenant_id",
                "equals",
                "filters.id",
                "equals");
        assertThat(checked.feeds())
                .singleElement()
                .extracting(CheckedFeed::unprefixedShardsWarning)
                .asString()
                .contains(
                        "from all shards of public.notes: order newest, order newest with a filter on id. ",
                        "A scope or an equality filter on tenant_id restricts a list to one shard");
        assertThat(check("table", "events", "orders.o", "id", "scope.tenant_id", "claim:tenant")
                        .rejectionReason(true))
                .isEmpty();
        assertThat(check("table", "kinds", "orders.o", "id").rejectionReason(true))
                .isEmpty();
        assertThat(check("table", "seen", "key", "id", "orders.o", "id").rejectionReason(true))
                .isPresent();
        database.rows("create index on notes (id, tenant_id)");
        CheckedFeeds indexed = check("table", "notes", "orders.o", "id");
        assertThat(indexed.rejectionReason(false)).isEmpty();
        assertThat(indexed.rejectionReason(true))
                .hasValueSatisfying(reason -> assertThat(reason).contains("lists are read from all shards of a table"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes", "kinds", "managed", "events"})
    void deltaIsRejected(String table) {
        CheckedFeeds checked = check("table", table, "orders.o", "id", "delta", "true");
        assertThat(checked.rejectionReason(false)).hasValueSatisfying(reason -> assertThat(reason)
                .contains("delta: needs rows with the id of the transaction that wrote them", "shards of Citus"));
    }

    @Test
    void noTriggerIsSuggested() {
        for (String table : List.of("notes", "kinds", "managed")) {
            NotifyTrigger trigger = NotifyTrigger.inspect(new Pool(database.pool()), "public", table)
                    .await()
                    .atMost(TIMEOUT);
            assertThat(trigger.isPossible()).as(table).isFalse();
        }
    }

    @Test
    void aProposalFiltersByTheDistributionColumn() {
        PgInventory inventory = new PgInventory(new Pool(database.pool()), database.catalogue());
        String proposed = new Proposals(
                        database.catalogue(), inventory, DeclaredFeeds.newFeedCheck(database.catalogue()))
                .write(Selection.of(List.of("notes")), "tidemark");
        assertThat(proposed)
                .contains("tenant_id: equals", "      scope: {tenant_id: \"claim:tenant\"}")
                .doesNotContain("tidemark_notify");
    }

    @Test
    void countsAreThoseOfAllShards() {
        Feed feed = notes("written_at desc");
        ListState all = new ListState(feed, feed.orders().byDefault(), List.of());
        ListState ofTenant =
                new ListState(feed, feed.orders().byDefault(), List.of(isAnyOf(feed, "tenant_id", TENANT)));
        assertThat(database.counter()
                        .countAll(all, 1000, Optional.empty())
                        .map(ItemCount::value)
                        .await()
                        .atMost(TIMEOUT))
                .isEqualTo(96);
        assertThat(database.counter()
                        .countAll(ofTenant, 1000, Optional.empty())
                        .map(ItemCount::value)
                        .await()
                        .atMost(TIMEOUT))
                .isEqualTo(12);
        assertThat(database.counter()
                        .countAll(all, 50, Optional.empty())
                        .map(ItemCount::value)
                        .await()
                        .atMost(TIMEOUT))
                .isEqualTo(50);
        assertThat(database.counter().estimate(ofTenant).await().atMost(TIMEOUT))
                .isBetween(6L, 24L);
        // The estimate is that of one shard times the number of shards. Some shards have no tenant, and some have
        // several.
        assertThat(database.counter().estimate(all).await().atMost(TIMEOUT)).isBetween(0L, 500L);
    }

    private static Map<String, String> settingsFor(List<DedicatedPostgres> nodes) {
        return Map.of(
                "quarkus.datasource.reactive.url",
                nodes.stream()
                        .map(node -> "postgresql://localhost:" + node.port() + "/postgres")
                        .collect(Collectors.joining(",")),
                "quarkus.datasource.username",
                "reader",
                "tidemark.feeds.notes.table",
                "notes",
                "tidemark.feeds.notes.orders.newest",
                "written_at desc",
                "tidemark.feeds.notes.filters.tenant_id",
                "equals");
    }

    /** The status of a page request for each tenant. */
    private static List<Integer> statuses(DeployedServer server) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            statuses.add(server.get("/api/notes?tenant_id=" + tenant).statusCode());
        }
        return statuses;
    }

    /**
     * Starts a second server while the worker is unreachable. The database URL of this server lists all nodes. The
     * server treats each of them as a separate cluster, and reads over the first one, the coordinator.
     */
    @Test
    void tenantsOfAnUnreachableWorkerAreUnavailable() throws Exception {
        List<Integer> all = IntStream.range(0, TENANTS).mapToObj(tenant -> 200).toList();
        DedicatedPostgres worker = cluster.workers.get(0);
        try (DeployedServer server = DeployedServer.withConfigFile(settingsFor(List.of(cluster.coordinator)))
                .awaitReady()) {
            assertThat(statuses(server)).isEqualTo(all);
            assertThat(server.log())
                    .anyMatch(line -> line.contains("lists are read from all shards of public.notes: order newest."));
            assertThat(server.getManagement("/q/metrics").body())
                    .containsPattern("tidemark_statements_seconds_count\\{connections=\"sharded\"} 8");

            worker.kill();
            assertThat(statuses(server)).contains(200, 503).doesNotContain(500);
            assertThat(server.get("/api/notes").statusCode()).isEqualTo(503);
            assertThat(server.getManagement("/q/health/ready").body())
                    .contains("\"unreachable workers\": \"localhost:" + worker.port() + "\"");
            assertThat(server.isReady()).isTrue();
            try (DeployedServer second =
                    DeployedServer.withConfigFile(settingsFor(cluster.nodes())).awaitReady()) {
                assertThat(statuses(second)).contains(200, 503).doesNotContain(500);
            }

            worker.start();
            Await.until("all tenants are served again", () -> statuses(server).equals(all));
            assertThat(server.getManagement("/q/health/ready").body()).doesNotContain("unreachable workers");
            assertThat(server.errors()).isEmpty();
        } finally {
            worker.ensureRunning();
        }
    }
}
