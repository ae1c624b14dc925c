package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.wire.Wire;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plans of statements in one session, while roles change. */
@UsesTestDatabase
class OldPlansTest {

    /** Not the shared one, of whose functions other tests need the privileges. */
    private static final TestDatabase DATABASE = TestDatabase.empty();

    /** Without asking for the memberships of another role, the session keeps those of before at one in twenty changes. */
    private static final int CHANGES = 200;

    private PgConnection session;

    @BeforeEach
    void makeTables() {
        DATABASE.run("""
                CREATE ROLE planned_seer;
                CREATE ROLE planned_between;
                CREATE ROLE planned_reader LOGIN;
                CREATE ROLE planned_other;
                CREATE TABLE planned (id int PRIMARY KEY);
                INSERT INTO planned VALUES (1);
                ALTER TABLE planned ENABLE ROW LEVEL SECURITY;
                CREATE POLICY everything ON planned TO planned_seer USING (true);
                GRANT SELECT ON planned TO planned_reader;
                GRANT planned_between TO planned_reader;
                """);
        PgConnectOptions options =
                new PgConnectOptions(DATABASE.owner()).setUser("planned_reader").setCachePreparedStatements(true);
        session = join(PgConnection.connect(DATABASE.vertx(), options));
    }

    @AfterEach
    void dropTables() {
        join(session.close());
        DATABASE.run("""
                DROP TABLE planned;
                DROP ROLE planned_seer, planned_between, planned_reader, planned_other;
                """);
    }

    @AfterAll
    static void closeDatabase() {
        DATABASE.close();
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** Reads again and again, so that roles change while PostgreSQL plans. */
    private final class Reads {

        private final OldPlans oldPlans = new OldPlans(Duration.ZERO);
        private final AtomicReference<String> last = new AtomicReference<>();
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean isEnded;

        private void start() {
            oldPlans.discardFrom(session, Wire.of(session));
            session.preparedQuery("SELECT count(*) FROM planned")
                    .execute()
                    .onSuccess(rows -> {
                        last.set(rows.iterator().next().getLong(0) + " rows");
                        count.incrementAndGet();
                        if (!isEnded) {
                            start();
                        }
                    })
                    .onFailure(failure -> last.set(failure.toString()));
        }

        /** Returns what a statement reads that is sent after this call. */
        private String next() {
            int before = count.get();
            Await.until("two more reads", () -> count.get() >= before + 2);
            return last.get();
        }
    }

    @Test
    void aStatementIsPlannedForTheRolesOfNowAfterChangesInQuickSuccession() {
        String others = "GRANT planned_other TO planned_between; REVOKE planned_other FROM planned_between";
        Reads reads = new Reads();
        reads.start();
        try {
            for (int i = 0; i < CHANGES; i++) {
                DATABASE.rows(others);
                DATABASE.rows("GRANT planned_seer TO planned_reader");
                assertThat(reads.next()).isEqualTo("1 rows");
                DATABASE.rows(others);
                DATABASE.rows("REVOKE planned_seer FROM planned_reader");
                assertThat(reads.next()).isEqualTo("0 rows");
            }
        } finally {
            reads.isEnded = true;
        }
    }

    /** Statements that are only explained leave plans of functions, too. */
    @Test
    void plansAreAsOldAsTheirSessionBeforeItsFirstPage() {
        SqlConnection unused = join(DATABASE.pool().getConnection());
        try {
            assertThat(Wire.of(unused).plannedNanos()).isNotNull();
        } finally {
            join(unused.close());
        }
    }

    @Test
    void aSessionWhosePlansCannotBeDiscardedEnds() {
        DATABASE.run("REVOKE EXECUTE ON FUNCTION pg_has_role(name, name, text) FROM PUBLIC");
        try {
            OldPlans oldPlans = new OldPlans(Duration.ZERO);
            AtomicInteger ends = new AtomicInteger();
            session.closeHandler(ended -> ends.incrementAndGet());
            oldPlans.discardFrom(session, Wire.of(session));
            oldPlans.discardFrom(session, Wire.of(session));
            Await.until("the connection has been closed", () -> ends.get() == 1);
        } finally {
            DATABASE.run("GRANT EXECUTE ON FUNCTION pg_has_role(name, name, text) TO PUBLIC");
        }
    }
}
