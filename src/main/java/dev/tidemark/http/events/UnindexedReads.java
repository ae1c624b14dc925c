package dev.tidemark.http.events;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The reads for event streams of all kinds that no index serves. They take turns, and leave half of the connections
 * for such lists to requests.
 */
@Singleton
public class UnindexedReads {

    private final ConcurrencyLimit limit;

    UnindexedReads(@ConfigProperty(name = "tidemark.free-connections", defaultValue = "4") int freeConnections) {
        this.limit = new ConcurrencyLimit(Math.max(1, freeConnections / 2));
    }

    /** Returns a {@code Uni} that subscribes to the read when it is its turn. */
    public <T> Uni<T> apply(Uni<T> read) {
        return limit.apply(read);
    }
}
