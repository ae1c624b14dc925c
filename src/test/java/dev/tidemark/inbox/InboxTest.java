package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.TestPostgres;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.pgclient.PgConnectOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@BesideQuarkusTests
class InboxTest {

    private static final String FINGERPRINT =
            "select md5(string_agg(m::text, '/' order by id)) from (select * from public.messages) as m";

    private final Vertx vertx = Vertx.vertx();
    private final String database = TestPostgres.newDatabase();
    private final Pool pool = pool("0");

    @AfterEach
    void close() {
        pool.closeAndAwait();
        vertx.closeAndAwait();
    }

    @Test
    void theSameSettingsGiveTheSameMessagesOnEveryMachine() {
        start(pool, 1000, 1);

        assertThat(singleRow(pool, FINGERPRINT).getString(0))
                .as("if the rows have changed on purpose, raise SampleMessages.VERSION")
                .isEqualTo("c363d9b9669fd63a39dca75936314a36");
    }

    @Test
    void anotherSeedGivesOtherMessages() {
        start(pool, 100, 1);
        var first = singleRow(pool, FINGERPRINT).getString(0);

        start(pool, 100, 2);

        assertThat(singleRow(pool, FINGERPRINT).getString(0)).isNotEqualTo(first);
    }

    @Test
    void theMessagesLookLikeASupportInbox() {
        start(pool, 10_000, 7);

        var facts = singleRow(pool, """
                select count(*), count(distinct created_at),
                       bool_and(created_at >= earlier), bool_and(edited_at >= created_at),
                       max(greatest(created_at, edited_at, deleted_at)) <= '2026-01-16T10:00:00Z',
                       max(created_at) > '2026-01-16T09:50:00Z', min(created_at) < '2025-12-06T00:00:00Z',
                       count(*) filter (where status = 'open'), count(*) filter (where status = 'pending'),
                       count(*) filter (where assignee is null), count(distinct assignee),
                       count(edited_at), count(deleted_at), count(distinct extract(microseconds from created_at)),
                       avg(octet_length(body)), count(distinct subject), count(subject), max(id),
                       count(distinct customer_id), count(customer_id)
                from (select *, lag(created_at, 1, created_at) over (order by id) as earlier from public.messages) as m
                """);

        assertThat(facts.getLong(0)).isEqualTo(10_000);
        assertThat(facts.getLong(1)).as("distinct timestamps").isBetween(6_000L, 8_000L);
        for (var truth = 2; truth <= 6; truth++) {
            assertThat(facts.getBoolean(truth)).as("column " + truth).isTrue();
        }
        assertThat(facts.getLong(7)).as("open").isBetween(1_300L, 1_700L);
        assertThat(facts.getLong(8)).as("pending").isBetween(2_300L, 2_700L);
        assertThat(facts.getLong(9)).as("unassigned").isBetween(1_800L, 2_200L);
        assertThat(facts.getLong(10)).as("assignees").isEqualTo(10);
        assertThat(facts.getLong(11)).as("edited").isBetween(2_800L, 3_200L);
        assertThat(facts.getLong(12)).as("deleted").isBetween(230L, 370L);
        assertThat(facts.getLong(13)).as("fractions of seconds").isGreaterThan(6_000);
        assertThat(facts.getDouble(14)).as("bytes of a body").isBetween(140.0, 260.0);
        assertThat(facts.getLong(15)).as("distinct subjects").isGreaterThan(4_000);
        assertThat(facts.getLong(17)).isEqualTo(10_000);
        assertThat(facts.getLong(18)).as("customers").isEqualTo(SamplePeople.CUSTOMERS);
        assertThat(facts.getLong(19)).as("messages of customers").isEqualTo(10_000);
    }

    @Test
    void everyAssigneeIsAnAgentAndPeopleHaveDifferentNames() {
        start(pool, 1000, 1);

        assertThat(singleRow(pool, """
                select (select count(*) from public.messages where assignee not in (select handle from inbox.agents)),
                       (select count(*) - count(distinct name) from inbox.agents),
                       (select count(*) - count(distinct name) from inbox.customers)
                """).deepToString()).isEqualTo("[0,0,0]");
    }

