package dev.tidemark.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.catalogue.NotifyTrigger;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How changes are noticed. With a poll interval of an hour, a change that is noticed at once must have come by
 * notification.
 */
@UsesTestDatabase
class PgFeedChangesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SHORT_INTERVAL = Duration.ofMillis(50);

    private final Semaphore reportedChanges = new Semaphore(0);
    private PgFeedChanges changes;
    private Feed feed;

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS "Loud ones", quiet CASCADE;
                CREATE TABLE "Loud ones" (id int PRIMARY KEY, body text)
                """);
        feed = DATABASE.feed("table", "\"Loud ones\"", "orders.o", "id");
    }

    @AfterEach
    void close() {
        if (changes != null) {
            changes.close(null);
        }
    }

    @Test
    void aChangeToATableWithTheTriggerIsNoticedAtOnce() throws InterruptedException {
        addTrigger();
        Watch watch = watchEvery(HOUR);
        for (String change : new String[] {
            "INSERT INTO \"Loud ones\" VALUES (1), (2)",
            "UPDATE \"Loud ones\" SET body = 'x' WHERE id = 1",
            "DELETE FROM \"Loud ones\" WHERE id = 1",
            "TRUNCATE \"Loud ones\""
        }) {
            reportedChanges.drainPermits();
            DATABASE.run(change);
            assertNotified(change);
        }
        watch.close();
        assertThat(changes.isIdle()).isTrue();
    }

    @Test
    void aChangeToTheTableOfAMembershipIsNoticedAtOnce() throws InterruptedException {
        DATABASE.run("DROP TABLE IF EXISTS loud_members; CREATE TABLE loud_members (id int, user_id int)");
        feed = DATABASE.feed(
                "table",
                "\"Loud ones\"",
                "orders.o",
                "id",
                "scope.id.in",
                "loud_members.id",
                "scope.id.where.user_id",
                "claim:sub");
        DATABASE.run(NotifyTrigger.inspect(pool(), "public", "loud_members")
                .await()
                .atMost(Duration.ofSeconds(10))
                .statements());
        changes = new PgFeedChanges(DATABASE.database(), pool(), () -> HOUR, DATABASE.vertx());
        Access.Membership membership = feed.access().memberships().findFirst().orElseThrow();
        Watch watch = changes.watch(
                SampleFeeds.listState(feed, "o", new Condition.InMembership(membership, List.of("1"))),
                reportedChanges::release);
        assertNotified("the first call for one table, when listening has begun");
        assertNotified("the first call for the other one");
        DATABASE.run("INSERT INTO loud_members VALUES (1, 1)");
        assertNotified("a membership");
        watch.close();
        assertThat(changes.isIdle()).isTrue();
    }

    @Test
    void aChangeToATableUnderAViewIsNoticedAtOnceIfTheFeedNamesTheTable() throws InterruptedException {
        addTrigger();
        DATABASE.run("CREATE VIEW loud_view AS SELECT * FROM \"Loud ones\"");
        feed = DATABASE.feed("table", "loud_view", "key", "id", "orders.o", "id", "notify-on", "\"Loud ones\"");
        changes = new PgFeedChanges(DATABASE.database(), pool(), () -> HOUR, DATABASE.vertx());
        Watch watch = changes.watch(list(feed), reportedChanges::release);
        assertNotified("the first call for the view, when listening has begun");
        assertNotified("the first call for the table");
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (1)");
        assertNotified("the insert");
        assertThat(reportedChanges.availablePermits()).as("other calls").isZero();
        watch.close();
        assertThat(changes.isIdle()).isTrue();
    }

    @Test
    void theSuggestedTriggerIsRecognized() {
        assertThat(inspectTrigger().isPresent()).isFalse();
        addTrigger();
        assertThat(inspectTrigger().isPresent()).isTrue();
        DATABASE.run("ALTER TABLE \"Loud ones\" DISABLE TRIGGER tidemark_notify");
        assertThat(inspectTrigger().isPresent()).as("switched off").isFalse();
        DATABASE.run("ALTER TABLE \"Loud ones\" ENABLE TRIGGER tidemark_notify");
        DATABASE.run("DROP TRIGGER tidemark_notify ON \"Loud ones\"");
        DATABASE.run("CREATE TRIGGER tidemark_notify AFTER INSERT ON \"Loud ones\" EXECUTE FUNCTION tidemark_notify()");
        assertThat(inspectTrigger().isPresent()).as("of some changes only").isFalse();
    }

    @Test
    void aViewCannotHaveTheTrigger() {
        DATABASE.run("CREATE VIEW loud_view AS SELECT * FROM \"Loud ones\"");
        Feed view = DATABASE.feed("table", "loud_view", "key", "id", "orders.o", "id");
        NotifyTrigger trigger = inspectTrigger(view);
        assertThat(trigger.isPossible()).isFalse();
        assertThat(trigger.isPresent()).isFalse();
    }

    @Test
    void aTableWithoutTheTriggerCountsAsChangedAtEachInterval() throws InterruptedException {
        Watch watch = watchEvery(SHORT_INTERVAL);
        assertNotified("once");
        assertNotified("twice");
        assertNotified("and so on");
        watch.close();
        reportedChanges.drainPermits();
        assertThat(reportedChanges.tryAcquire(4 * SHORT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        assertThat(changes.isIdle()).isTrue();
    }

    @Test
    void aTableWithTheTriggerIsPolledLessOften() throws InterruptedException {
        addTrigger();
        watchEvery(SHORT_INTERVAL);
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (1)");
        assertNotified("the insert");
        assertThat(reportedChanges.tryAcquire(1, 4 * SHORT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)
                        && reportedChanges.tryAcquire(2))
                .as("three times within four intervals")
                .isFalse();
    }

    /** With the trigger, the table would be polled every 15 s. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TRIGGER tidemark_notify ON \"Loud ones\"",
                "ALTER TABLE \"Loud ones\" DISABLE TRIGGER tidemark_notify",
                "ALTER TABLE \"Loud ones\" RENAME TO quiet; CREATE TABLE \"Loud ones\" (LIKE quiet INCLUDING ALL)",
                "ALTER TABLE \"Loud ones\" ADD COLUMN note text DEFAULT 'none'",
            })
    void aChangeOfTheTableItselfIsNoticedWithinThePollInterval(String change) throws InterruptedException {
        addTrigger();
        watchEvery(Duration.ofSeconds(1));
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (1)");
        assertNotified("the insert");
        awaitNoPoll(Duration.ofMillis(2500));
        DATABASE.run(change);
        assertNotified(change);
    }

    @Test
    void anAttachedPartitionIsNoticedWithinThePollInterval() throws InterruptedException {
        DATABASE.run("""
                DROP TABLE "Loud ones";
                CREATE TABLE "Loud ones" (id int PRIMARY KEY, body text) PARTITION BY RANGE (id);
                CREATE TABLE loud_small PARTITION OF "Loud ones" FOR VALUES FROM (0) TO (10);
                CREATE TABLE IF NOT EXISTS loud_large (id int PRIMARY KEY, body text)
                """);
        feed = DATABASE.feed("table", "\"Loud ones\"", "orders.o", "id");
        addTrigger();
        watchEvery(Duration.ofSeconds(1));
        awaitNoPoll(Duration.ofMillis(2500));
        DATABASE.run("ALTER TABLE \"Loud ones\" ATTACH PARTITION loud_large FOR VALUES FROM (10) TO (20)");
        assertNotified("the partition");
    }

    /** Waits until the table is not polled for this long, because the trigger has been found. */
    private void awaitNoPoll(Duration time) throws InterruptedException {
        while (reportedChanges.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
            reportedChanges.drainPermits();
        }
    }

    @Test
    void aTableThatIsUnwatchedWhileItsTriggerIsCheckedIsNoLongerPolled() {
        addTrigger();
        Set<Object> polls = ConcurrentHashMap.newKeySet();
        io.vertx.sqlclient.Pool onlyConnection = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(1))
                .connectingTo(DATABASE.owner())
                .using(DATABASE.vertx())
                .build();
        SqlConnection held = join(onlyConnection.getConnection());
        changes = new PgFeedChanges(
                DATABASE.database(), new Pool(onlyConnection), () -> HOUR, recordingPolls(DATABASE.vertx(), polls));
        changes.watch(list(feed), reportedChanges::release).close();
        join(held.close());
        // This query waits for its turn after the check.
        join(onlyConnection.query("SELECT 1").execute());
        assertThat(polls).isEmpty();
        join(onlyConnection.close());
    }

    @Test
    void aTriggerAddedLaterIsUsed() throws InterruptedException {
        watchEvery(HOUR);
        addTrigger();
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (1)");
        assertNotified("the insert");
    }

    @Test
    void noChangeIsMissedWhileTheListeningConnectionIsReplaced() throws InterruptedException {
        addTrigger();
        watchEvery(HOUR);
        String terminateListener = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'tidemark listens' AND datname = current_database()";
        DATABASE.run(terminateListener);
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (1)");
        assertNotified("the insert while no connection listened");
        awaitListening();
        reportedChanges.drainPermits();
        DATABASE.run("INSERT INTO \"Loud ones\" VALUES (2)");
        assertNotified("the insert afterwards");
    }

    private static ListState list(Feed feed) {
        return SampleFeeds.listState(feed, "o");
    }

    private Watch watchEvery(Duration interval) throws InterruptedException {
        changes = new PgFeedChanges(DATABASE.database(), pool(), () -> interval, DATABASE.vertx());
        Watch watch = changes.watch(list(feed), reportedChanges::release);
        assertNotified("the first call, when listening has begun");
        reportedChanges.drainPermits();
        return watch;
    }

    private void assertNotified(String what) throws InterruptedException {
        assertThat(reportedChanges.tryAcquire(10, TimeUnit.SECONDS)).as(what).isTrue();
    }

    private static void awaitListening() {
        String listening = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tidemark listens'"
                + " AND datname = current_database() AND query = 'LISTEN tidemark' AND state = 'idle'";
        Await.until("the server listens", () -> !DATABASE.rows(listening).isEmpty());
    }

    private void addTrigger() {
        String[] statements = inspectTrigger().statements().split("\n");
        DATABASE.rows(statements[0]);
        DATABASE.rows(statements[1]);
    }

    private NotifyTrigger inspectTrigger() {
        return inspectTrigger(feed);
    }

    private static NotifyTrigger inspectTrigger(Feed feed) {
        return NotifyTrigger.inspect(
                        pool(), feed.relation().schema(), feed.relation().name())
                .await()
                .atMost(Duration.ofSeconds(10));
    }

    /** @param polls contains the timers of an hour or more that have been started and not canceled */
    private static Vertx recordingPolls(Vertx vertx, Set<Object> polls) {
        return (Vertx) Proxy.newProxyInstance(
                Vertx.class.getClassLoader(), new Class<?>[] {Vertx.class}, (proxy, method, values) -> {
                    Object result = method.invoke(vertx, values);
                    if (method.getName().equals("setPeriodic") && (long) values[0] >= HOUR.toMillis()) {
                        polls.add(result);
                    } else if (method.getName().equals("cancelTimer")) {
                        polls.remove(values[0]);
                    }
                    return result;
                });
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private static Pool pool() {
        return new Pool(DATABASE.pool());
    }
}
