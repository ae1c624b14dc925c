package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.hosts.Host.Use;
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

/** Polls all hosts five times a second, and decides what each of them is used for. Runs in one Vert.x context. */
final class HostClassifier {

    private static final Logger LOG = Logger.getLogger(HostClassifier.class);

    private static final Duration BETWEEN_POLLS = Duration.ofMillis(200);

    private final List<HostPoller> monitors;
    private final Duration maxLag;
    private final Context context;
    private final long timer;
    private final FlushLsnLog log = new FlushLsnLog();
    private final Promise<Void> firstPoll = Promise.promise();
    private volatile Map<Use, List<Host>> byUse = Map.of();
    private final Consumer<Host> primaryChanged;
    private Timeline newestTimeline = new Timeline(0, 0);
    private Optional<Host> primary = Optional.empty();
    private long lastPoll = System.nanoTime();

    /**
     * @param access the connections to each host
     * @param maxLag a standby that has been behind the primary for longer is late
     * @param primaryChanged is called with each new primary
     */
    HostClassifier(Map<Host, HostAccess> access, Duration maxLag, Consumer<Host> primaryChanged, Vertx vertx) {
        this.monitors = access.entrySet().stream()
                .map(host -> new HostPoller(host.getKey(), host.getValue(), this::evaluate))
                .toList();
        this.maxLag = maxLag;
        this.primaryChanged = primaryChanged;
        this.context = vertx.getOrCreateContext();
        this.timer = vertx.setPeriodic(0, BETWEEN_POLLS.toMillis(), tick -> context.runOnContext(now -> poll()));
    }

    /** Completes when the primary is known, or all hosts were polled once. */
    Future<Void> firstPoll() {
        return firstPoll.future();
    }

    /**
     * The hosts with this use, in the order of their declaration. Late hosts are in the order of their lag, the
     * shortest first.
     */
    List<Host> hostsUsedAs(Use use) {
        return byUse.getOrDefault(use, List.of());
    }

    void close() {
        context.owner().cancelTimer(timer);
        context.runOnContext(now -> monitors.forEach(HostPoller::close));
    }

    private void poll() {
        long now = System.nanoTime();
        if (now - lastPoll > 2 * BETWEEN_POLLS.toNanos()) {
            // This process was busy or stopped, so answers may have arrived that it has not read yet.
            monitors.forEach(HostPoller::restartWait);
        }
        lastPoll = now;
        // If no host answers, the cause is probably on this side, and cutting connections would make it worse.
        if (monitors.stream().anyMatch(monitor -> monitor.host().position() != null && !monitor.isSilent())) {
            monitors.stream().filter(HostPoller::isSilent).forEach(HostPoller::abandon);
        }
        monitors.forEach(HostPoller::tick);
    }

    private void evaluate() {
        long now = System.nanoTime();
        List<Host> hosts = monitors.stream()
                .filter(HostPoller::wasPolled)
                .map(HostPoller::host)
                .toList();
        List<Host> answering =
                hosts.stream().filter(host -> host.position() != null).toList();
        newestTimeline = newestTimelineOf(answering);
        Optional<Host> before = primary;
        primary = primary(answering);
        monitors.stream()
                .filter(monitor -> primary.filter(monitor.host()::equals).isPresent())
                .forEach(monitor -> log.add(monitor.flushed(), now));
        long farthest = answering.stream()
                .filter(host -> host.position().timeline().equals(newestTimeline))
                .mapToLong(host -> host.position().applied())
                .max()
                .orElse(0);
        Map<Use, List<Host>> next = new EnumMap<>(Use.class);
        for (Host host : hosts) {
            String problem = problem(host);
            Duration lag = lag(host, problem, farthest, now);
            if (host.setUse(use(host, lag, problem), lag, problem)) {
                log(host);
            }
            next.computeIfAbsent(host.use(), use -> new ArrayList<>()).add(host);
        }
        next.getOrDefault(Use.LATE, new ArrayList<>()).sort(Comparator.comparing(Host::lag));
        byUse = next;
        primary.filter(host -> !before.equals(primary)).ifPresent(primaryChanged);
        if (primary.isPresent() || monitors.stream().allMatch(HostPoller::wasPolled)) {
            firstPoll.tryComplete();
        }
    }

    /**
     * Returns the newest timeline of the cluster that is in use. If no host of this cluster answers anymore, for
     * example after a restore or an upgrade, the cluster of the first host that answers is used instead.
     */
    private Timeline newestTimelineOf(List<Host> answering) {
        boolean isGone =
                answering.stream().noneMatch(host -> host.position().timeline().system() == newestTimeline.system());
        if (answering.isEmpty() || !isGone) {
            return newest(answering, newestTimeline);
        }
        log.clear();
        return newest(answering, answering.get(0).position().timeline());
    }

    private static Timeline newest(List<Host> answering, Timeline least) {
        return answering.stream()
                .map(host -> host.position().timeline())
                .filter(timeline -> timeline.system() == least.system() && timeline.id() > least.id())
                .max(Comparator.comparingInt(Timeline::id))
                .orElse(least);
    }

    /**
     * Returns the primary. If there are several, it is the one already in use, because two names can refer to the same
     * server.
     */
    private Optional<Host> primary(List<Host> answering) {
        return answering.stream()
                .filter(host -> host.position().isPrimary()
                        && host.position().timeline().equals(newestTimeline))
                .max(Comparator.comparing(host -> host.use() == Use.PRIMARY));
    }

    /**
     * @param farthest the latest LSN that any host has replayed; if there is no primary, a host that has replayed it
     *     does not lag
     */
    private Duration lag(Host host, String problem, long farthest, long now) {
        boolean isStandby = problem == null && primary.filter(host::equals).isEmpty();
        return isStandby && (primary.isPresent() || host.position().applied() < farthest)
                ? log.lag(host.position().applied(), now)
                : Duration.ZERO;
    }

    /** Returns why the host can serve nothing; {@code null} if it can. */
    private String problem(Host host) {
        LogPosition position = host.position();
        if (position == null) {
            return host.failure().getMessage();
        }
        if (primary.filter(host::equals).isPresent()) {
            return null;
        }
        if (position.timeline().system() != newestTimeline.system()) {
            return "it belongs to another database cluster";
        }
        if (position.timeline().equals(newestTimeline)) {
            return position.isPrimary() ? "another host is the primary" : null;
        }
        return position.isPrimary() ? "it is the primary of an older timeline" : "it follows an older timeline";
    }

    private Use use(Host host, Duration lag, String problem) {
        if (host.position() == null) {
            return Use.UNAVAILABLE;
        }
        if (problem != null) {
            return Use.DIVERGED;
        }
        if (primary.filter(host::equals).isPresent()) {
            return Use.PRIMARY;
        }
        // A late standby must get below half the limit, so that its use does not change with each poll.
        Duration limit = host.use() == Use.LATE ? maxLag.dividedBy(2) : maxLag;
        return lag.compareTo(limit) > 0 ? Use.LATE : Use.STANDBY;
    }

    private static void log(Host host) {
        switch (host.use()) {
            case PRIMARY -> LOG.infof("%s is the primary", host);
            case STANDBY -> LOG.infof("%s is a standby that serves pages", host);
            case LATE ->
                LOG.warnf(
                        "%s lags behind the primary, and serves no pages until it has caught up, unless no other host can",
                        host);
            case DIVERGED -> LOG.warnf("%s serves no pages: %s", host, host.problem());
            case UNAVAILABLE -> LOG.warnf("%s is unavailable: %s", host, host.problem());
        }
    }
}
