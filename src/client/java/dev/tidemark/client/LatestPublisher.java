package dev.tidemark.client;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the latest of a sequence of values. A subscriber that requests values more slowly than they change skips
 * values, but always gets the latest one.
 */
final class LatestPublisher<T> implements Flow.Publisher<T> {

    /**
     * @param value null if there is none yet
     * @param number counts the values
     * @param failure null if there is none
     */
    private record Latest<T>(
            @Nullable T value,
            long number,
            boolean ended,
            @Nullable Throwable failure) {}

    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile Latest<T> latest = new Latest<>(null, 0, false, null);

    /** Replaces the latest value. Must be followed by {@link #deliver}; calls must not overlap. */
    void set(T value) {
        if (!latest.ended()) {
            latest = new Latest<>(value, latest.number() + 1, false, null);
        }
    }

    /**
     * Ends the sequence with its latest value. Must be followed by {@link #deliver}.
     *
     * @param failure null if there is none
     */
    void end(@Nullable Throwable failure) {
        latest = new Latest<>(latest.value(), latest.number(), true, failure);
    }

    /** Delivers the latest value to the subscribers that have requested it. Callable from any thread. */
    void deliver() {
        subscriptions.forEach(Subscription::drain);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber);
        Subscription subscription = new Subscription(subscriber);
        // Values requested within onSubscribe are delivered after it has returned.
        subscription.unhandledCalls.set(1);
        subscriber.onSubscribe(subscription);
        subscriptions.add(subscription);
        subscription.drainLoop();
    }

    private final class Subscription implements Flow.Subscription {

        private final AtomicLong demand = new AtomicLong();

        /** The number of calls of {@link #drain} that {@link #drainLoop} has not yet handled. */
        private final AtomicInteger unhandledCalls = new AtomicInteger();

        private volatile boolean canceled;
        private volatile boolean hasInvalidRequest;

        // Only drainLoop uses the following fields.
        private Flow.@Nullable Subscriber<? super T> subscriber;
        private long deliveredNumber;

        Subscription(Flow.Subscriber<? super T> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long number) {
            if (number <= 0) {
                hasInvalidRequest = true;
            } else {
                demand.accumulateAndGet(number, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
            }
            drain();
        }

        @Override
        public void cancel() {
            canceled = true;
            drain();
        }

        private void drain() {
            if (unhandledCalls.getAndIncrement() == 0) {
                drainLoop();
            }
        }

        private void drainLoop() {
            int handledCalls = 1;
            do {
                Flow.Subscriber<? super T> attached = subscriber;
                if (attached != null) {
                    emit(latest, attached);
                }
                handledCalls = unhandledCalls.addAndGet(-handledCalls);
            } while (handledCalls != 0);
        }

        private void emit(Latest<T> present, Flow.Subscriber<? super T> attached) {
            if (!canceled && !hasInvalidRequest && present.number() > deliveredNumber && demand.get() > 0) {
                demand.decrementAndGet();
                deliveredNumber = present.number();
                try {
                    attached.onNext(present.value());
                } catch (RuntimeException | Error e) {
                    // As in ItemSubscription (Reactive Streams, rule 2.13).
                    canceled = true;
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
            if (canceled) {
                detachSubscriber();
            } else if (hasInvalidRequest) {
                detachSubscriber();
                attached.onError(
                        new IllegalArgumentException("a request for fewer than 1 state (Reactive Streams, rule 3.9)"));
            } else if (present.ended()) {
                detachSubscriber();
                if (present.failure() == null) {
                    attached.onComplete();
                } else {
                    attached.onError(present.failure());
                }
            }
        }

        /** Detaches the subscriber, before it receives its last signal. */
        private void detachSubscriber() {
            subscriber = null;
            subscriptions.remove(this);
        }
    }
}
