package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.connection.Execution;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.TestExecutions;
import dev.tidemark.postgres.hosts.LogPositionBracket.NotReachedException;
import dev.tidemark.postgres.rows.RowReceiver;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A statement between two queries for the log position, on a real PostgreSQL. */
@BesideQuarkusTests
class LogPositionBracketTest {

    private static final String INVALID_QUERY = "SELECT nothing";
    private static final Floor FLOOR = new Floor(7, 1, 300);

    private final Vertx vertx = Vertx.vertx();
    private final PgConnection connection = PgConnection.connect(
                    vertx, PgConnectOptions.fromUri(TestPostgres.newDatabase()).setUser("postgres"))
            .toCompletionStage()
            .toCompletableFuture()
            .join();

    private Optional<LogPosition> positionAfter = Optional.empty();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void theRowsAreReadIfTheFirstPositionSuffices() {
        Result<Long> counted =
                count(LogPosition.SQL, LogPosition.SQL, position -> true).result();
        assertThat(counted.value()).isEqualTo(3);
        assertThat(counted.floor()).contains(FLOOR);
        assertThat(positionAfter)
                .hasValueSatisfying(position -> assertThat(position.isPrimary()).isTrue());
    }

    @Test
    void theRowsAreIgnoredIfTheFirstPositionDoesNotSuffice() {
        Throwable failure =
                count(LogPosition.SQL, LogPosition.SQL, position -> false).cause();
        assertThat(failure).isInstanceOf(NotReachedException.class).hasNoCause();
    }

    @Test
    void theRowsAreIgnoredAndTheCauseIsKeptIfTheFirstPositionIsUnknown() {
        Throwable failure =
                count(INVALID_QUERY, LogPosition.SQL, position -> true).cause();
        assertThat(failure)
                .isInstanceOf(NotReachedException.class)
                .cause()
                .isInstanceOf(PgException.class)
                .hasMessageContaining("nothing");
    }

    @Test
    void theReadFailsIfTheLastPositionIsUnknown() {
        assertThat(count(LogPosition.SQL, INVALID_QUERY, position -> true).cause())
                .isInstanceOf(PgException.class)
                .hasMessageContaining("nothing");
    }

    /**
     * Counts three rows in a bracket.
     *
     * @param before sent instead of the first query for the position
     * @param after sent instead of the last query for the position
     */
    private Future<Result<Long>> count(String before, String after, Predicate<LogPosition> isFarEnough) {
        String read = "SELECT generate_series(1, 3)";
        LogPositionBracket<Long> bracket = new LogPositionBracket<>(
                TestExecutions.of(read, RowReceiver.of(Collectors.counting())),
                LogPositionBracket.PositionQuery.USUAL,
                isFarEnough,
                position -> {
                    positionAfter = Optional.of(position);
                    return FLOOR;
                });
        Promise<Result<Long>> result = Promise.promise();
        bracket.sendOver(sending(List.of(before, read, after).iterator()), result);
        Await.until("all statements have ended", result.future()::isComplete);
        return result.future();
    }

    private Execution.Connection sending(Iterator<String> statements) {
        return new Execution.Connection() {
            @Override
            public <T> void send(
                    Execution<?> execution,
                    String sql,
                    Tuple values,
                    RowReceiver<T> receiver,
                    Handler<AsyncResult<SqlResult<T>>> handler) {
                connection
                        .preparedQuery(statements.next())
                        .collecting(receiver.collector())
                        .execute(values)
                        .onComplete(handler);
            }
        };
    }
}
