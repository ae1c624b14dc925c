package dev.tidemark.client;

import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Delivers the items of a list to one subscriber, at the pace of the subscriber. */
final class ItemSubscription<T> implements Flow.Subscription {

    private final FeedList<T> list;
    private final AtomicLong demand = new AtomicLong();

    /** The number of calls of {@link #drain} since the loop was idle. Items are delivered only in the loop. */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile boolean cancelled;
    private volatile boolean invalid;
    private volatile CompletableFuture<Page<T>> reading;
    private volatile Page<T> arrived;
    private volatile Throwable failure;

    // Only the loop uses these.
    private Flow.Subscriber<? super T> subscriber;
    private Iterator<T> items = Collections.emptyIterator();
    private Optional<PageStart> next;

    private ItemSubscription(FeedList<T> list, PageStart start, Flow.Subscriber<? super T> subscriber) {
        this.list = list;
        this.next = Optional.of(start);
        this.subscriber = subscriber;
    }

    static <T> void start(FeedList<T> list, PageStart start, Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber);
        ItemSubscription<T> subscription = new ItemSubscription<>(list, start, subscriber);
        // Items requested within onSubscribe are delivered after it has returned.
        subscription.calls.set(1);
        subscriber.onSubscribe(subscription);
        subscription.drainLoop();
    }

    @Override
    public void request(long number) {
        if (number <= 0) {
            invalid = true;
        } else {
            demand.accumulateAndGet(number, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
        }
        drain();
    }

    @Override
    public void cancel() {
        cancelled = true;
        cancelReading();
        drain();
    }

    /** Delivers all signals that are due. If another thread is already delivering signals, that thread checks again. */
    private void drain() {
        if (calls.getAndIncrement() == 0) {
            drainLoop();
        }
    }

    private void drainLoop() {
        int seen = 1;
        do {
            if (subscriber != null) {
                deliver();
            }
            seen = calls.addAndGet(-seen);
        } while (seen != 0);
    }

    private void deliver() {
        if (arrived != null) {
            items = arrived.items().iterator();
            next = next.flatMap(start -> start.after(arrived));
            arrived = null;
            reading = null;
        }
        while (demand.get() > 0 && items.hasNext() && !cancelled && !invalid) {
            demand.decrementAndGet();
            emit(items.next());
        }
        if (cancelled) {
            detachSubscriber();
        } else if (invalid) {
            detachSubscriber()
                    .onError(new IllegalArgumentException("request of less than 1 item (Reactive Streams, rule 3.9)"));
        } else if (failure != null) {
            detachSubscriber().onError(failure);
        } else if (!items.hasNext() && next.isEmpty()) {
            detachSubscriber().onComplete();
        } else if (!items.hasNext() && reading == null && demand.get() > 0) {
            read(next.get());
        }
    }

    private void emit(T item) {
        try {
            subscriber.onNext(item);
        } catch (RuntimeException | Error e) {
            // The subscription of a subscriber that throws is cancelled (rule 2.13). Passes the exception to the
            // thread's handler, because on a pool thread it would be lost.
            cancelled = true;
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private void read(PageStart start) {
        CompletableFuture<Page<T>> page = list.pageAsync(start);
        reading = page;
        if (cancelled) {
            cancelReading();
        }
        page.whenComplete((read, problem) -> {
            // Do not reset the other field: the loop may already have consumed this page, and the next read may have
            // failed.
            if (problem == null) {
                arrived = read;
            } else {
                failure = problem;
            }
            drain();
        });
    }

    private void cancelReading() {
        CompletableFuture<Page<T>> page = reading;
        if (page != null) {
            page.cancel(true);
        }
    }

    /** Detaches and returns the subscriber, for its last signal. */
    private Flow.Subscriber<? super T> detachSubscriber() {
        Flow.Subscriber<? super T> last = subscriber;
        subscriber = null;
        items = Collections.emptyIterator();
        cancelReading();
        return last;
    }
}
