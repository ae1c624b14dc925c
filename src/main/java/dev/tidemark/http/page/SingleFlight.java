package dev.tidemark.http.page;

import dev.tidemark.framework.Contexts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.FastThreadLocal;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads a page once for all equal requests that wait for it. Each event loop shares reads among its own requests only.
 *
 * <p>A request joins only a read that has not begun. Requests that arrive while a page is being read wait together for
 * its next read. Therefore no request gets a page that was read before the request arrived, and an event loop never
 * reads equal pages at the same time. The idea comes from Go's {@code singleflight}, where, unlike here, requests join
 * a read that has begun.
 */
@Singleton
public class SingleFlight {

    private final boolean enabled;
    private final Counter joinedRequests;

    private final FastThreadLocal<Map<Object, Flight>> flightsOfThread = new FastThreadLocal<>() {
        @Override
        protected Map<Object, Flight> initialValue() {
            return new HashMap<>();
        }
    };

    SingleFlight(SingleFlightConfig config, MeterRegistry registry) {
        enabled = config.singleFlight();
        joinedRequests = Counter.builder("tidemark.pages.joined")
                .description("Requests for pages that shared the read of another request")
                .register(registry);
    }

    /**
     * Reads a page, or shares a read: if the page of an equal query is being read on this event loop, joins the next
     * read of that page. Shares nothing if single flight is off or the caller is not on an event loop.
     *
     * @param query everything that the page depends on
     * @param read reads the page; called only for the first of the requests that share a read, in its context
     */
    public Uni<WrittenPage> read(Object query, Supplier<Uni<WrittenPage>> read) {
        if (!enabled || !Context.isOnEventLoopThread()) {
            return read.get();
        }
        Context context = Objects.requireNonNull(Contexts.current());
        return Uni.createFrom().emitter(emitter -> {
            Map<Object, Flight> flights = flightsOfThread.get();
            Waiter waiter = new Waiter(emitter, context, read);
            Flight flight = flights.get(query);
            if (flight == null) {
                new Flight(flights, query, List.of(waiter)).begin();
            } else {
                flight.nextWaiters.add(waiter);
            }
        });
    }

    private record Waiter(UniEmitter<? super WrittenPage> emitter, Context context, Supplier<Uni<WrittenPage>> read) {

        void resume(Consumer<UniEmitter<? super WrittenPage>> outcome) {
            Contexts.dispatch(context, () -> outcome.accept(emitter));
        }
    }

    /** One read of a page. It ends on the thread on which it began. */
    private final class Flight {

        private final Map<Object, Flight> flights;
        private final Object query;
        private final List<Waiter> waiters;

        /** The waiters of the next read. */
        private final List<Waiter> nextWaiters = new ArrayList<>(0);

        Flight(Map<Object, Flight> flights, Object query, List<Waiter> waiters) {
            this.flights = flights;
            this.query = query;
            this.waiters = waiters;
        }

        void begin() {
            assert flights == flightsOfThread.get() : "a flight stays on its event loop";
            flights.put(query, this);
            Waiter first = waiters.get(0);
            Uni<WrittenPage> read;
            try {
                read = first.read().get();
            } catch (Throwable failure) {
                // Catches errors too: if the flight never ended, every later request for this page would wait forever.
                end(emitter -> emitter.fail(failure));
                return;
            }
            // A read that exceeds its deadline completes on another thread, so the end of the flight is moved back to
            // the context of its first request.
            read.subscribe()
                    .with(
                            page -> Contexts.emit(
                                    first.context(), page, emitted -> end(emitter -> emitter.complete(emitted))),
                            failure -> Contexts.emit(
                                    first.context(), failure, emitted -> end(emitter -> emitter.fail(emitted))));
        }

        private void end(Consumer<UniEmitter<? super WrittenPage>> outcome) {
            assert flights == flightsOfThread.get() : "a flight stays on its event loop";
            if (nextWaiters.isEmpty()) {
                flights.remove(query);
            } else {
                joinedRequests.increment(nextWaiters.size() - 1);
                // Begins in the context of a request that still waits, because the requests of this flight end now.
                Contexts.dispatch(nextWaiters.get(0).context(), new Flight(flights, query, nextWaiters)::begin);
            }
            waiters.forEach(waiter -> waiter.resume(outcome));
        }
    }
}
