package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.LogPosition;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Runs statements over the pinned connections and the pools of one host.
 *
 * <p>Lists that an index serves are read over pinned connections or the pool {@code indexed}, where the planner must
 * take the order from an index and plans each statement once. Without these settings, the planner would plan every
 * execution, or it would sort, because it can underestimate the number of rows by a factor of a thousand. All other
 * statements run in the pool {@code free}, where the planner plans for the actual values. Slow lists therefore never
 * delay fast ones. Lists in one shard of a Citus table are read in the pool {@code sharded}, which plans for the actual
 * values too, because the values determine the shard. It is as large as {@code indexed}, because these lists are fast.
 */
final class HostStatements {

    private final boolean isPipelined;
    private final PinnedConnections pinned;
    private final PooledStatements indexed;
    private final PooledStatements sharded;
    private final PooledStatements free;

    /** @param isPipelined whether lists that an index serves are read over pinned connections */
    HostStatements(
            boolean isPipelined,
            PinnedConnections pinned,
            PooledStatements indexed,
            PooledStatements sharded,
            PooledStatements free) {
        this.isPipelined = isPipelined;
        this.pinned = pinned;
        this.indexed = indexed;
        this.sharded = sharded;
        this.free = free;
    }

    /**
     * Runs a statement over a pinned connection or a pool. Fails with a {@link dev.tidemark.feed.read.ReadFailure}. If a
     * pinned connection is lost before the first row arrives, the statement is retried once, over the pool.
     */
    <T> Uni<T> query(Statement statement, Tuple values, RowReceiver<T> rows) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection connection = pinned(statement, context);
        if (connection == null) {
            return pooled(statement, values, rows);
        }
        long start = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> connection.query(
                        statement.sql(),
                        values,
                        rows,
                        answer -> context.dispatch(() -> {
                            pinned.record(start, answer.cause());
                            if (answer.succeeded()) {
                                emitter.complete(answer.result().value());
                            } else if (Failures.isConnectionLost(answer.cause()) && rows.isRetryable()) {
                                pooled(statement, values, rows).subscribe().with(emitter::complete, emitter::fail);
                            } else {
                                emitter.fail(Failures.translate(answer.cause()));
                            }
                        })));
    }

    private PinnedConnection pinned(Statement statement, ContextInternal context) {
        return statement.kind() == Statement.Kind.INDEXED && isPipelined ? pinned.ofEventLoop(context) : null;
    }

    private <T> Uni<T> pooled(Statement statement, Tuple values, RowReceiver<T> rows) {
        return poolFor(statement).query(statement.sql(), values, rows.collector());
    }

    private PooledStatements poolFor(Statement statement) {
        return switch (statement.kind()) {
            case INDEXED -> indexed;
            case SHARD -> sharded;
            case SHARDS, FREE -> free;
        };
    }

    /**
     * Reads the host's position, runs a statement, and reads the position again. Fails with the driver's failure, or
     * with a {@link dev.tidemark.feed.read.ReadFailure}.
     *
     * @param suffices whether the first position is far enough; if not, the rows of the statement are ignored
     */
    <T> Uni<ResultAtPosition<T>> query(
            Statement statement, Tuple values, RowReceiver<T> rows, Predicate<LogPosition> suffices) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection connection = pinned(statement, context);
        RowsAtPosition<T> rowsAtPosition = new RowsAtPosition<>(rows, suffices);
        return (connection == null
                        ? pooled(statement, values, rowsAtPosition)
                        : pinned(connection, context, statement, values, rowsAtPosition))
                .onFailure()
                .invoke(rowsAtPosition::close);
    }

    private <T> Uni<ResultAtPosition<T>> pinned(
            PinnedConnection connection,
            ContextInternal context,
            Statement statement,
            Tuple values,
            RowsAtPosition<T> rows) {
        long start = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> connection.queryAtPosition(
                        statement.sql(),
                        values,
                        rows,
                        result -> context.dispatch(() -> {
                            pinned.record(start, result.cause());
                            if (result.succeeded()) {
                                emitter.complete(result.result());
                            } else {
                                emitter.fail(result.cause());
                            }
                        })));
    }

    /**
     * The second position is read only after the rows have arrived, because the driver may send a statement again,
     * after those that follow it.
     */
    private <T> Uni<ResultAtPosition<T>> pooled(Statement statement, Tuple values, RowsAtPosition<T> rows) {
        return poolFor(statement).run(connection -> {
            connection
                    .preparedQuery(LogPosition.SQL)
                    .collecting(rows.positionBefore().collector())
                    .execute()
                    .onComplete(rows::onPositionBefore);
            return connection
                    .preparedQuery(statement.sql())
                    .collecting(rows.collector())
                    .execute(values)
                    .transform(read -> {
                        rows.onRead(read);
                        return connection
                                .preparedQuery(LogPosition.SQL)
                                .collecting(rows.positionAfter().collector())
                                .execute();
                    })
                    .transform(rows::result);
        });
    }

    /** Cuts the connections of the pools. Statements that wait for one fail as lost at once. */
    void cut() {
        pools().forEach(PooledStatements::cut);
    }

    /** Closes the pinned connections, and cuts those of the pools that are still open after the given time. */
    void close(Duration time, Vertx vertx) {
        pinned.close();
        pools().forEach(statements -> statements.connections().cutAfter(time, vertx));
    }

    private List<PooledStatements> pools() {
        return List.of(indexed, sharded, free);
    }
}
