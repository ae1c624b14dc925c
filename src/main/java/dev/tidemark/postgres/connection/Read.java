package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.RejectedStatements;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.connection.Database.Result;
import dev.tidemark.postgres.connection.LogPositionBracket.PositionQuery;
import dev.tidemark.postgres.hosts.Host;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.HostSelector;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.hosts.ReadPreference.Kind;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a statement on one host after another, until one that has reached the read's {@link Floor} answers it. If
 * there are several hosts, the statement is sent in a {@link LogPositionBracket}.
 *
 * <p>The primary can show less than a standby for a moment, for example while it waits for another synchronous standby. If
 * no standby that has reached the floor answers meanwhile, the hosts are tried again until the longest wait is over.
 */
final class Read<T> {

    private static final int SHORTEST_PAUSE_MILLIS = 10;
    private static final int LONGEST_PAUSE_MILLIS = 1_000;

    private final HostSelector hosts;
    private final List<HostConnections> connections;
    private final Statement statement;
    private final Tuple values;
    private final Supplier<RowReceiver<T>> receivers;
    private final ReadPreference preference;
    private final UniEmitter<? super Result<T>> emitter;
    private final Vertx vertx;
    private final Duration longestWait;
    private final RejectedStatements rejected;
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
     * @param connections the connections to the hosts, by the index of the host
     * @param receivers creates the receiver of the rows; called for each host that is tried
     * @param longestWait for a primary that may not show yet what a standby has shown
     * @param rejected learns of a statement of a feed that the database rejects
     * @param emitter gets the result, or a {@link ReadFailure}, whose reason is {@code UNAVAILABLE} if no host that
     *     answers has reached the floor
     */
    Read(
            HostSelector hosts,
            List<HostConnections> connections,
            Statement statement,
            Tuple values,
            Supplier<RowReceiver<T>> receivers,
            ReadPreference preference,
            Vertx vertx,
            Duration longestWait,
            RejectedStatements rejected,
            UniEmitter<? super Result<T>> emitter) {
        this.hosts = hosts;
        this.connections = connections;
        this.statement = statement;
        this.values = values;
        this.receivers = receivers;
        this.preference = preference;
        this.vertx = vertx;
        this.longestWait = longestWait;
        this.rejected = rejected;
        this.emitter = emitter;
        this.floor = hosts.floor(preference);
        this.candidates = hosts.candidates(preference);
        // These reads should not be moved to a standby without need.
        this.isExact = preference.kind() == Kind.PRIMARY || preference.kind() == Kind.ONLY_PRIMARY;
    }

    void start() {
        if (candidates.isEmpty() && preference.kind() == Kind.ONLY_PRIMARY) {
            emitter.fail(ReadFailures.logNoPrimary());
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
        HostConnections connection = connections.get(host.index());
        SingleStatement<T> single =
                new SingleStatement<>(connection.texts().of(statement.sql()), values, receivers.get());
        Execution<T> execution = hosts.all().size() == 1
                ? single
                : new LogPositionBracket<>(
                        single,
                        isExact && floor.isPresent() ? PositionQuery.exact(floor.get()) : PositionQuery.USUAL,
                        position -> host.hasReached(position, floor),
                        host::recordRead);
        boolean isRequested = preference.kind() != Kind.PRIMARY;
        connection.run(statement, isRequested, execution, answer -> {
            if (answer.succeeded()) {
                complete(answer.result());
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
            emitter.fail(lastFailure.map(this::logAndTranslate).orElseGet(() -> ReadFailures.logNoHost(floor)));
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

    private void complete(Result<T> result) {
        if (result.floor().isPresent()) {
            hosts.recordShown(preference, result.floor().get());
        }
        emitter.complete(result);
    }

    private void onFailure(Host host, Execution<T> execution, Throwable failure) {
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
            emitter.fail(logAndTranslate(failure));
        }
    }

    private Throwable logAndTranslate(Throwable failure) {
        Throwable translated = ReadFailures.logAndTranslate(failure, statement.feed(), values);
        if (failure instanceof PgException error
                && translated instanceof ReadFailure read
                && read.reason() == ReadFailure.Reason.FEED_UNAVAILABLE) {
            statement.feed().ifPresent(feed -> rejected.record(feed, Failures.sqlState(error)));
        }
        return translated;
    }

    /**
     * Removes all hosts but the standbys from the remaining candidates. A read that would wait too long for one standby
     * is retried only on these, because the primary would become overloaded too, and could then not serve the reads that
     * no standby can.
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
