package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.hosts.Host.Use;
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
import org.jboss.logging.Logger;

/** Polls all hosts a few times a second, and decides what each of them is used for. Runs in one Vert.x context. */
final class HostWatch {

    private static final Logger LOG = Logger.getLogger(HostWatch.class);

    private static final Duration BETWEEN_POLLS = Duration.ofMillis(200);

    private final List<HostMonitor> monitors;
    private final Duration maxLag;
    private final Context context;
    private final long timer;
    private final PrimaryLog log = new PrimaryLog();
    private final Promise<Void> asked = Promise.promise();
    private volatile Map<Use, List<Host>> byUse = Map.of();
    private int newestTimeline;

    /**
     * @param access to each of the hosts
     * @param maxLag a standby that is farther behind the primary is late
     */
    HostWatch(Map<Host, HostAccess> access, Duration maxLag, Vertx vertx) {
        this.monitors = access.entrySet().stream()
                .map(host -> new HostMonitor(host.getKey(), host.getValue(), this::judge))
                .toList();
        this.maxLag = maxLag;
        this.context = vertx.getOrCreateContext();
        this.timer = vertx.setPeriodic(0, BETWEEN_POLLS.toMillis(), tick -> context.runOnContext(now -> poll()));
    }

    /** Completes when the primary is known, or all hosts were asked once. */
    Future<Void> asked() {
        return asked.future();
    }

    /** The hosts that are used so, in the order of their declaration; of those that are late, the one that has come farthest first. */
    List<Host> used(Use use) {
        return byUse.getOrDefault(use, List.of());
    }

    void close() {
        context.owner().cancelTimer(timer);
        context.runOnContext(now -> monitors.forEach(HostMonitor::close));
    }

    private void poll() {
        // If no host answers, the cause is probably here, and cutting connections would only make it worse.
        if (monitors.stream().anyMatch(monitor -> monitor.host().position() != null && !monitor.isSilent())) {
            monitors.stream().filter(HostMonitor::isSilent).forEach(HostMonitor::passBy);
        }
        monitors.forEach(HostMonitor::tick);
    }

    private void judge() {
        long now = System.nanoTime();
        List<Host> hosts = monitors.stream().map(HostMonitor::host).toList();
        hosts.stream()
                .filter(host -> host.position() != null)
                .forEach(host -> newestTimeline =
                        Math.max(newestTimeline, host.position().timeline()));
        Optional<Host> primary = primary(hosts);
        primary.ifPresent(host -> log.add(host.position().applied(), now));
        Map<Use, List<Host>> next = new EnumMap<>(Use.class);
        for (Host host : hosts) {
            boolean isPrimary = primary.filter(host::equals).isPresent();
            Duration lag = host.position() == null || isPrimary
                    ? Duration.ZERO
                    : log.lag(host.position().applied(), now);
            use(host, isPrimary ? Use.PRIMARY : useOfOther(host, lag), lag);
            next.computeIfAbsent(host.use(), use -> new ArrayList<>()).add(host);
        }
        next.getOrDefault(Use.LATE, new ArrayList<>()).sort(Comparator.comparing(Host::lag));
        byUse = next;
        if (primary.isPresent() || monitors.stream().allMatch(HostMonitor::isKnown)) {
            asked.tryComplete();
        }
    }

    /** Of several, the one that is used already: two names can lead to the same server. */
    private Optional<Host> primary(List<Host> hosts) {
        return hosts.stream()
                .filter(host -> host.position() != null
                        && host.position().isPrimary()
                        && host.position().timeline() == newestTimeline)
                .max(Comparator.comparing(host -> host.use() == Use.PRIMARY));
    }

    private Use useOfOther(Host host, Duration lag) {
        if (host.position() == null) {
            return Use.AWAY;
        }
        if (host.position().isPrimary() || host.position().timeline() < newestTimeline) {
            return Use.ABANDONED;
        }
        // A late standby must catch up by a half, so that it does not come and go with each poll.
        Duration limit = host.use() == Use.LATE ? maxLag.dividedBy(2) : maxLag;
        return lag.compareTo(limit) > 0 ? Use.LATE : Use.STANDBY;
    }

    private static void use(Host host, Use use, Duration lag) {
        if (!host.use(use, lag)) {
            return;
        }
        switch (use) {
            case PRIMARY -> LOG.infof("%s is the primary", host);
            case STANDBY -> LOG.infof("%s is a standby that serves pages", host);
            case LATE -> LOG.warnf("%s lags behind the primary, and serves no pages until it has caught up", host);
            case ABANDONED ->
                LOG.warnf(
                        "%s serves no pages, because it is a second primary or follows a history of the database that another"
                                + " host has left. A standby shows that it follows the new primary at its next restartpoint, or"
                                + " at once if the role has pg_read_all_stats",
                        host);
            case AWAY -> {
                // Not before the first answer or failure.
                if (host.failure() != null) {
                    LOG.warnf("%s does not answer: %s", host, host.failure().getMessage());
                }
            }
        }
    }
}
