package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.declare.Catalogue.ConditionFault;
import dev.tidemark.declare.Catalogue.TableCondition;
import dev.tidemark.declare.Table;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which errors of the condition {@code visible} are faults of its feed, and which are transient. */
@UsesTestDatabase
class ConditionFaultsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                CREATE TABLE guarded (id int PRIMARY KEY);
                CREATE ROLE impatient LOGIN;
                ALTER ROLE impatient SET lock_timeout = '100ms';
                GRANT SELECT ON guarded TO impatient;
                """);
    }

    @AfterAll
    static void dropRole() {
        DATABASE.run("DROP OWNED BY impatient; DROP ROLE impatient; DROP TABLE guarded;");
    }

    @Test
    void aConditionThatPostgresRejectsIsAFault() {
        assertThat(fault(DATABASE, guardedTable(), "nothing > 1"))
                .hasValueSatisfying(fault -> assertThat(fault.reason()).contains("nothing"));
    }

    @Test
    void aConditionWithAParameterIsAFault() {
        assertThat(fault(DATABASE, guardedTable(), "id > $1")).isPresent();
    }

    @Test
    void eachOfSeveralConditionsIsCheckedOnItsOwn() {
        assertThat(faults(
                        DATABASE, guardedTable(), "id > 0", "nothing > 1", "true) or (true", "/*", "id > $1", "id < 9"))
                .extracting(Optional::isPresent)
                .containsExactly(false, true, true, true, true, false);
    }

    @Test
    void aLockTimeoutIsNotAFaultOfTheCondition() {
        TestDatabase impatient = TestDatabase.asRole("impatient");
        Table guarded = guardedTable();
        SqlConnection locking = join(DATABASE.writePool().getConnection());
        try {
            join(locking.query("BEGIN; LOCK TABLE guarded").execute());
            assertThatThrownBy(() -> fault(impatient, guarded, "true")).hasMessageContaining("lock timeout");
        } finally {
            join(locking.query("ROLLBACK").execute());
            join(locking.close());
        }
    }

    private static Optional<ConditionFault> fault(TestDatabase database, Table table, String condition) {
        return faults(database, table, condition).get(0);
    }

    private static List<Optional<ConditionFault>> faults(TestDatabase database, Table table, String... conditions) {
        return database.catalogue()
                .checkConditions(Stream.of(conditions)
                        .map(condition -> new TableCondition(table, condition))
                        .toList())
                .await()
                .atMost(TIMEOUT);
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private static Table guardedTable() {
        return DATABASE.catalogue()
                .findTables(List.of("public.guarded"))
                .await()
                .atMost(TIMEOUT)
                .get(0)
                .orElseThrow();
    }
}
