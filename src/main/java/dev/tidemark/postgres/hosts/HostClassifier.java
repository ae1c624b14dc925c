package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.connection.HostAccess;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.HostState.Answering;
import dev.tidemark.postgres.hosts.HostState.Unavailable;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Polls all hosts five times a second, and decides what each of them is used for. Runs in one Vert.x context.
 */
final class HostClassifier {

    private static final Logger LOG = Logger.getLogger(HostClassifier.class);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final List<HostPoller> pollers;
    private final Duration maxLag;
    private final Context context;
    private final long timer;
    private final FlushLsnLog flushLsnLog = new FlushLsnLog();
    private final Promise<Void> firstPoll = Promise.promise();
    private volatile Map<Use, List<Host>> byUse = Map.of();
    private final Consumer<Host> onNewPrimary;
    private Timeline newestTimeline = new Timeline(0, 0);
    private Optional<Host> primary = Optional.empty();
    private long lastPollNanos = System.nanoTime();

    /**
     * @param access the connections to each host
     * @param maxLag a standby that has been behind the primary for longer counts as late
     * @param onNewPrimary called with each new primary
     */
    HostClassifier(Map<Host, HostAccess> access, Duration maxLag, Consumer<Host> onNewPrimary, Vertx vertx) {
        this.pollers = access.entrySet().stream()
                .map(host -> new HostPoller(host.getKey(), host.getValue(), this::classify))
                .toList();
        this.maxLag = maxLag;
        this.onNewPrimary = onNewPrimary;
        this.context = vertx.getOrCreateContext();
        this.timer = vertx.setPeriodic(0, POLL_INTERVAL.toMillis(), tick -> context.runOnContext(now -> poll()));
    }

    /** Completes when the primary is known, or all hosts have been polled once. */
    Future<Void> firstPoll() {
        return firstPoll.future();
    }

    /**
     * The hosts with this use, in the configured order. Late hosts are in the order of their lag, the shortest lag
     * first.
     */
    List<Host> hostsUsedAs(Use use) {
        return byUse.getOrDefault(use, List.of());
    }

    void close() {
        context.owner().cancelTimer(timer);
        context.runOnContext(now -> pollers.forEach(HostPoller::close));
    }

    private void poll() {
        long now = System.nanoTime();
        if (now - lastPollNanos > 2 * POLL_INTERVAL.toNanos()) {
            // This process was busy or stopped, so answers may have arrived that it has not read yet.
            pollers.forEach(HostPoller::restartWait);
        }
        lastPollNanos = now;
        // If no host answers, the cause is probably this process or its network, and cutting connections would make
        // the outage longer.
        if (pollers.stream().anyMatch(poller -> poller.host().state() instanceof Answering && !poller.isSilent())) {
            pollers.stream().filter(HostPoller::isSilent).forEach(HostPoller::abandon);
        }
        pollers.forEach(HostPoller::pollOrConnect);
    }

    private record Answer(Host host, LogPosition position) {

        Timeline timeline() {
            return position.timeline();
        }
    }

    private void classify() {
        long now = System.nanoTime();
        List<Host> hosts = pollers.stream()
                .filter(HostPoller::wasPolled)
                .map(HostPoller::host)
                .toList();
        List<Answer> answers = hosts.stream()
                .flatMap(host -> host.state().position().map(position -> new Answer(host, position)).stream())
                .toList();
        newestTimeline = newestTimelineOf(answers);
        Optional<Host> previousPrimary = primary;
        primary = findPrimary(answers);
        pollers.stream()
                .filter(poller -> primary.filter(poller.host()::equals).isPresent())
                .forEach(poller -> flushLsnLog.add(poller.flushOrReplayLsn(), now));
        long latestAppliedLsn = answers.stream()
                .filter(answer -> answer.timeline().equals(newestTimeline))
                .mapToLong(answer -> answer.position().appliedLsn())
                .max()
                .orElse(0);
        Map<Use, List<Host>> next = new EnumMap<>(Use.class);
        for (Host host : hosts) {
            if (setUse(host, latestAppliedLsn, now)) {
                logUse(host);
            }
            next.computeIfAbsent(host.use(), use -> new ArrayList<>()).add(host);
        }
        next.getOrDefault(Use.LATE, new ArrayList<>()).sort(Comparator.comparing(Host::lag));
        byUse = next;
        primary.filter(host -> !previousPrimary.equals(primary)).ifPresent(onNewPrimary);
        if (primary.isPresent() || pollers.stream().allMatch(HostPoller::wasPolled)) {
            firstPoll.tryComplete();
        }
    }

