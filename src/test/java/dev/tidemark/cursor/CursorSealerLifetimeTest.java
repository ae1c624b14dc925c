package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CursorSealerLifetimeTest {

    private static final String KEY = Sealers.key(1);
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Instant NOON = Instant.parse("2026-01-16T12:00:00Z");

    private final ListState state = SampleFeeds.listState(SampleFeeds.messages(), "newest");
    private final ListState otherState = SampleFeeds.listState(SampleFeeds.messages(), "subject");
    private final Continuation continuation =
            new Continuation(Gap.after(Position.of("2026-01-16 10:00:00+00", "1")), Direction.FORWARD);
    private final String sealedAtNoon = sealerAt(NOON).seal(state, continuation);

    @Test
    void aCursorOpensUntilItsLifetimeHasPassed() {
        assertThat(sealerAt(NOON.plus(LIFETIME)).open(state, sealedAtNoon)).isEqualTo(continuation);
    }

    @Test
    void aCursorOlderThanTheLifetimeIsExpired() {
        assertThat(rejection(NOON.plus(LIFETIME).plusSeconds(1), state))
                .isEqualTo(CursorRejectedException.Reason.EXPIRED);
    }

    @Test
    void anOldCursorOfAnotherListIsAMismatch() {
        assertThat(rejection(NOON.plus(Duration.ofDays(1)), otherState))
                .isEqualTo(CursorRejectedException.Reason.MISMATCH);
    }

    @Test
    void aCursorSealedByAServerWhoseClockIsAheadOpens() {
        assertThat(sealerAt(NOON.minusSeconds(30)).open(state, sealedAtNoon)).isEqualTo(continuation);
    }

    @Test
    void aCursorStaysTheSameForATenthOfTheLifetime() {
        assertThat(sealerAt(NOON.plusSeconds(59)).seal(state, continuation)).isEqualTo(sealedAtNoon);
        assertThat(sealerAt(NOON.plusSeconds(60)).seal(state, continuation)).isNotEqualTo(sealedAtNoon);
    }

    /** Otherwise, a client could be told that its page is unchanged, and keep a cursor until the cursor expires. */
    @Test
    void theContentOfATokenChangesWithTheToken() {
        byte[] content = sealerAt(NOON).sealToken(state, continuation).content();
        assertThat(sealerAt(NOON.plusSeconds(59)).sealToken(state, continuation).content())
                .isEqualTo(content);
        assertThat(sealerAt(NOON.plusSeconds(60)).sealToken(state, continuation).content())
                .isNotEqualTo(content);
    }

    @Test
    void aCursorFromBeforeALifetimeWasSetIsExpired() {
        String withoutIssueTime = sealerWithoutLifetime().seal(state, continuation);
        assertThat(catchThrowableOfType(CursorRejectedException.class, () -> sealerAt(NOON)
                                .open(state, withoutIssueTime))
                        .reason())
                .isEqualTo(CursorRejectedException.Reason.EXPIRED);
    }

    @Test
    void aCursorWithAnIssueTimeOpensAfterTheLifetimeWasRemoved() {
        assertThat(sealerWithoutLifetime().open(state, sealedAtNoon)).isEqualTo(continuation);
    }

    private CursorRejectedException.Reason rejection(Instant now, ListState list) {
        return catchThrowableOfType(
                        CursorRejectedException.class, () -> sealerAt(now).open(list, sealedAtNoon))
                .reason();
    }

    private static CursorSealer sealerAt(Instant now) {
        return sealerWithLifetime(KEY, Clock.fixed(now, ZoneOffset.UTC));
    }

    static CursorSealer sealerWithLifetime(String key, Clock clock) {
        return new CursorSealer(CursorKeys.parse(List.of(key)), Optional.of(LIFETIME), clock);
    }

    private static CursorSealer sealerWithoutLifetime() {
        return new CursorSealer(CursorKeys.parse(List.of(KEY)), Optional.empty(), Clock.systemUTC());
    }
}
