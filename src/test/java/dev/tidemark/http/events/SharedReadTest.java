package dev.tidemark.http.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.read.FeedChanges.Watch;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When reads begin: never earlier than the interval says. If the machine stops for so long that a read is due
 * meanwhile, it begins later.
 */
@BesideQuarkusTests
class SharedReadTest {

    private static final String KEY = "key";

    private final Vertx vertx = Vertx.vertx();
    private final SharedReads<String, Recorder> reads = new SharedReads<>();

    /** When each read has begun. */
    private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());

    /** When each read was about to be decided. The machine can stop between this and the begin of the read. */
    private final List<Long> decided = Collections.synchronizedList(new ArrayList<>());

    private final AtomicInteger dropped = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void readsBeginAQuarterOfASecondApartHoweverManyChangesThereAre() {
        follow();
        Await.until("four reads have begun", () -> {
            reads.all().forEach(Recorder::onChange);
            return begun.size() >= 4;
        });
        assertIntervals();
    }

    @Test
    void aFollowerThatComesBackWaitsForTheNextRead() {
        for (int i = 0; i < 3; i++) {
            int before = begun.size();
            Watch watch = follow();
            Await.until("it was read", () -> begun.size() > before);
            watch.close();
        }
        assertIntervals();
    }

    @Test
    void nothingIsReadAgainWithoutAChange() {
        follow();
        Await.until("it was read", () -> begun.size() == 1);
        reads.all().forEach(Recorder::onChange);
        Await.until("it was read again", () -> begun.size() == 2);
        assertThat(begun).hasSize(2);
    }

    @Test
    void whatNobodyFollowsIsDroppedAndReadAnewForTheNextFollower() {
        Watch watch = follow();
        Await.until("it was read", () -> begun.size() == 1);
        watch.close();
        watch.close();
        Await.until("it is dropped", () -> dropped.get() == 1 && reads.all().isEmpty());
        follow();
        Await.until("it was read again", () -> begun.size() == 2);
    }

    /** Followers come and go on several threads while what they follow is dropped. */
    @Test
    void noFollowerIsLostWhileWhatItFollowsIsDropped() throws Exception {
        AtomicInteger entered = new AtomicInteger();
        AtomicInteger left = new AtomicInteger();
        int rounds = 2_000;
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    reads.follow(
                                    KEY,
                                    Recorder::new,
                                    read -> {
                                        entered.incrementAndGet();
                                        read.dropNow();
                                    },
                                    read -> left.incrementAndGet())
                            .close();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Await.until("all that have entered have left", () -> entered.get() == left.get());
        Watch last = reads.follow(KEY, Recorder::new, read -> entered.set(-1), read -> {});
        Await.until("the last one has entered", () -> entered.get() == -1);
        last.close();
    }

    private Watch follow() {
        return reads.follow(KEY, Recorder::new, Recorder::enter, Recorder::leave);
    }

    private void assertIntervals() {
        for (int i = 1; i < begun.size(); i++) {
            assertThat(begun.get(i) - decided.get(i - 1)).isGreaterThanOrEqualTo(SharedRead.MIN_INTERVAL.toNanos());
        }
    }

    /** Records when it is read. */
    private final class Recorder extends SharedRead {

        private int followers;
        private boolean outdated;
        private long askedNanos;

        Recorder() {
            super(vertx);
        }

        void enter() {
            followers++;
            outdated = true;
            readWhenDue();
        }

        void leave() {
            followers--;
            readWhenDue();
        }

        void onChange() {
            run(() -> {
                outdated = true;
                readWhenDue();
            });
        }

        void dropNow() {
            readWhenDue();
        }

        @Override
        protected boolean isIdle() {
            return followers == 0;
        }

        @Override
        protected boolean isOutdated() {
            askedNanos = System.nanoTime();
            return outdated;
        }

        @Override
        protected void read() {
            decided.add(askedNanos);
            begun.add(System.nanoTime());
            outdated = false;
            endRead();
        }

        @Override
        protected void onDrop() {
            dropped.incrementAndGet();
            reads.remove(KEY, this);
        }
    }
}