    /**
     * Returns the newest timeline of the database cluster that is in use. If no host of this cluster answers anymore,
     * for example after a restore or an upgrade, the cluster of the first host that answers is used instead.
     */
    private Timeline newestTimelineOf(List<Answer> answers) {
        boolean isClusterGone =
                answers.stream().noneMatch(answer -> answer.timeline().system() == newestTimeline.system());
        if (answers.isEmpty() || !isClusterGone) {
            return newestSince(answers, newestTimeline);
        }
        flushLsnLog.clear();
        return newestSince(answers, answers.get(0).timeline());
    }

    private static Timeline newestSince(List<Answer> answers, Timeline knownTimeline) {
        return answers.stream()
                .map(Answer::timeline)
                .filter(timeline -> timeline.system() == knownTimeline.system() && timeline.id() > knownTimeline.id())
                .max(Comparator.comparingInt(Timeline::id))
                .orElse(knownTimeline);
    }

    /**
     * Returns the primary of the newest timeline; empty if there is none. If several hosts are such primaries, returns
     * the one that is already in use: two names can refer to the same server.
     */
    private Optional<Host> findPrimary(List<Answer> answers) {
        return answers.stream()
                .filter(answer ->
                        answer.position().isPrimary() && answer.timeline().equals(newestTimeline))
                .map(Answer::host)
                .max(Comparator.comparing(host -> host.use() == Use.PRIMARY));
    }

    /** @return whether the use of the host has changed */
    private boolean setUse(Host host, long latestAppliedLsn, long nowNanos) {
        HostState state = host.state();
        if (state instanceof Unavailable unavailable) {
            return host.setUse(Use.UNAVAILABLE, Duration.ZERO, Optional.of(describe(unavailable.failure())));
        }
        // The host has been polled, so it answers.
        LogPosition position = state.position().orElseThrow();
        Optional<String> problem = problem(host, position);
        Duration lag = lag(host, position, problem, latestAppliedLsn, nowNanos);
        return host.setUse(use(host, lag, problem), lag, problem);
    }

    /**
     * @param latestAppliedLsn the latest LSN that a host of the newest timeline has applied; if there is no primary, a
     *     host that has applied it does not lag
     */
    private Duration lag(
            Host host, LogPosition position, Optional<String> problem, long latestAppliedLsn, long nowNanos) {
        boolean isStandby = problem.isEmpty() && primary.filter(host::equals).isEmpty();
        return isStandby && (primary.isPresent() || position.appliedLsn() < latestAppliedLsn)
                ? flushLsnLog.lag(position.appliedLsn(), nowNanos)
                : Duration.ZERO;
    }

    /** Returns why a host that answers can serve nothing; empty if it can serve reads. */
    private Optional<String> problem(Host host, LogPosition position) {
        if (primary.filter(host::equals).isPresent()) {
            return Optional.empty();
        }
        if (position.timeline().system() != newestTimeline.system()) {
            return Optional.of("it belongs to another database cluster");
        }
        if (position.timeline().equals(newestTimeline)) {
            return position.isPrimary() ? Optional.of("another host is the primary") : Optional.empty();
        }
        return Optional.of(
                position.isPrimary() ? "it is the primary of an older timeline" : "it follows an older timeline");
    }

    /** Some failures, such as {@link java.nio.channels.ClosedChannelException}, have no message. */
    private static String describe(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** Returns the use of a host that answers. */
    private Use use(Host host, Duration lag, Optional<String> problem) {
        if (problem.isPresent()) {
            return Use.DIVERGED;
        }
        if (primary.filter(host::equals).isPresent()) {
            return Use.PRIMARY;
        }
        // The lag of a late standby must fall to half the limit before its use changes, so that the use does not
        // change with each poll.
        Duration limit = host.use() == Use.LATE ? maxLag.dividedBy(2) : maxLag;
        return lag.compareTo(limit) > 0 ? Use.LATE : Use.STANDBY;
    }

    private static void logUse(Host host) {
        switch (host.use()) {
            case PRIMARY -> LOG.infof("%s is the primary", host);
            case STANDBY -> LOG.infof("%s is a standby that serves pages", host);
            case LATE ->
                LOG.warnf(
                        "%s lags behind the primary, and serves no pages until it has caught up, unless no other host can",
                        host);
            case DIVERGED ->
                LOG.warnf("%s serves no pages: %s", host, host.problem().orElseThrow());
            case UNAVAILABLE ->
                LOG.warnf("%s is unavailable: %s", host, host.problem().orElseThrow());
        }
    }
}
