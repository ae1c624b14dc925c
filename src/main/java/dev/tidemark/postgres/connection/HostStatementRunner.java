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
 * <p>Lists that an index serves are read over pinned connections or the pool {@code indexed}. The settings of these
 * sessions make the planner take the order from an index, and plan each statement once. With the default settings, the
 * planner might plan every execution anew, or choose a plan that sorts, because it can underestimate the number of rows
 * by a factor of a thousand. If such a list is in one shard of a Citus table, it is read over the pool {@code sharded} instead, where
 * statements are planned for their actual values, because the values determine the shard. This pool is as large as
 * {@code indexed}, because these lists are fast too. All other statements run over the pool {@code free}, where they
 * are planned for their actual values too. Fast lists therefore never wait for a connection that a slow list uses.
 */
final class HostStatementRunner {

    private final boolean isPipelined;
    private final PinnedConnections pinnedConnections;
    private final PoolStatementRunner indexed;
    private final PoolStatementRunner sharded;
    private final PoolStatementRunner free;

    /** @param isPipelined whether lists that an index serves are read over pinned connections */
    HostStatementRunner(
            boolean isPipelined,
            PinnedConnections pinnedConnections,
            PoolStatementRunner indexed,
            PoolStatementRunner sharded,
            PoolStatementRunner free) {
        this.isPipelined = isPipelined;
        this.pinnedConnections = pinnedConnections;
        this.indexed = indexed;
        this.sharded = sharded;
        this.free = free;
    }

    /**
     * Runs a statement over a pinned connection or a pool. Fails with a {@link dev.tidemark.feed.read.ReadFailure}. If
     * a pinned connection is lost before the first row arrives, the statement is retried once, over a pool.
     */
    <T> Uni<T> query(Statement statement, Tuple values, RowReceiver<T> receiver) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection connection = pinnedConnectionFor(statement, context);
        if (connection == null) {
            return runInPool(statement, values, receiver);
        }
        long startNanos = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> connection.query(
                        statement.sql(),
                        values,
                        receiver,
                        answer -> context.dispatch(() -> {
                            pinnedConnections.record(startNanos, answer.cause());
                            if (answer.succeeded()) {
                                emitter.complete(answer.result().value());
                            } else if (Failures.isConnectionLost(answer.cause()) && receiver.isRetryable()) {
                                runInPool(statement, values, receiver)
                                        .subscribe()
                                        .with(emitter::complete, emitter::fail);
                            } else {
                                emitter.fail(ReadFailures.logAndTranslate(answer.cause()));
                            }
                        })));
    }

    /** Returns the pinned connection of this event loop; {@code null} if the statement must run over a pool. */
    private PinnedConnection pinnedConnectionFor(Statement statement, ContextInternal context) {
        return statement.kind() == Statement.Kind.INDEXED && isPipelined
                ? pinnedConnections.ofEventLoop(context)
                : null;
    }

    private <T> Uni<T> runInPool(Statement statement, Tuple values, RowReceiver<T> receiver) {
        return poolRunnerFor(statement).query(statement.sql(), values, receiver);
    }

    private PoolStatementRunner poolRunnerFor(Statement statement) {
        return switch (statement.kind()) {
            case INDEXED -> indexed;
            case ONE_SHARD -> sharded;
            case SEVERAL_SHARDS, FREE -> free;
        };
    }

    /**
     * Reads the host's position, runs a statement, and reads the position again. Unlike {@link #query}, fails with the
     * driver's failure, so that the caller can decide whether to retry the statement on another host. Fails with a
     * {@link dev.tidemark.feed.read.ReadFailure} only if the statement would wait too long or the host is silent.
     *
     * @param isFarEnough whether the first position is far enough; if not, the rows of the statement are ignored
     */
    <T> Uni<ResultAtLogPosition<T>> queryAtLogPosition(
            Statement statement, Tuple values, RowReceiver<T> receiver, Predicate<LogPosition> isFarEnough) {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        PinnedConnection connection = pinnedConnectionFor(statement, context);
        ReceiverAtLogPosition<T> receiverAtLogPosition = new ReceiverAtLogPosition<>(receiver, isFarEnough);
        return (connection == null
                        ? runInPoolAtLogPosition(statement, values, receiverAtLogPosition)
                        : runPinnedAtLogPosition(connection, context, statement, values, receiverAtLogPosition))
                .onFailure()
                .invoke(receiverAtLogPosition::ignoreFurtherRows);
    }

    private <T> Uni<ResultAtLogPosition<T>> runPinnedAtLogPosition(
            PinnedConnection connection,
            ContextInternal context,
            Statement statement,
            Tuple values,
            ReceiverAtLogPosition<T> receiver) {
        long startNanos = System.nanoTime();
        return Uni.createFrom()
                .emitter(emitter -> connection.queryAtLogPosition(
                        statement.sql(),
                        values,
                        receiver,
                        result -> context.dispatch(() -> {
                            pinnedConnections.record(startNanos, result.cause());
                            if (result.succeeded()) {
                                emitter.complete(result.result());
                            } else {
                                emitter.fail(result.cause());
                            }
                        })));
    }

    /**
     * Reads the second position only after the rows have arrived, because the driver may send a statement again, after
     * later statements.
     */
    private <T> Uni<ResultAtLogPosition<T>> runInPoolAtLogPosition(
            Statement statement, Tuple values, ReceiverAtLogPosition<T> receiver) {
        return poolRunnerFor(statement).run(connection -> {
            connection
                    .preparedQuery(LogPosition.SQL)
                    .collecting(receiver.receiverOfPositionBefore().collector())
                    .execute()
                    .onComplete(receiver::onPositionBefore);
            return connection
                    .preparedQuery(statement.sql())
                    .collecting(receiver.collector())
                    .execute(values)
                    .transform(read -> {
                        receiver.onRead(read);
                        return connection
                                .preparedQuery(LogPosition.SQL)
                                .collecting(receiver.receiverOfPositionAfter().collector())
                                .execute();
                    })
                    .transform(receiver::result);
        });
    }

    /**
     * Cuts the connections of the pools. Statements that wait for a connection fail immediately, as if their connection
     * had been lost.
     */
    void cut() {
        poolRunners().forEach(PoolStatementRunner::cut);
    }

    /**
     * Closes the pinned connections, and cuts the connections of the pools that are still open after the grace period.
     */
    void close(Duration gracePeriod, Vertx vertx) {
        pinnedConnections.close();
        poolRunners().forEach(pool -> pool.connections().cutAfter(gracePeriod, vertx));
    }

    private List<PoolStatementRunner> poolRunners() {
        return List.of(indexed, sharded, free);
    }
}
