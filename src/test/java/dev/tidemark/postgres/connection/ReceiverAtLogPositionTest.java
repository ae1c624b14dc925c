package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.hosts.LogPosition;
import dev.tidemark.postgres.rows.RowReceiver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A statement between two queries for the log position, on a real PostgreSQL. */
@BesideQuarkusTests
class ReceiverAtLogPositionTest {

    private static final String INVALID_QUERY = "SELECT nothing";

    private final Vertx vertx = Vertx.vertx();
    private final PgConnection connection = PgConnection.connect(
                    vertx, PgConnectOptions.fromUri(TestPostgres.newDatabase()).setUser("postgres"))
            .toCompletionStage()
            .toCompletableFuture()
            .join();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void theRowsAreReadIfTheFirstPositionSuffices() {
        ResultAtLogPosition<Long> located = countAtPosition(LogPosition.SQL, LogPosition.SQL, position -> true)
                .result();
        assertThat(located.value()).isEqualTo(3);
        assertThat(located.position().isPrimary()).isTrue();
    }

    @Test
    void theRowsAreIgnoredIfTheFirstPositionDoesNotSuffice() {
        ResultAtLogPosition<Long> located = countAtPosition(LogPosition.SQL, LogPosition.SQL, position -> false)
                .result();
        assertThat(located.hasResult()).isFalse();
        assertThat(located.failure()).isNull();
    }

    @Test
    void theRowsAreIgnoredAndTheCauseIsKeptIfTheFirstPositionIsUnknown() {
        ResultAtLogPosition<Long> located = countAtPosition(INVALID_QUERY, LogPosition.SQL, position -> true)
                .result();
        assertThat(located.hasResult()).isFalse();
        assertThat(located.failure()).isInstanceOf(PgException.class).hasMessageContaining("nothing");
    }

    @Test
    void theReadFailsIfTheLastPositionIsUnknown() {
        assertThat(countAtPosition(LogPosition.SQL, INVALID_QUERY, position -> true)
                        .cause())
                .isInstanceOf(PgException.class)
                .hasMessageContaining("nothing");
    }

    private Future<ResultAtLogPosition<Long>> countAtPosition(
            String first, String last, Predicate<LogPosition> suffices) {
        ReceiverAtLogPosition<Long> rows = new ReceiverAtLogPosition<>(RowReceiver.of(Collectors.counting()), suffices);
        query(first, rows.receiverOfPositionBefore().collector()).onComplete(rows::onPositionBefore);
        query("SELECT generate_series(1, 3)", rows.collector()).onComplete(rows::onRead);
        Future<ResultAtLogPosition<Long>> located =
                query(last, rows.receiverOfPositionAfter().collector()).transform(rows::result);
        Await.until("all statements have ended", located::isComplete);
        return located;
    }

    private <T> Future<SqlResult<T>> query(String sql, Collector<Row, ?, T> rows) {
        return connection.preparedQuery(sql).collecting(rows).execute(Tuple.tuple());
    }
}
