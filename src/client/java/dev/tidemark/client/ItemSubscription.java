package dev.tidemark.client;

import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Delivers the items of a list to one subscriber, as many as the subscriber requests. */
final class ItemSubscription<T> implements Flow.Subscription {

    private final FeedList<T> list;
    private final AtomicLong demand = new AtomicLong();

    /**
     * The number of calls of {@link #drain} that {@link #drainLoop} has not yet handled. Only the call that finds 0
     * runs the loop, so that no two threads deliver signals at the same time.
     */
    private final AtomicInteger unhandledCalls = new AtomicInteger();

    private volatile boolean canceled;
    private volatile boolean hasInvalidRequest;
    private volatile @Nullable CompletableFuture<Page<T>> pendingPage;
    private volatile @Nullable Page<T> arrivedPage;
    private volatile @Nullable Throwable failure;

    // Only drainLoop uses the following fields.
    private Flow.@Nullable Subscriber<? super T> subscriber;
    private Iterator<T> items = Collections.emptyIterator();
    private Optional<PageStart> nextStart;

    private ItemSubscription(FeedList<T> list, PageStart start, Flow.Subscriber<? super T> subscriber) {
        this.list = list;
        this.nextStart = Optional.of(start);
        this.subscriber = subscriber;
    }

    static <T> void start(FeedList<T> list, PageStart start, Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber);
        ItemSubscription<T> subscription = new ItemSubscription<>(list, start, subscriber);
        // Items requested within onSubscribe are delivered after it has returned.
        subscription.unhandledCalls.set(1);
        subscriber.onSubscribe(subscription);
        subscription.drainLoop();
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
        cancelPendingPage();
        drain();
    }

    /** Delivers all signals that are due. If another thread is already delivering signals, that thread checks again. */
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
                deliver(attached);
            }
            handledCalls = unhandledCalls.addAndGet(-handledCalls);
        } while (handledCalls != 0);
    }

    private void deliver(Flow.Subscriber<? super T> attached) {
        Page<T> page = arrivedPage;
        if (page != null) {
            items = page.items().iterator();
            nextStart = nextStart.flatMap(start -> start.after(page));
            arrivedPage = null;
            pendingPage = null;
        }
        while (demand.get() > 0 && items.hasNext() && !canceled && !hasInvalidRequest) {
            demand.decrementAndGet();
            emit(items.next(), attached);
        }
        if (canceled) {
            detachSubscriber();
        } else if (hasInvalidRequest) {
            detachSubscriber();
            attached.onError(
                    new IllegalArgumentException("a request for fewer than 1 item (Reactive Streams, rule 3.9)"));
        } else if (failure != null) {
            detachSubscriber();
            attached.onError(failure);
        } else if (!items.hasNext() && nextStart.isEmpty()) {
            detachSubscriber();
            attached.onComplete();
        } else if (!items.hasNext() && pendingPage == null && demand.get() > 0) {
            read(nextStart.get());
        }
    }

    private void emit(T item, Flow.Subscriber<? super T> attached) {
        try {
            attached.onNext(item);
        } catch (RuntimeException | Error e) {
            // If a subscriber throws, its subscription is canceled (Reactive Streams, rule 2.13). On a thread of a
            // pool, the exception would be lost, so it is passed to the thread's exception handler.
            canceled = true;
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private void read(PageStart start) {
        CompletableFuture<Page<T>> page = list.pageAsync(start);
        pendingPage = page;
        if (canceled) {
            cancelPendingPage();
        }
        page.whenComplete((result, error) -> {
            // Does not reset the other field: once arrivedPage is set, drainLoop can consume the page at once, and the
            // read of the next page can set failure.
            if (error == null) {
                arrivedPage = result;
            } else {
                failure = error;
            }
            drain();
        });
    }

    private void cancelPendingPage() {
        CompletableFuture<Page<T>> page = pendingPage;
        if (page != null) {
            page.cancel(true);
        }
    }

    /** Detaches the subscriber, before it receives its last signal. */
    private void detachSubscriber() {
        subscriber = null;
        items = Collections.emptyIterator();
        cancelPendingPage();
    }
}
