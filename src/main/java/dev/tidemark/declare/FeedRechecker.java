package dev.tidemark.declare;

import dev.tidemark.declare.DeclarationResolver.Attempt;
import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.feed.FeedHealth;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/** Resolves the feeds anew, when somebody has a reason to ask, and compares them with those that are served. */
@Singleton
public class FeedRechecker implements FeedHealth {

    private static final Logger LOG = Logger.getLogger(FeedRechecker.class);

    /** A table that is being rewritten is locked, and nothing is said of its feed meanwhile. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final FeedRegistry registry;
    private final DeclarationResolver resolution;
    private final Duration between;

    private volatile Map<String, String> broken = Map.of();
    private Uni<Map<String, String>> underWay;
    private long last;

    FeedRechecker(FeedsConfig config, FeedRegistry registry, Catalogue catalogue) {
        this.registry = registry;
        this.resolution = new DeclarationResolver(catalogue);
        this.between = config.recheckInterval();
        this.last = System.nanoTime() - between.toNanos();
    }

    @Override
    public Map<String, String> broken() {
        return broken;
    }

    @Override
    public synchronized Uni<Map<String, String>> recheck() {
        if (underWay == null && System.nanoTime() - last >= between.toNanos()) {
            underWay = recheckAll()
                    .ifNoItem()
                    .after(LONGEST)
                    .fail()
                    .onFailure()
                    .invoke(failure -> LOG.debugf(failure, "The feeds were not held against the database"))
                    .onFailure()
                    .recoverWithItem(() -> broken)
                    .eventually(this::ended)
                    .memoize()
                    .indefinitely();
        }
        return underWay == null ? Uni.createFrom().item(broken) : underWay;
    }

    private synchronized void ended() {
        last = System.nanoTime();
        underWay = null;
    }

    private Uni<Map<String, String>> recheckAll() {
        return Multi.createFrom()
                .iterable(registry.resolved())
                .onItem()
                .transformToUniAndConcatenate(found -> differences(found)
                        .invoke(differences -> told(found.feed().name(), String.join("; ", differences)))
                        // Of this one nothing is known now; of the next something may be.
                        .onFailure()
                        .invoke(failure -> LOG.debugf(
                                failure,
                                "Feed %s was not held against the database",
                                found.feed().name()))
                        .onFailure()
                        .recoverWithNull())
                .collect()
                .last()
                .map(done -> broken);
    }

    private Uni<List<String>> differences(ResolvedFeed found) {
        Faults faults = new Faults();
        Faults.ForFeed feedFaults = faults.forFeed(found.feed().name());
        return resolution
                .resolve(List.of(new Attempt(found.declaration(), found.table().sqlName(), feedFaults)))
                .map(now -> now.get(0)
                        .map(resolved -> SchemaDrift.differences(found.feed(), resolved.feed()))
                        .orElseGet(feedFaults::all));
    }

    /** @param reason empty where there is none */
    private void told(String feed, String reason) {
        Optional<String> before = Optional.ofNullable(broken.get(feed));
        Map<String, String> now = new TreeMap<>(broken);
        if (reason.isEmpty()) {
            now.remove(feed);
            before.ifPresent(was -> LOG.infof("Feed %s fits its table again, and is served", feed));
        } else {
            now.put(feed, reason);
            if (!before.equals(Optional.of(reason))) {
                LOG.warnf("Feed %s no longer fits its table, and is not served until it does: %s", feed, reason);
            }
        }
        broken = Collections.unmodifiableMap(now);
    }
}
