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

/** The time to seal and open a cursor. A request opens one and seals two, with a new list state. */
public class SealingBenchmark extends MicrosecondBenchmark {

    private final CursorSealer sealer = Sealers.ageless();
    private final Feed feed = SampleFeeds.messages();
    private final ListState known = SampleFeeds.listed(feed, "newest");
    private final Continuation place =
            new Continuation(Gap.after(Position.of("2026-01-16 10:00:00.123456+00", "1234567")), Direction.FORWARD);
    private final String token = sealer.seal(known, place);

    @Benchmark
    public String seal() {
        return sealer.seal(known, place);
    }

    @Benchmark
    public Continuation open() {
        return sealer.open(known, token);
    }

    @Benchmark
    public Continuation sealAndOpen() {
        return sealer.open(known, sealer.seal(known, place));
    }

    /** Includes computing the digest of a new list state. */
    @Benchmark
    public Continuation sealAndOpenInNewListState() {
        ListState fresh = SampleFeeds.listed(feed, "newest");
        return sealer.open(fresh, sealer.seal(fresh, place));
    }
}
