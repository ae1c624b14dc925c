package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.LogPosition;
import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.rows.WireRows;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import java.util.function.Predicate;
import java.util.stream.Collector;

/**
 * The rows of one statement, taken only if its host had come far enough before. Of three statements on one connection, the first and
 * the last ask for the host's position. Each row of an answer is decoded before those of the next one arrive.
 */
final class RowsAtPosition<T> implements Rows<T> {

    private final Rows<T> rows;
    private final Predicate<LogPosition> suffices;
    private final PositionRow before = new PositionRow();
    private final PositionRow after = new PositionRow();
    private AsyncResult<SqlResult<T>> read;

    RowsAtPosition(Rows<T> rows, Predicate<LogPosition> suffices) {
        this.rows = rows;
        this.suffices = suffices;
    }

    /** For the position before the statement. */
    Rows<Void> before() {
        return Rows.decoded(before.collector());
    }

    /** For the position after the statement. */
    Rows<Void> after() {
        return Rows.decoded(after.collector());
    }

    /** The statement has ended. */
    void read(AsyncResult<SqlResult<T>> answer) {
        read = answer;
    }

    /** All three have ended. */
    Future<Located<T>> located(AsyncResult<SqlResult<Void>> end) {
        boolean isRead = read != null && read.succeeded();
        if (!before.isSufficient && (before.position != null || isRead)) {
            return Future.succeededFuture(new Located<>(null, null));
        }
        if (read == null) {
            return Future.failedFuture(end.cause());
        }
        if (read.failed()) {
            return Future.failedFuture(read.cause());
        }
        return end.failed()
                ? Future.failedFuture(end.cause())
                : Future.succeededFuture(new Located<>(read.result().value(), after.position));
    }

    /** Takes no more rows. Those of a connection that was given up can still arrive while the statement is tried elsewhere. */
    void close() {
        before.isSufficient = false;
    }

    @Override
    public Collector<Row, ?, T> collector() {
        return gated(rows.collector());
    }

    private <A> Collector<Row, A, T> gated(Collector<Row, A, T> collector) {
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
    public boolean isUntouched() {
        return rows.isUntouched();
    }

    @Override
    public WireRows wire() {
        WireRows wire = rows.wire();
        return wire == null ? null : row -> before.isSufficient && wire.take(row);
    }

    /** Decodes the single row of a query for the position of the host. */
    private final class PositionRow {

        private LogPosition position;
        private volatile boolean isSufficient;

        Collector<Row, PositionRow, Void> collector() {
            return Collector.of(() -> this, PositionRow::set, (one, other) -> one, one -> null);
        }

        private void set(Row row) {
            position = LogPosition.of(row);
            isSufficient = suffices.test(position);
        }
    }
}
