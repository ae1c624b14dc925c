package dev.tidemark.postgres.connection;

import dev.tidemark.framework.Contexts;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries on one host: decides for each whether it is sent over a pinned connection or over a pool, and what
 * follows from the answer.
 *
 * <p>Lists that an index serves are read over pinned connections or the pool {@code indexed}. The settings of these
 * sessions make the planner take the order from an index, and plan each statement once. With the default settings,
 * the planner might plan every execution anew, or choose a plan that sorts, because it can underestimate the number of
 * rows by a factor of a thousand. If such a list is in one shard of a Citus table, it is read over the pool
 * {@code sharded} instead, where statements are planned for their actual values, because the values determine the
 * shard. This pool is as large as {@code indexed}, because these lists are fast too. All other statements run over the
 * pool {@code free}, where they are planned for their actual values too. Fast lists therefore never wait for a
 * connection that a slow list uses.
 *
 * <p>The server itself reads lists, too, for event streams. If an index serves such a list, it is read over the pool
 * {@code live}, so that pages never wait for these reads. So is a search, which looks at thousands of entries of an
 * index. If an index on text finds the rows of a search, it is read over the pool {@code text}, where statements are
 * planned for their actual values, and soon time out.
 */
public final class QueryRouter implements QueryRunner {

    private final boolean mayPin;
    private final boolean isSingleHost;
    private final PinnedConnections pinned;
    private final PoolStatementRunner indexed;
    private final PoolStatementRunner live;
    private final PoolStatementRunner sharded;
    private final PoolStatementRunner text;
    private final PoolStatementRunner free;
    private final TableReads.ByTables tables;

    public QueryRouter(HostConnections host, PostgresConfig config, MeterRegistry metrics) {
        this.mayPin = config.pipelined();
        this.isSingleHost = host.isSingle();
        this.pinned = host.pinned();
        this.indexed = host.indexed();
        this.live = host.live();
        this.sharded = host.sharded();
        this.text = host.text();
        this.free = host.free();
        this.tables = new TableReads.ByTables(metrics, pinned.name());
    }

    @Override
    public <T> void run(Query<T> query, Handler<AsyncResult<Result<T>>> handler) {
        run(query, execution(query), handler);
    }

    /** Returns the execution that sends the query alone. */
    public <T> Execution<T> execution(Query<T> query) {
        Statement statement = query.statement();
        return new Execution<>(
                tables.of(statement.tables()),
                statement.sql(),
                query.values(),
                query.receivers().get());
    }

    /** Runs an execution of a query. Fails as {@link QueryRunner#run} does. */
    public <T> void run(Query<T> query, Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
        PoolStatementRunner pool = pool(query);
        Context context = Contexts.current();
        PinnedConnection connection = pool == indexed ? pinnedConnection(context, execution.tables()) : null;
        if (context == null || connection == null) {
            // Admitted there: by the breaker and the bulkhead of its tables, then by the limit of the pool.
            pool.run(execution, handler);
            return;
        }
        long startNanos = System.nanoTime();
        // The answer arrives in the context of the event loop, and goes back to that of the request.
        connection.run(
                execution,
                answer -> Contexts.dispatch(context, () -> {
                    Throwable failure = answer.cause();
                    if (failure == ReadFailures.WAIT_TOO_LONG) {
                        pinned.meters().recordRejected();
                        handler.handle(answer);
                        return;
                    }
                    pinned.meters().recordAnswer(startNanos);
                    if (failure != null && isRepeatedOverPool(failure) && execution.isRetryable()) {
                        pool.run(execution, handler);
                    } else {
                        handler.handle(answer);
                    }
                }));
    }

    /** A query for which no request waits uses no connection over which pages are usually read. */
    private PoolStatementRunner pool(Query<?> query) {
        return switch (query.statement().kind()) {
            case INDEXED -> query.preference().isRequested() ? indexed : live;
            case INDEXED_SEARCH -> live;
            case ONE_SHARD -> sharded;
            case TEXT_INDEXED -> text;
            case SEVERAL_SHARDS, FREE -> free;
        };
    }

    /** The pinned connection over which statements on these tables are sent; {@code null} if they use the pool. */
    private @Nullable PinnedConnection pinnedConnection(@Nullable Context context, TableReads reads) {
        if (!mayPin) {
            return null;
        }
        if (reads.lock().isSuspected()) {
            // Others would wait behind a statement that waits for a lock.
            return null;
        }
        if (tables.areSeveral() && !reads.pinned().hasRoom(pinned.count())) {
            // Statements on other tables would wait behind these for too long.
            return null;
        }
        // None if the caller is not on an event loop, or the connection is not open, or has been silent.
        return pinned.ofEventLoop(context);
    }

    /**
     * Whether a pool may answer what a pinned connection has not: earlier statements wait for locks or are slow, or
     * this one has waited for a lock, for which it gets more time over a pool, or the connection is lost. If a
     * connection to one of several hosts is lost, another host is tried instead.
     */
    private boolean isRepeatedOverPool(Throwable failure) {
        return failure == ReadFailures.BLOCKED
                || Failures.isLockTimeout(failure)
                || isSingleHost && Failures.isConnectionLost(failure);
    }
}
