package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.LogPosition;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import java.util.function.Predicate;
import java.util.stream.Collector;

/**
 * Receives the rows of a read, but only if the host had reached the required position before the read. Three statements
 * are sent over one connection: a query for the host's position, the read, and the query for the position again. All
 * rows of one statement are decoded before the rows of the next statement arrive.
 */
final class ReceiverAtLogPosition<T> implements RowReceiver<T> {

    private final RowReceiver<T> receiver;
    private final Predicate<LogPosition> isFarEnough;
    private final PositionRow before = new PositionRow();
    private final PositionRow after = new PositionRow();
    private Throwable failureBefore;
    private AsyncResult<SqlResult<T>> readAnswer;

    ReceiverAtLogPosition(RowReceiver<T> receiver, Predicate<LogPosition> isFarEnough) {
        this.receiver = receiver;
        this.isFarEnough = isFarEnough;
    }

    /** Receives the position before the read. */
    RowReceiver<Void> receiverOfPositionBefore() {
        return RowReceiver.of(before.collector());
    }

    /** Receives the position after the read. */
    RowReceiver<Void> receiverOfPositionAfter() {
        return RowReceiver.of(after.collector());
    }

    /** Called when the query for the position before the read has ended. */
    void onPositionBefore(AsyncResult<SqlResult<Void>> answer) {
        failureBefore = answer.cause();
    }

    /** Called when the read has ended. */
    void onRead(AsyncResult<SqlResult<T>> answer) {
        readAnswer = answer;
    }

    /** Called when all three statements have ended. Returns the result of the read, with the position after it. */
    Future<ResultAtLogPosition<T>> result(AsyncResult<SqlResult<Void>> answerAfter) {
        boolean isRead = readAnswer != null && readAnswer.succeeded();
        if (!before.isSufficient && (before.position != null || isRead)) {
            return Future.succeededFuture(new ResultAtLogPosition<>(null, null, failureBefore));
        }
        if (readAnswer == null) {
            return Future.failedFuture(answerAfter.cause());
        }
        if (readAnswer.failed()) {
            return Future.failedFuture(readAnswer.cause());
        }
        return answerAfter.failed()
                ? Future.failedFuture(answerAfter.cause())
                : Future.succeededFuture(
                        new ResultAtLogPosition<>(readAnswer.result().value(), after.position, null));
    }

    /**
     * Ignores all later rows. Rows of a connection that was abandoned can still arrive while another host runs the
     * statement.
     */
    void ignoreFurtherRows() {
        before.isSufficient = false;
    }

    @Override
    public Collector<Row, ?, T> collector() {
        return ignoreUnlessSufficient(receiver.collector());
    }

    private <A> Collector<Row, A, T> ignoreUnlessSufficient(Collector<Row, A, T> collector) {
        return Collector.of(
                collector.supplier(),
                (collected, row) -> {
                    if (before.isSufficient) {
                        collector.accumulator().accept(collected, row);
                    }
                },
                collector.combiner(),
                collected -> before.isSufficient ? collector.finisher().apply(collected) : null);
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
    public boolean receive(StatementRow row) {
        return before.isSufficient && receiver.receive(row);
    }

    /** Decodes the single row of a query for the host's position. */
    private final class PositionRow {

        private LogPosition position;
        private volatile boolean isSufficient;

        Collector<Row, PositionRow, Void> collector() {
            return Collector.of(() -> this, PositionRow::set, (one, other) -> one, one -> null);
        }

        private void set(Row row) {
            position = LogPosition.of(row);
            isSufficient = isFarEnough.test(position);
        }
    }
}
