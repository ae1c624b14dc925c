package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.connection.Query;
import dev.tidemark.postgres.connection.QueryRouter;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadFailures;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.connection.ReadPreference.Kind;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.LogPositionBracket.PositionQuery;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Runs a query on one of several hosts after another, in a {@link LogPositionBracket}, until one that has reached the
 * read's {@link Floor} answers it.
 *
 * <p>The primary can show less than a standby for a moment, for example while it waits for another synchronous
 * standby. If no standby that has reached the floor answers meanwhile, the hosts are tried again until the longest
 * wait is over.
 */
final class FailoverRead<T> {

    private static final int SHORTEST_PAUSE_MILLIS = 10;
    private static final int LONGEST_PAUSE_MILLIS = 1_000;

    private final HostSelector hosts;
    private final List<QueryRouter> routers;
    private final Query<T> query;
    private final ReadPreference preference;
    private final Handler<AsyncResult<Result<T>>> handler;
    private final Vertx vertx;
    private final Duration longestWait;
    private final Optional<Floor> floor;
    private List<Host> candidates;
    private int triedCount;

    /** Whether the position is queried exactly. If it is not, the query costs less. */
    private boolean isExact;

    /** The primary, if it was tried, and may not have reached the floor. */
    private Optional<Host> primaryBehind = Optional.empty();

    private int pauseMillis = SHORTEST_PAUSE_MILLIS;

    /** When the wait for the primary ends. Empty until it begins. */
    private OptionalLong deadlineNanos = OptionalLong.empty();

    private Optional<Throwable> lastFailure = Optional.empty();

    /**
     * @param routers run queries on the hosts, by the index of the host
     * @param longestWait for a primary that may not show yet what a standby has shown
     * @param handler gets the result, the driver's failure, or a {@link dev.tidemark.feed.read.ReadFailure}, whose
     *     reason is {@code UNAVAILABLE} if no host that answers has reached the floor
     */
    FailoverRead(
            HostSelector hosts,
            List<QueryRouter> routers,
            Query<T> query,
            Vertx vertx,
            Duration longestWait,
            Handler<AsyncResult<Result<T>>> handler) {
        this.hosts = hosts;
        this.routers = routers;
        this.query = query;
        this.preference = query.preference();
        this.vertx = vertx;
        this.longestWait = longestWait;
        this.handler = handler;
        this.floor = hosts.floor(preference);
        this.candidates = hosts.candidates(preference);
        // These reads should not be moved to a standby without need.
        this.isExact = preference.kind() == Kind.PRIMARY || preference.kind() == Kind.ONLY_PRIMARY;
    }

    void start() {
        if (candidates.isEmpty() && preference.kind() == Kind.ONLY_PRIMARY) {
            fail(ReadFailures.logNoPrimary());
        } else {
            tryNextHost();
        }
    }

    private void tryNextHost() {
        if (triedCount == candidates.size()) {
            onNoHost();
            return;
        }
        Host host = candidates.get(triedCount++);
        QueryRouter router = routers.get(host.index());
        LogPositionBracket<T> execution = new LogPositionBracket<>(
                router.execution(query),
                isExact && floor.isPresent() ? PositionQuery.exact(floor.get()) : PositionQuery.USUAL,
                position -> host.hasReached(position, floor),
                host::recordRead);
        router.run(query, execution, answer -> {
            if (answer.succeeded()) {
                answer.result().floor().ifPresent(shown -> hosts.recordShown(preference, shown));
                handler.handle(answer);
            } else {
                onFailure(host, execution, answer.cause());
            }
        });
    }

    /** Tries the primary with an exact position, and then all hosts from time to time, if that can help. */
    private void onNoHost() {
        if (primaryBehind.isPresent() && !isExact) {
            isExact = true;
            tryAgain(List.of(primaryBehind.get()));
        } else if (primaryBehind.isPresent() && millisLeft() > 0) {
            long pause = Math.min(pauseMillis, millisLeft());
            vertx.setTimer(Math.max(1, pause), timer -> tryAgain(hosts.candidates(preference)));
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        } else {
            fail(lastFailure.orElseGet(() -> ReadFailures.logNoHost(floor)));
        }
    }

    private long millisLeft() {
        long now = System.nanoTime();
        if (deadlineNanos.isEmpty()) {
            deadlineNanos = OptionalLong.of(now + longestWait.toNanos());
        }
        return TimeUnit.NANOSECONDS.toMillis(deadlineNanos.getAsLong() - now);
    }

    private void tryAgain(List<Host> hostsToTry) {
        candidates = hostsToTry;
        triedCount = 0;
        primaryBehind = Optional.empty();
        tryNextHost();
    }

    private void fail(Throwable failure) {
        handler.handle(Future.failedFuture(failure));
    }

    private void onFailure(Host host, LogPositionBracket<T> execution, Throwable failure) {
        execution.ignoreFurtherRows();
        if (failure instanceof LogPositionBracket.NotReachedException notReached) {
            lastFailure = Optional.ofNullable(notReached.getCause()).or(() -> lastFailure);
            primaryBehind = notReached.isPrimary() ? Optional.of(host) : primaryBehind;
            tryNextHost();
        } else if (canAnotherHostAnswer(failure) && execution.isRetryable()) {
            lastFailure = Optional.of(failure);
            tryNextHost();
        } else if ((failure == ReadFailures.WAIT_TOO_LONG || failure == ReadFailures.LOCKED && execution.isRetryable())
                && host.use() == Use.STANDBY) {
            lastFailure = Optional.of(failure);
            keepOnlyStandbys();
            tryNextHost();
        } else {
            fail(failure);
        }
    }

    /**
     * Removes all hosts but the standbys from the remaining candidates. A read that would wait too long for one
     * standby is retried only on these, because the primary would become overloaded too, and could then not serve the
     * reads that no standby can.
     */
    private void keepOnlyStandbys() {
        candidates = candidates.stream()
                .skip(triedCount)
                .filter(candidate -> candidate.use() == Use.STANDBY)
                .toList();
        triedCount = 0;
    }

    /**
     * Whether another host might answer, for example because this host is unreachable, silent, or rejects connections,
     * or because it is a standby that has canceled the statement to resolve a conflict with its recovery.
     */
    private static boolean canAnotherHostAnswer(Throwable failure) {
        return Failures.isConnectionLost(failure)
                || failure == ReadFailures.SILENT
                || failure instanceof PgException error
                        && (Failures.isTransient(error)
                                || Failures.isUnavailable(error) && !Failures.isCanceled(error));
    }
}
