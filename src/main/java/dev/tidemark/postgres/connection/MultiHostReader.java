package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.Host;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.HostSelector;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.hosts.ReadPreference.Kind;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs each statement on several hosts in turn, until one that has reached the read's {@link Floor} answers it. */
final class MultiHostReader {

    private final HostSelector hosts;
    private final List<HostStatementRunner> runners;

    /** @param runners the runners of the hosts, by the index of the host */
    MultiHostReader(HostSelector hosts, List<HostStatementRunner> runners) {
        this.hosts = hosts;
        this.runners = runners;
    }

    /**
     * Runs the statement on one candidate after another, until one of them answers it. Fails with a
     * {@link ReadFailure}, whose reason is {@code UNAVAILABLE} if no host that answers has reached the floor.
     *
     * @param receivers creates the receiver of the rows; called for each host that is tried
     */
    <T> Uni<ReadResult<T>> read(
            Statement statement, Tuple values, Supplier<RowReceiver<T>> receivers, ReadPreference preference) {
        Optional<Floor> floor = hosts.floor(preference);
        List<Host> candidates = hosts.candidates(preference);
        if (candidates.isEmpty() && preference.kind() == Kind.ONLY_PRIMARY) {
            return Uni.createFrom().failure(ReadFailures.logNoPrimary());
        }
        return read(statement, values, receivers, floor, candidates.iterator(), null)
                .invoke(read -> hosts.recordShown(preference, read.floor().orElseThrow()));
    }

    private <T> Uni<ReadResult<T>> read(
            Statement statement,
            Tuple values,
            Supplier<RowReceiver<T>> receivers,
            Optional<Floor> floor,
            Iterator<Host> remainingHosts,
            Throwable lastFailure) {
        if (!remainingHosts.hasNext()) {
            return Uni.createFrom()
                    .failure(
                            lastFailure == null
                                    ? ReadFailures.logNoHost(floor)
                                    : ReadFailures.logAndTranslate(lastFailure));
        }
        Host host = remainingHosts.next();
        RowReceiver<T> receiver = receivers.get();
        return runners.get(host.index())
                .queryAtLogPosition(statement, values, receiver, position -> host.hasReached(position, floor))
                .onItemOrFailure()
                .transformToUni((read, failure) -> {
                    if (failure == null && read.hasResult()) {
                        Floor shown = host.recordRead(read.position());
                        return Uni.createFrom().item(new ReadResult<>(read.value(), Optional.of(shown)));
                    }
                    Throwable cause = failure == null ? read.failure() : failure;
                    if (failure == null || canAnotherHostAnswer(failure) && receiver.isRetryable()) {
                        return read(
                                statement,
                                values,
                                receivers,
                                floor,
                                remainingHosts,
                                cause == null ? lastFailure : cause);
                    }
                    if (failure == ReadFailures.WAIT_TOO_LONG && host.use() == Use.STANDBY) {
                        return read(statement, values, receivers, floor, standbys(remainingHosts), failure);
                    }
                    return Uni.createFrom().failure(ReadFailures.logAndTranslate(failure));
                });
    }

    /**
     * Returns the standbys among the remaining hosts. A read that would wait too long for one standby is retried only
     * on these, because the primary would become overloaded too, and could then not serve the reads that no standby
     * can.
     */
    private static Iterator<Host> standbys(Iterator<Host> remainingHosts) {
        List<Host> standbys = new ArrayList<>();
        remainingHosts.forEachRemaining(host -> {
            if (host.use() == Use.STANDBY) {
                standbys.add(host);
            }
        });
        return standbys.iterator();
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
