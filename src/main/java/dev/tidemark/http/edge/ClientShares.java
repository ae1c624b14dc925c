package dev.tidemark.http.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A limit for the number of streams, or live windows, in this process, which clients share fairly: <em>longest queue drop</em>. When the
 * limit is reached, a stream of a client that has fewer takes the place of the newest stream of the client that has the
 * most. No client needs a limit of its own, and one that is alone may have all streams. Thread-safe.
 *
 * @param <S> the streams
 */
public final class ClientShares<S> {

    private final int max;
    private final boolean isFair;
    private final Counter displacedCount;
    private final Map<S, Place<S>> places = new HashMap<>();
    private final Map<String, Client<S>> clients = new HashMap<>();
    private final TreeMap<Integer, Set<Client<S>>> bySize = new TreeMap<>();
    private long lastNumber;

    private record Place<S>(Client<S> client, long number) {}

    private static final class Client<S> {
        private final String name;
        private final TreeMap<Long, S> streams = new TreeMap<>();

        Client(String name) {
            this.name = name;
        }
    }

    /**
     * @param isFair if false, streams beyond the limit are rejected, whoever has the others
     * @param kind the kind of the streams in metrics
     */
    public ClientShares(int max, boolean isFair, String kind, MeterRegistry metrics) {
        this.max = max;
        this.isFair = isFair;
        this.displacedCount = Counter.builder("tidemark.streams.displaced")
                .description("Event streams, exports, and live windows that made room for a client that had fewer")
                .tag("kind", kind)
                .register(metrics);
    }

    /**
     * Admits a stream, if there is room or another client has at least two more.
     *
     * @param displace called with the stream whose place the new one takes, if there is no room
     * @return whether the stream was admitted; if so, {@link #remove} must be called when it ends
     */
    public boolean tryAdmit(String client, S stream, Consumer<S> displace) {
        S displaced = null;
        synchronized (this) {
            if (isFull()) {
                displaced = displaced(client);
                if (displaced == null) {
                    return false;
                }
                remove(displaced);
            }
            add(client, stream);
        }
        if (displaced != null) {
            displacedCount.increment();
            displace.accept(displaced);
        }
        return true;
    }

    /**
     * Returns the stream whose place a client may take; null if no client has at least two more. If a difference of one were
     * enough, two clients that reconnect would take places from each other forever.
     */
    private @Nullable S displaced(String client) {
        Client<S> own = clients.get(client);
        int held = own == null ? 0 : own.streams.size();
        if (!isFair || bySize.isEmpty() || bySize.lastKey() < held + 2) {
            return null;
        }
        return bySize.lastEntry()
                .getValue()
                .iterator()
                .next()
                .streams
                .lastEntry()
                .getValue();
    }

    private void add(String name, S stream) {
        Client<S> client = clients.computeIfAbsent(name, Client::new);
        leaveSize(client);
        client.streams.put(++lastNumber, stream);
        enterSize(client);
        places.put(stream, new Place<>(client, lastNumber));
    }

    /** Releases the place of a stream that has ended. Does nothing if another stream has taken it. */
    public synchronized void remove(S stream) {
        Place<S> place = places.remove(stream);
        if (place != null) {
            Client<S> client = place.client();
            leaveSize(client);
            client.streams.remove(place.number());
            enterSize(client);
        }
    }

    public synchronized int size() {
        return places.size();
    }

    /** Whether a further stream is only admitted in the place of another one. */
    public synchronized boolean isFull() {
        return places.size() >= max;
    }

    private void leaveSize(Client<S> client) {
        int size = client.streams.size();
        if (size > 0) {
            Set<Client<S>> others = Objects.requireNonNull(bySize.get(size));
            others.remove(client);
            if (others.isEmpty()) {
                bySize.remove(size);
            }
        }
    }

    private void enterSize(Client<S> client) {
        if (client.streams.isEmpty()) {
            clients.remove(client.name);
        } else {
            bySize.computeIfAbsent(client.streams.size(), size -> new LinkedHashSet<>())
                    .add(client);
        }
    }
}
