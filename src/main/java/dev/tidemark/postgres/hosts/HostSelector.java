package dev.tidemark.postgres.hosts;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.connection.HostAccess;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.connection.ReadPreference.Kind;
import dev.tidemark.postgres.hosts.Host.Use;
import dev.tidemark.postgres.hosts.HostState.Unavailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
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
import java.util.stream.Collectors;

/**
 * Chooses among several hosts of one database for each read. The polled state of a host only guides this choice. Only
 * the position that the read's own connection reports proves which database state the read has seen.
 */
public final class HostSelector {

    /**
     * The number of entries in {@link #shownFloors}. If the keys of two lists share an entry, a read of one list
     * requires a host that has also reached the latest state shown by reads of the other.
     */
    private static final int STICKY_ENTRIES = 1024;

    private final List<Host> hosts = new ArrayList<>();
    private final HostClassifier classifier;
    private final AtomicInteger nextTurn = new AtomicInteger();
    private final AtomicReferenceArray<Floor> shownFloors = new AtomicReferenceArray<>(STICKY_ENTRIES);

    /**
     * @param names the names of the hosts
     * @param access the connections to each host, by index
     * @param maxLag a standby that has been behind the primary for longer serves pages only if no other host can
     * @param onNewPrimary called with each new primary
     */
    public HostSelector(
            List<String> names,
            IntFunction<HostAccess> access,
            Duration maxLag,
            Consumer<Host> onNewPrimary,
            MeterRegistry metrics,
            Vertx vertx) {
        Map<Host, HostAccess> accessByHost = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            Host host = new Host(names.get(i), i);
            hosts.add(host);
            accessByHost.put(host, access.apply(i));
        }
        hosts.forEach(host -> HostMeters.register(host, metrics));
        classifier = new HostClassifier(accessByHost, maxLag, onNewPrimary, vertx);
    }

    /** All hosts, in the configured order. */
    public List<Host> all() {
        return hosts;
    }

    /**
     * Returns the primary or, if there is none, another host that serves pages. Waits until the primary is known, or
     * all hosts have been polled once. If no host can be used, fails with the failure of the first host or, if this
     * host answers but its data does not come from the primary, with an {@link IOException}.
     */
    public Future<Host> bestHost() {
        return classifier.firstPoll().compose(done -> bestKnownHost()
                .map(Future::succeededFuture)
                .orElseGet(() -> Future.failedFuture(whyNoHostIsUsed())));
    }

    private Throwable whyNoHostIsUsed() {
        return hosts.get(0).state() instanceof Unavailable unavailable
                ? unavailable.failure()
                : new IOException(hosts.stream()
                        .map(host -> host + " is " + host.describe())
                        .collect(Collectors.joining("; ", "no host serves pages: ", "")));
    }

    /** Returns the same host as {@link #bestHost} without waiting; empty if no usable host is known. */
    public Optional<Host> bestKnownHost() {
        return usableHosts().stream().findFirst();
    }

    /**
     * Returns the hosts to try for a read, in this order: a standby that has probably reached the floor, the other
     * standbys that are known to have reached it, the primary, and the remaining hosts that serve pages. If the read
     * prefers the primary, the primary comes first. If the read needs the primary, and a host that could be the
     * primary does not answer, there are no hosts to try.
     */
    public List<Host> candidates(ReadPreference preference) {
        if (preference.kind() == Kind.PRIMARY) {
            return usableHosts();
        }
        if (preference.kind() == Kind.ONLY_PRIMARY) {
            List<Host> primary = classifier.hostsUsedAs(Use.PRIMARY);
            List<Host> usable = usableHosts();
            return primary.isEmpty() && usable.size() == hosts.size() ? usable : primary;
        }
        Optional<Floor> floor = floor(preference);
        Set<Host> candidates = new LinkedHashSet<>();
        chooseStandby(preference, floor).ifPresent(candidates::add);
        classifier.hostsUsedAs(Use.STANDBY).stream()
                .filter(host -> host.isKnownToHaveReached(floor))
                .forEach(candidates::add);
        candidates.addAll(usableHosts());
        return List.copyOf(candidates);
    }

    /**
     * Returns the earliest state that a read may show. This is the read's own floor or, for a sticky read, the latest
     * state shown by reads with the same key, if that state is later.
     */
    public Optional<Floor> floor(ReadPreference preference) {
        return preference.kind() == Kind.STICKY
                ? Floor.later(Optional.ofNullable(shownFloors.get(entryIndex(preference))), preference.floor())
                : preference.floor();
    }

    /** Records the database state that a read has shown. */
    public void recordShown(ReadPreference preference, Floor floor) {
        if (preference.kind() == Kind.STICKY) {
            shownFloors.accumulateAndGet(
                    entryIndex(preference), floor, (before, now) -> before == null ? now : now.later(before));
        }
    }

    public void close() {
        classifier.close();
    }

    private static int entryIndex(ReadPreference preference) {
        return Math.floorMod(preference.key(), STICKY_ENTRIES);
    }

    /** The primary, the standbys, and then the late standbys. */
    private List<Host> usableHosts() {
        List<Host> usable = new ArrayList<>(hosts.size());
        for (Use use : List.of(Use.PRIMARY, Use.STANDBY, Use.LATE)) {
            usable.addAll(classifier.hostsUsedAs(use));
        }
        return usable;
    }

    /** Chooses a standby that serves pages and has probably reached the floor; empty if there is none. */
    private Optional<Host> chooseStandby(ReadPreference preference, Optional<Floor> floor) {
        List<Host> standbys = classifier.hostsUsedAs(Use.STANDBY).stream()
                .filter(host -> host.mayHaveReached(floor))
                .toList();
        if (standbys.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                preference.kind() == Kind.STICKY
                        ? preferredStandby(standbys, preference.key())
                        : standbys.get(Math.floorMod(nextTurn.getAndIncrement(), standbys.size())));
    }

    /**
     * Chooses a standby by rendezvous hashing. When a standby is added or removed, only the keys of that standby move.
     * All instances of Tidemark that choose among the same standbys choose the same one for a key.
     */
    private static Host preferredStandby(List<Host> standbys, int key) {
        return standbys.stream()
                .max(Comparator.comparingLong(host -> Hashing.komihash5_0().hashCharsToLong(key + " " + host.name())))
                .orElseThrow();
    }
}
