package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.postgres.connection.TableLoad.Admission;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableLoadTest {

    private static final int POOL_SIZE = 20;

    private final AtomicInteger turns = new AtomicInteger();

    @Test
    void oneOfSeveralTablesTakesAtMostThreeQuartersOfAPool() {
        assertThat(runningOfFifty(load(false))).isEqualTo(15);
    }

    @Test
    void aSlowTableTakesAtMostAQuarterOfAPool() {
        TableLoad load = load(false);
        load.markSlow();
        assertThat(runningOfFifty(load)).isEqualTo(5);
    }

    @Test
    void theOnlyTableMayTakeAWholePool() {
        TableLoad load = load(true);
        load.markSlow();
        assertThat(runningOfFifty(load)).isEqualTo(POOL_SIZE);
    }

    @Test
    void anAnswerLetsAStatementRunThatWaits() {
        TableLoad load = load(false);
        runningOfFifty(load);
        assertThat(turns).hasValue(0);
        load.recordAnswer(System.nanoTime());
        assertThat(turns).hasValue(1);
        assertThat(load.inFlightCount()).isEqualTo(49);
    }

    @Test
    void aStatementThatStopsWaitingDoesNotRun() {
        TableLoad load = load(false);
        Runnable last = turns::incrementAndGet;
        for (int i = 0; i < 15; i++) {
            load.enter(() -> {});
        }
        assertThat(load.enter(last)).isEqualTo(Admission.WAIT);
        assertThat(load.stopWaiting(last)).isTrue();
        load.recordAnswer(System.nanoTime());
        assertThat(turns).hasValue(0);
    }

    @Test
    void aLockedTableRejectsStatementsUntilOneIsAnswered() {
        TableLoad load = load(false);
        load.enter(() -> {});
        load.markLocked();
        assertThat(load.enter(() -> {})).isEqualTo(Admission.REJECT);
        load.recordAnswer(System.nanoTime());
        assertThat(load.enter(() -> {})).isEqualTo(Admission.RUN);
    }

    private static TableLoad load(boolean isOnlyTable) {
        return new TableLoad(POOL_SIZE, 1_000, Duration.ofMinutes(1), () -> isOnlyTable);
    }

    private int runningOfFifty(TableLoad load) {
        return Collections.frequency(
                Stream.generate(() -> load.enter(turns::incrementAndGet))
                        .limit(50)
                        .toList(),
                Admission.RUN);
    }
}
