package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.connection.Execution;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brackets a query between two queries for the host's position, so that its rows are received only if the host had
 * reached the required position before. All rows of one statement are decoded before the rows of the next statement
 * arrive.
 */
final class LogPositionBracket<T> extends Execution<T> implements RowReceiver<T> {

    /** The host had not reached the required position or, if the exception has a cause, the position is unknown. */
    static final class NotReachedException extends Exception {

        private final boolean isPrimary;

        NotReachedException(boolean isPrimary, @Nullable Throwable cause) {
            super("the host has not reached the required position", cause, false, false);
            this.isPrimary = isPrimary;
        }

        /** Whether the host is a primary; it can reach the position without any further change. */
        boolean isPrimary() {
            return isPrimary;
        }
    }

    private static final Tuple NO_VALUES = Tuple.tuple();

    /** A query for the position of a host. */
    record PositionQuery(String sql, Tuple values) {
        static final PositionQuery USUAL = new PositionQuery(LogPosition.SQL, NO_VALUES);

        /** Finds more often that a primary has reached the floor. */
        static PositionQuery exact(Floor floor) {
            return new PositionQuery(LogPosition.EXACT_SQL, Tuple.of(floor.xmin(), floor.xmax()));
        }
    }

    private static final Collector<Row, ?, LogPosition> POSITION = Collectors.collectingAndThen(
            Collectors.mapping(LogPosition::of, Collectors.toList()), positions -> positions.get(0));

    private enum Start {
        UNKNOWN,
        REACHED,
        NOT_REACHED,
        NOT_REACHED_BY_PRIMARY
    }

    private final PositionQuery before;
    private final Predicate<LogPosition> isFarEnough;
    private final Function<LogPosition, Floor> recordRead;

    /** Whether the host had reached the required position before the statement. */
    private volatile Start start = Start.UNKNOWN;

    /** Why the position before the statement is unknown; empty if it is known. */
    private Optional<Throwable> failureBefore = Optional.empty();

    /** The answer to the statement; until it arrives, as if the connection had been lost. */
    private AsyncResult<SqlResult<T>> readAnswer = Future.failedFuture(ClosedConnectionException.INSTANCE);

    /**
     * @param query the execution of the query alone
     * @param before the query for the first position
     * @param isFarEnough whether the first position is far enough; if not, the rows of the statement are ignored
     * @param recordRead called with the position after the statement; returns a floor that includes what was read
     */
    LogPositionBracket(
            Execution<T> query,
            PositionQuery before,
            Predicate<LogPosition> isFarEnough,
            Function<LogPosition, Floor> recordRead) {
        super(query);
        this.before = before;
        this.isFarEnough = isFarEnough;
        this.recordRead = recordRead;
    }

    @Override
    protected int statementCount() {
        return 3;
    }

    @Override
    protected void sendOver(Connection connection, Handler<AsyncResult<Result<T>>> handler) {
        connection.send(
                this,
                before.sql(),
                before.values(),
                RowReceiver.of(Collector.of(() -> this, LogPositionBracket::start, (one, other) -> one)),
                answer -> failureBefore = Optional.ofNullable(answer.cause()));
        connection.send(this, sql, values, this, answer -> readAnswer = answer);
        connection.send(
                this, LogPosition.SQL, NO_VALUES, RowReceiver.of(POSITION), answer -> handler.handle(result(answer)));
    }

    private void start(Row row) {
        LogPosition position = LogPosition.of(row);
        start = isFarEnough.test(position)
                ? Start.REACHED
                : position.isPrimary() ? Start.NOT_REACHED_BY_PRIMARY : Start.NOT_REACHED;
    }

    private Future<Result<T>> result(AsyncResult<SqlResult<LogPosition>> positionAfter) {
        boolean isPrimaryBehind = start == Start.NOT_REACHED_BY_PRIMARY;
        if (isPrimaryBehind || start == Start.NOT_REACHED || start == Start.UNKNOWN && readAnswer.succeeded()) {
            return Future.failedFuture(new NotReachedException(isPrimaryBehind, failureBefore.orElse(null)));
        }
        if (readAnswer.failed()) {
            return Future.failedFuture(readAnswer.cause());
        }
        return positionAfter.failed()
                ? Future.failedFuture(positionAfter.cause())
                : Future.succeededFuture(new Result<>(
                        readAnswer.result().value(),
                        Optional.of(recordRead.apply(positionAfter.result().value()))));
    }

    /**
     * Ignores all later rows. Called when the execution has failed: rows of a connection that was abandoned can still
     * arrive while another host runs the query.
     */
    void ignoreFurtherRows() {
        start = Start.UNKNOWN;
    }

    @Override
    public Collector<Row, ?, T> collector() {
        return ignoreUnlessReached(receiver.collector());
    }

    private <A> Collector<Row, A, T> ignoreUnlessReached(Collector<Row, A, T> collector) {
        return Collector.of(
                collector.supplier(),
                (collected, row) -> {
                    if (start == Start.REACHED) {
                        collector.accumulator().accept(collected, row);
                    }
                },
                collector.combiner(),
                collected -> start == Start.REACHED ? collector.finisher().apply(collected) : null);
    }

    @Override
    public boolean isRetryable() {
        return receiver.isRetryable();
    }

    @Override
    public boolean acceptsWireRows() {
        return receiver.acceptsWireRows();
    }

    @Override
    public int maxValueBytes() {
        return receiver.maxValueBytes();
    }

    @Override
    public boolean reads(int column) {
        return receiver.reads(column);
    }

    @Override
    public boolean receive(StatementRow row) {
        return start == Start.REACHED && receiver.receive(row);
    }
}
