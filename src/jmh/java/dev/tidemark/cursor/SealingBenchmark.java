package dev.tidemark.cursor;

import dev.tidemark.MicrosecondBenchmark;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The time to seal and to open a cursor. A page request opens one cursor and seals two, and each request has a new
 * list state.
 */
public class SealingBenchmark extends MicrosecondBenchmark {

    private final CursorSealer sealer = Sealers.withoutLifetime();
    private final Feed feed = SampleFeeds.messages();
    private final ListState usedState = SampleFeeds.listState(feed, "newest");
    private final Continuation continuation =
            new Continuation(Gap.after(Position.of("2026-01-16 10:00:00.123456+00", "1234567")), Direction.FORWARD);
    private final String token = sealer.seal(usedState, continuation);

    @Benchmark
    public String seal() {
        return sealer.seal(usedState, continuation);
    }

    @Benchmark
    public Continuation open() {
        return sealer.open(usedState, token);
    }

    @Benchmark
    public Continuation sealAndOpen() {
        return sealer.open(usedState, sealer.seal(usedState, continuation));
    }

    /** Includes the computation of the digest of a new list state. */
    @Benchmark
    public Continuation sealAndOpenInNewListState() {
        ListState newState = SampleFeeds.listState(feed, "newest");
        return sealer.open(newState, sealer.seal(newState, continuation));
    }
}
