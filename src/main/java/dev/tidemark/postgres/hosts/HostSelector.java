package dev.tidemark.postgres.hosts;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.ReadPreference.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Chooses among the hosts of one database for each read. The polled state of a host only guides this choice. Only the
 * position that the read's own connection reports proves which state the read has seen.
 */
public final class HostSelector {

    /**
     * The number of entries in {@link #shown}. Several keys can share an entry. A read of one list may then require a
     * host that has reached the state that a read of another list has shown.
     */
    private static final int STICKY_ENTRIES = 1024;

    private final List<Host> hosts = new ArrayList<>();
    private final HostClassifier watch;
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicReferenceArray<Floor> shown = new AtomicReferenceArray<>(STICKY_ENTRIES);

    /**
     * @param names the names of the hosts
     * @param access the connections to each host, by index
     * @param maxLag a standby that has been behind the primary for longer serves pages only if no other host can
     * @param primaryChanged is called with each new primary
     */
    public HostSelector(
            List<String> names,
            IntFunction<HostAccess> access,
            Duration maxLag,
            Consumer<Host> primaryChanged,
            MeterRegistry metrics,
            Vertx vertx) {
        Map<Host, HostAccess> accessible = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            Host host = new Host(names.get(i), i);
            hosts.add(host);
            accessible.put(host, access.apply(i));
            HostMeters.register(host, metrics);
        }
        watch = new HostClassifier(accessible, maxLag, primaryChanged, vertx);
    }

    /** All hosts, in the order of their declaration. */
    public List<Host> all() {
        return hosts;
    }

    /**
     * Returns the primary, or another host that serves pages if there is no primary. Waits until the primary is known,
     * or all hosts have been polled once. If no host can be used, fails with the failure of the first host.
     */
    public Future<Host> best() {
        return watch.firstPoll().compose(done -> bestKnown()
                .map(Future::succeededFuture)
                .orElseGet(() -> Future.failedFuture(hosts.get(0).failure())));
    }

    /** Returns the same host as {@link #best} without waiting; empty if no usable host is known. */
    public Optional<Host> bestKnown() {
        return ranked().stream().findFirst();
    }

    /**
     * The hosts to try for a read, one after another: a standby unless the read prefers the primary, then the other
     * standbys that are known to have reached the floor, the primary, and the remaining hosts.
     */
    public List<Host> candidates(ReadPreference preference) {
        if (preference.kind() == Kind.PRIMARY) {
            return ranked();
        }
        Optional<Floor> floor = floor(preference);
        Set<Host> candidates = new LinkedHashSet<>();
        standby(preference, floor).ifPresent(candidates::add);
        watch.hostsUsedAs(Use.STANDBY).stream()
                .filter(host -> host.isKnownToHaveReached(floor))
                .forEach(candidates::add);
        candidates.addAll(ranked());
        return List.copyOf(candidates);
    }

    /**
     * The state that a read must show at least: its own floor or, if it is later, the latest state that reads with the
     * same key have shown.
     */
    public Optional<Floor> floor(ReadPreference preference) {
        return preference.kind() == Kind.STICKY
                ? Floor.later(Optional.ofNullable(shown.get(index(preference))), preference.floor())
                : preference.floor();
    }

    /** Records the database state that a read has shown. */
    public void recordShown(ReadPreference preference, Floor floor) {
        if (preference.kind() == Kind.STICKY) {
            shown.accumulateAndGet(index(preference), floor, (before, now) -> before == null ? now : now.later(before));
        }
    }

    public void close() {
        watch.close();
    }

    private static int index(ReadPreference preference) {
        return Math.floorMod(preference.key(), STICKY_ENTRIES);
    }

    private List<Host> ranked() {
        List<Host> ranked = new ArrayList<>(hosts.size());
        for (Use use : List.of(Use.PRIMARY, Use.STANDBY, Use.LATE)) {
            ranked.addAll(watch.hostsUsedAs(use));
        }
        return ranked;
    }

    /** Chooses a standby that serves pages and has probably reached the floor; empty if there is none. */
    private Optional<Host> standby(ReadPreference preference, Optional<Floor> floor) {
        List<Host> standbys = watch.hostsUsedAs(Use.STANDBY).stream()
                .filter(host -> host.canHaveReached(floor))
                .toList();
        if (standbys.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                preference.kind() == Kind.STICKY
                        ? preferred(standbys, preference.key())
                        : standbys.get(Math.floorMod(turns.getAndIncrement(), standbys.size())));
    }

    /**
     * Chooses a standby by rendezvous hashing. When a standby is added or removed, only its own keys move. All
     * instances of the server choose the same standby for a key.
     */
    private static Host preferred(List<Host> standbys, int key) {
        return standbys.stream()
                .max(Comparator.comparingLong(host -> Hashing.komihash5_0().hashCharsToLong(key + " " + host.name())))
                .orElseThrow();
    }
}
