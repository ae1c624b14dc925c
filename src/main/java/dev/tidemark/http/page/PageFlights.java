package dev.tidemark.http.page;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.FastThreadLocal;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.impl.ContextInternal;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads a page that many ask for at the same time once for all of them; each event loop for its own requests.
 *
 * <p>A request joins only a read that has not yet begun: while equal requests are being answered, those that come wait
 * together for the next read. So nobody is given a page that is older than his own request, and of equal pages at most one
 * is being read at any time. The idea is Go's {@code singleflight}, which lets requests join a read that has begun.
 */
@Singleton
public class PageFlights {

    private final boolean enabled;
    private final Counter joined;

    private final FastThreadLocal<Map<Object, Flight>> ofThread = new FastThreadLocal<>() {
        @Override
        protected Map<Object, Flight> initialValue() {
            return new HashMap<>();
        }
    };

    PageFlights(PagesConfig config, MeterRegistry metrics) {
        enabled = config.singleFlight();
        joined = Counter.builder("tidemark.pages.joined")
                .description("Pages that were answered by a read made for another request as well")
                .register(metrics);
    }

    /**
     * @param page all that the page depends on
     * @param read reads it; called on the thread of the first that it is read for
     */
    public Uni<WrittenPage> read(Object page, Supplier<Uni<WrittenPage>> read) {
        if (!enabled || !Context.isOnEventLoopThread()) {
            return read.get();
        }
        ContextInternal context = ContextInternal.current();
        return Uni.createFrom().emitter(emitter -> {
            Map<Object, Flight> flights = ofThread.get();
            Passenger passenger = new Passenger(emitter, context, read);
            Flight flight = flights.get(page);
            if (flight == null) {
                new Flight(flights, page, List.of(passenger)).begin();
            } else {
                flight.later.add(passenger);
            }
        });
    }

    private record Passenger(
            UniEmitter<? super WrittenPage> emitter, ContextInternal context, Supplier<Uni<WrittenPage>> read) {

        void told(Consumer<UniEmitter<? super WrittenPage>> outcome) {
            context.dispatch(() -> outcome.accept(emitter));
        }
    }

    /** One read. The thread that it began on ends it. */
    private final class Flight {

        private final Map<Object, Flight> flights;
        private final Object page;
        private final List<Passenger> passengers;
        private final List<Passenger> later = new ArrayList<>(0);

        Flight(Map<Object, Flight> flights, Object page, List<Passenger> passengers) {
            this.flights = flights;
            this.page = page;
            this.passengers = passengers;
        }

        void begin() {
            flights.put(page, this);
            Passenger first = passengers.get(0);
            Uni<WrittenPage> read;
            try {
                read = first.read().get();
            } catch (Throwable refused) {
                // Also an error: a flight that is never ended would keep all that ask for this page waiting for ever.
                end(emitter -> emitter.fail(refused));
                return;
            }
            // A deadline ends a read on a thread of its own.
            read.subscribe()
                    .with(
                            written -> first.context().emit(written, it -> end(emitter -> emitter.complete(it))),
                            failure -> first.context().emit(failure, it -> end(emitter -> emitter.fail(it))));
        }

        private void end(Consumer<UniEmitter<? super WrittenPage>> outcome) {
            if (later.isEmpty()) {
                flights.remove(page);
            } else {
                joined.increment(later.size() - 1);
                // In the context of a request that is still waiting, and not in that of one that is answered now.
                later.get(0).context().dispatch(new Flight(flights, page, later)::begin);
            }
            passengers.forEach(passenger -> passenger.told(outcome));
        }
    }
}
