package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.postgres.connection.TableLoad.Admission;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@BesideQuarkusTests
class TableLoadTest {

    private static final int POOL_SIZE = 20;

    private final TableLock lock = new TableLock(List.of(new TableLock.Table()));
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();

    private final TableLoad.Waiting statement = new TableLoad.Waiting() {
        @Override
        public void admit() {
            turns.incrementAndGet();
        }

        @Override
        public void rejectLocked() {
            rejected.incrementAndGet();
        }
    };

    @Test
    void oneOfSeveralTablesTakesAtMostThreeQuartersOfAPool() {
        assertThat(runningOfFifty(load(false))).isEqualTo(15);
    }

    @Test
    void aTableThatMayBeLockedTakesAtMostAQuarterOfAPool() {
        lock.suspect();
        assertThat(runningOfFifty(load(false))).isEqualTo(5);
    }

    @Test
    void theOnlyTableMayTakeAWholePool() {
        lock.suspect();
        assertThat(runningOfFifty(load(true))).isEqualTo(POOL_SIZE);
    }

    @Test
    void anAnswerLetsAStatementRunThatWaits() {
        TableLoad load = load(false);
        runningOfFifty(load);
        assertThat(turns).hasValue(0);
        load.recordAnswer();
        assertThat(turns).hasValue(1);
        assertThat(load.inFlightCount()).isEqualTo(49);
    }

    @Test
    void allStatementsRunForWhichTheShareHasRoomAgain() {
        TableLoad load = load(false);
        lock.suspect();
        runningOfFifty(load);
        clearSuspicion();
        load.recordAnswer();
        assertThat(turns).as("one answer of 5, and a share of 15").hasValue(11);
    }

    @Test
    void aStatementDoesNotOvertakeThoseThatWait() {
        TableLoad load = load(false);
        lock.suspect();
        runningOfFifty(load);
        clearSuspicion();
        assertThat(load.enter(statement)).isEqualTo(Admission.WAIT);
    }

    @Test
    void aStatementThatStopsWaitingDoesNotRun() {
        TableLoad load = load(false);
        runningOfFifty(load);
        for (int i = 0; i < 35; i++) {
            assertThat(load.stopWaiting(statement)).isTrue();
        }
        assertThat(load.stopWaiting(statement)).isFalse();
        load.recordAnswer();
        assertThat(turns).hasValue(0);
    }

    @Test
    void aLockedTableRejectsStatementsUntilOneIsAnswered() {
        TableLoad load = load(false);
        load.enter(statement);
        lock.lock();
        assertThat(load.enter(statement)).isEqualTo(Admission.REJECT_LOCKED);
        lock.recordAnswer();
        assertThat(load.enter(statement)).isEqualTo(Admission.RUN);
    }

    @Test
    void statementsThatWaitAreRejectedWhenTheirTableTurnsOutToBeLocked() {
        TableLoad load = load(false);
        runningOfFifty(load);
        lock.lock();
        assertThat(rejected).hasValue(35);
        assertThat(load.inFlightCount()).isEqualTo(15);
        load.leave();
        assertThat(turns).hasValue(0);
    }

    private void clearSuspicion() {
        Await.until("the table has recovered", () -> {
            lock.recordAnswer();
            return !lock.isSuspected();
        });
    }

    private TableLoad load(boolean isOnlyTable) {
        return new TableLoad(lock, POOL_SIZE, 1_000, Duration.ofMinutes(1), () -> isOnlyTable);
    }

    private int runningOfFifty(TableLoad load) {
        return Collections.frequency(
                Stream.generate(() -> load.enter(statement)).limit(50).toList(), Admission.RUN);
    }
}
