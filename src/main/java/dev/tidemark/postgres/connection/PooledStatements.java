package dev.tidemark.postgres.connection;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.postgres.wire.OpenConnections;
import dev.tidemark.postgres.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collector;

/** Runs statements over a pool; a statement that would wait too long for a connection is rejected at once. */
final class PooledStatements {

    /** Acquisitions up to this long count as immediate. */
    private static final Duration IMMEDIATE = Duration.ofMillis(100);

    private final Pool pool;
    private final ExpectedWait wait;
    private final Duration longestSilence;
    private final StatementMeters meters;
    private final OpenConnections connections = new OpenConnections();

    /** @param longestSilence a statement fails when it has waited this long for its answer */
    PooledStatements(Pool pool, String name, ExpectedWait wait, Duration longestSilence, MeterRegistry metrics) {
        this.pool = pool;
        this.wait = wait;
        this.longestSilence = longestSilence;
        this.meters = new StatementMeters(metrics, name, wait::inFlight);
    }

    /** Fails with a {@link ReadFailure}. */
    <T> Uni<T> query(String sql, Tuple values, Collector<Row, ?, T> rows) {
        return Uni.createFrom().deferred(() -> {
            if (!wait.enter()) {
                meters.refused();
                return Uni.createFrom().failure(Failures.FULL);
            }
            Turn<T> turn = new Turn<>(sql, values, rows);
            return UniHelper.toUni(pool.withConnection(turn::run).onComplete(ended -> turn.end()))
                    .map(SqlResult::value)
                    .ifNoItem()
                    .after(longestSilence)
                    .failWith(turn::giveUp)
                    .onFailure()
                    .transform(Failures::named);
        });
    }

    /** The connections over which statements were run. */
    OpenConnections connections() {
        return connections;
    }

    /** One statement, which may be given up before it has a connection. */
    private final class Turn<T> {

        private final long start = System.nanoTime();
        private final String sql;
        private final Tuple values;
        private final Collector<Row, ?, T> rows;
        private volatile Wire wire;
        private volatile long begunNanos;
        private volatile boolean begun;
        private volatile boolean givenUp;

        Turn(String sql, Tuple values, Collector<Row, ?, T> rows) {
            this.sql = sql;
            this.values = values;
            this.rows = rows;
        }

        Future<SqlResult<T>> run(SqlConnection connection) {
            if (givenUp) {
                return Future.failedFuture(Failures.FULL);
            }
            begunNanos = System.nanoTime();
            wire = connections.add(connection);
            begun = true;
            return connection.preparedQuery(sql).collecting(rows).execute(values);
        }

        void end() {
            wire = null;
            if (begun) {
                wait.answered();
                meters.answered(start);
            } else {
                wait.leave();
            }
        }

        /**
         * A silent database does not enforce its statement timeout, so the wait for it has a timeout of its own. The connection is
         * cut, or it would stay in the pool until the network gives up. A statement that started late still gets its full timeout.
         */
        ReadFailure giveUp() {
            givenUp = true;
            if (!begun) {
                return wait.isSilentSince(start) ? Failures.SILENT : Failures.FULL;
            }
            long left = longestSilence.toNanos() - (System.nanoTime() - begunNanos);
            if (left > IMMEDIATE.toNanos()) {
                Infrastructure.getDefaultWorkerPool().schedule(this::cut, left, TimeUnit.NANOSECONDS);
                return Failures.FULL;
            }
            cut();
            return Failures.SILENT;
        }

        /** Does nothing if the statement has ended. */
        private void cut() {
            Wire silent = wire;
            if (silent != null) {
                silent.cut();
            }
        }
    }
}
