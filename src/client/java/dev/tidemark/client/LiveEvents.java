package dev.tidemark.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of the window of a list, over one connection after the other. One thread reads them, others can end them.
 */
final class LiveEvents extends Spliterators.AbstractSpliterator<LiveEvent> {

    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");

    private final KeptList<?> list;
    private final Transport transport;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection connection;

    /** The attempts to connect that have failed since the last event. */
    private int failures;

    /** Why the last event could not be applied; null if it could. */
    private volatile @Nullable FeedException rejection;

    private record Connection(URI uri, EventReader reader, CompletableFuture<HttpResponse<String>> response) {

        Optional<LiveEvent> next(Duration silence) {
            try {
                return reader.next(silence);
            } catch (TimeoutException e) {
                throw new FeedException(uri.getAuthority() + " has sent nothing for " + silence.toMillis() + " ms", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FeedException("interrupted while waiting for an event", e);
            }
        }

        /** Why the stream has ended. */
        FeedException failure() {
            try {
                HttpResponse<String> received = response.join();
                if (!Transport.isEventStream(received.statusCode(), received.headers())) {
                    return new ProblemException(Problem.of(received, received.body()), null);
                }
                String message = uri.getAuthority() + " has ended the event stream";
                return new FeedException(message, new IOException(message));
            } catch (CompletionException e) {
                return Transport.noResponse(uri, e);
            }
        }

        void end() {
            reader.end();
            response.cancel(true);
        }
    }

    LiveEvents(KeptList<?> list, Transport transport) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
        this.list = list;
        this.transport = transport;
    }

    @Override
    public boolean tryAdvance(Consumer<? super LiveEvent> action) {
        Optional<LiveEvent> event = next();
        event.ifPresent(action);
        return event.isPresent();
    }

    /** Waits for the next event, and connects again as often as {@link Retry} allows. Empty after {@link #close}. */
    private Optional<LiveEvent> next() {
        while (!isClosed()) {
            Connection present = connection;
            if (present == null) {
                FeedException rejected = rejection;
                if (rejected != null) {
                    rejection = null;
                    awaitRetry(rejected);
                }
                list.connect(this);
                continue;
            }
            try {
                // Twice the timeout, because the server sends a heartbeat every 15 s.
                Optional<LiveEvent> event = present.next(transport.timeout().multipliedBy(2));
                if (event.isPresent()) {
                    requireNoProblem(event.get());
                    failures = 0;
                    return event;
                }
                if (present.equals(connection)) {
                    throw present.failure();
                }
            } catch (FeedException e) {
                if (present.equals(connection)) {
                    disconnect();
                    awaitRetry(e);
                }
            }
        }
        return Optional.empty();
    }

    private static void requireNoProblem(LiveEvent event) {
        if (event.name().equals("problem")) {
            throw new ProblemException(Problem.ofEvent(event.data()), null);
        }
    }

    /** Waits before the next attempt, or throws the failure if there is none. */
    private void awaitRetry(FeedException failure) {
        Retry retry = transport.retry();
        Duration delay = retry.delay(++failures, Transport.retryAfter(failure));
        if (!Transport.isTemporary(failure) || !retry.allows(failures + 1, delay)) {
            throw failure;
        }
        LOG.log(System.Logger.Level.DEBUG, "{0}; retry in {1}", failure.getMessage(), delay);
        try {
            closed.await(delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FeedException("interrupted while waiting for a retry", e);
        }
    }

    /** Opens a connection, unless {@link #close} was called. */
    void open(URI uri) {
        EventReader reader = new EventReader();
        CompletableFuture<HttpResponse<String>> response = transport.openStream(uri, reader);
        response.whenComplete((received, failure) -> reader.end());
        Connection opened = new Connection(uri, reader, response);
        synchronized (this) {
            if (!isClosed()) {
                connection = opened;
                return;
            }
        }
        opened.end();
    }

    /** Ends the connection. The next one is opened when the next event is asked for. */
    synchronized void disconnect() {
        Connection present = connection;
        connection = null;
        if (present != null) {
            present.end();
        }
    }

    /**
     * Like {@link #disconnect}, because an event could not be applied. Connects again only if this can be temporary.
     */
    void reject(FeedException failure) {
        rejection = failure;
        disconnect();
    }

    void close() {
        closed.countDown();
        disconnect();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }
}
