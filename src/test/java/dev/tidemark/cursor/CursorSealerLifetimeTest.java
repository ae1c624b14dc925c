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

    private static final String KEY = CursorSealerTest.key(1);
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Instant NOON = Instant.parse("2026-01-16T12:00:00Z");

    private final ListState state = SampleFeeds.listState(SampleFeeds.messages(), "newest");
    private final ListState other = SampleFeeds.listState(SampleFeeds.messages(), "subject");
    private final Continuation place =
            new Continuation(Gap.after(Position.of("2026-01-16 10:00:00+00", "1")), Direction.FORWARD);
    private final String atNoon = at(NOON).seal(state, place);

    @Test
    void aCursorOpensUntilItsLifetimeHasPassed() {
        assertThat(at(NOON.plus(LIFETIME)).open(state, atNoon)).isEqualTo(place);
    }

    @Test
    void aCursorOlderThanTheLifetimeIsExpired() {
        assertThat(rejection(NOON.plus(LIFETIME).plusSeconds(1), state))
                .isEqualTo(CursorRejectedException.Reason.EXPIRED);
    }

    @Test
    void anOldCursorOfAnotherListIsAMismatch() {
        assertThat(rejection(NOON.plus(Duration.ofDays(1)), other)).isEqualTo(CursorRejectedException.Reason.MISMATCH);
    }

    @Test
    void aCursorSealedByAClockThatIsAheadOpens() {
        assertThat(at(NOON.minusSeconds(30)).open(state, atNoon)).isEqualTo(place);
    }

    @Test
    void aCursorStaysTheSameForATenthOfTheLifetime() {
        assertThat(at(NOON.plusSeconds(59)).seal(state, place)).isEqualTo(atNoon);
        assertThat(at(NOON.plusSeconds(60)).seal(state, place)).isNotEqualTo(atNoon);
    }

    @Test
    void aCursorFromBeforeALifetimeWasSetIsExpired() {
        String ageless = ageless().seal(state, place);
        assertThat(catchThrowableOfType(CursorRejectedException.class, () -> at(NOON).open(state, ageless))
                        .reason())
                .isEqualTo(CursorRejectedException.Reason.EXPIRED);
    }

    @Test
    void aCursorWithATimeOpensAfterTheLifetimeWasRemoved() {
        assertThat(ageless().open(state, atNoon)).isEqualTo(place);
    }

    private CursorRejectedException.Reason rejection(Instant now, ListState in) {
        return catchThrowableOfType(CursorRejectedException.class, () -> at(now).open(in, atNoon))
                .reason();
    }

    private static CursorSealer at(Instant now) {
        return withLifetime(KEY, Clock.fixed(now, ZoneOffset.UTC));
    }

    static CursorSealer withLifetime(String key, Clock clock) {
        return new CursorSealer(CursorKeys.parse(List.of(key)), Optional.of(LIFETIME), clock);
    }

    private static CursorSealer ageless() {
        return new CursorSealer(CursorKeys.parse(List.of(KEY)), Optional.empty(), Clock.systemUTC());
    }
}