    @Test
    void aSampleOfAnEarlierVersionIsReplaced() {
        start(pool, 100, 1);
        run(pool, "alter table public.messages drop column customer_id");
        run(pool, "drop table inbox.agents, inbox.customers");
        run(pool, "update inbox.sample set version = version - 1");

        start(pool, 100, 1);

        assertThat(singleRow(pool, """
                select (select count(*) from public.messages join inbox.customers on customers.id = customer_id),
                       (select count(*) from inbox.agents), (select count(*) from inbox.sample)
                """).deepToString()).isEqualTo("[100,10,1]");
    }

    @Test
    void aRestartKeepsChanges() {
        start(pool, 100, 1);
        run(pool, "update public.messages set subject = 'Changed' where id = 50");
        run(pool, "insert into public.messages (subject, body) values ('New', '')");

        start(pool, 100, 1);

        assertThat(singleRow(pool, "select max(id), count(*) filter (where subject = 'Changed') from public.messages")
                        .deepToString())
                .isEqualTo("[101,1]");
    }

    @Test
    void changedSettingsRecreateTheSample() {
        start(pool, 100, 1);

        start(pool, 60, 1);

        assertThat(singleRow(pool, "select count(*) from public.messages").getLong(0))
                .isEqualTo(60);
    }

    @Test
    void everyEditSetsALaterEditedAt() {
        start(pool, 10, 1);
        run(pool, "update public.messages set edited_at = '2999-01-01T00:00:00Z' where id = 1");

        run(pool, "update public.messages set status = 'open'");

        assertThat(singleRow(
                                pool,
                                "select bool_and(edited_at between now() - interval '1 minute' and now()) filter (where id > 1),"
                                        + " bool_and(edited_at = '2999-01-01T00:00:00.000001Z') filter (where id = 1)"
                                        + " from public.messages")
                        .deepToString())
                .isEqualTo("[true,true]");
    }

    @Test
    void aTableThatTidemarkDidNotCreateIsNotChanged() {
        run(pool, "create table public.messages (id int)");

        assertThatThrownBy(() -> start(pool, 10, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("public.messages that was not created by Tidemark");
        assertThat(singleRow(pool, "select count(*) from public.messages").getLong(0))
                .isZero();
    }

    @Test
    void twoConcurrentStartsCreateTheSampleOnce() {
        var starts = CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> start(pool, 2000, 1)),
                CompletableFuture.runAsync(() -> start(pool, 2000, 1)));

        starts.join();

        assertThat(singleRow(pool, "select count(*), (select count(*) from inbox.sample) from public.messages")
                        .deepToString())
                .isEqualTo("[2000,1]");
    }

    @Test
    void startupWaitsLongerThanTheStatementTimeoutForAnotherProcess() {
        var impatient = pool("500ms");
        var other = pool.getConnectionAndAwait();
        other.query("select pg_advisory_lock(" + InboxInitializer.LOCK + ")").executeAndAwait();

        var start = CompletableFuture.runAsync(() -> start(impatient, 10, 1));
        Await.until(
                "the start has waited for longer than the timeout",
                () -> singleRow(
                                        pool,
                                        "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                                                + " and waitstart < clock_timestamp() - interval '600 ms'")
                                .getLong(0)
                        > 0);
        other.query("select pg_advisory_unlock(" + InboxInitializer.LOCK + ")").executeAndAwait();
        start.join();

        assertThat(singleRow(pool, "select count(*) from public.messages").getLong(0))
                .isEqualTo(10);
        other.closeAndAwait();
        impatient.closeAndAwait();
    }

    @Test
    void aSettingOutOfItsBoundsIsRejected() {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(InboxConfig.class)
                .withSources(new PropertiesConfigSource(Map.of("tidemark.inbox.rows", "0"), "test"))
                .build();

        assertThatThrownBy(() -> new InboxInitializer(pool, config.getConfigMapping(InboxConfig.class), config))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("tidemark.inbox.rows is \"0\", but must be from 1 to 1000000000");
    }

    private static void start(Pool pool, long rows, long seed) {
        new InboxInitializer(pool, new SampleMessages(rows, seed)).prepare();
    }

    private static void run(Pool pool, String sql) {
        pool.query(sql).executeAndAwait();
    }

    private static Row singleRow(Pool pool, String sql) {
        return pool.query(sql).executeAndAwait().iterator().next();
    }

    private Pool pool(String statementTimeout) {
        return PgBuilder.pool()
                .connectingTo(PgConnectOptions.fromUri(database)
                        .setUser("postgres")
                        .addProperty("TimeZone", "UTC")
                        .addProperty("statement_timeout", statementTimeout))
                .using(vertx)
                .build();
    }
}
