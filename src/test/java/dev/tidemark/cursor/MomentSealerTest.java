package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class MomentSealerTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String OLD_KEY = Sealers.key(3);

    private final MomentSealer sealer = sealer(Sealers.KEY);
    private final Moment moment = new Moment("1795343969.956998/0000000005", 4294969011L);
    private final String token = sealer.seal(moment);

    private static MomentSealer sealer(String... keys) {
        return new MomentSealer(CursorKeys.parse(List.of(keys)));
    }

    @Test
    void aSealedMomentOpensUnchanged() {
        assertThat(sealer.open(token)).contains(moment);
        Moment last = new Moment("ä", Long.MAX_VALUE);
        assertThat(sealer.open(sealer.seal(last))).contains(last);
    }

    @Test
    void equalMomentsHaveEqualTokensAndOthersHaveTokensOfTheSameLength() {
        assertThat(sealer.seal(new Moment(moment.serverRun(), moment.horizon())))
                .isEqualTo(token);
        assertThat(sealer.seal(new Moment(moment.serverRun(), 3)))
                .isNotEqualTo(token)
                .hasSameSizeAs(token);
    }

    @Test
    void aLaterMomentHasItsOwnToken() {
        Moment later = new Moment(moment.serverRun(), moment.horizon() + 1);
        assertThat(sealer.open(sealer.seal(later))).contains(later);
        assertThat(sealer.seal(moment)).isEqualTo(token);
    }

    @Test
    void aTokenThatWasAlteredTruncatedOrMadeUpIsRejected() {
        for (int at = 0; at < token.length(); at++) {
            assertThat(sealer.open(token.substring(0, at))).isEmpty();
            for (char other : (ALPHABET + "+/=.~ \u00e9").toCharArray()) {
                if (other != token.charAt(at)) {
                    assertThat(sealer.open(token.substring(0, at) + other + token.substring(at + 1)))
                            .isEmpty();
                }
            }
        }
        assertThat(sealer.open(token + "=")).isEmpty();
        assertThat(sealer.open("A".repeat(10_000))).isEmpty();
    }

    @Test
    void allKeysOpenAndTheFirstSeals() {
        String old = sealer(OLD_KEY).seal(moment);
        assertThat(sealer(Sealers.KEY, OLD_KEY).open(old)).contains(moment);
        assertThat(sealer(Sealers.KEY, OLD_KEY).seal(moment)).isEqualTo(token);
        assertThat(sealer.open(old)).isEmpty();
    }

    @Test
    void aCursorIsNotAMoment() {
        ListState list = SampleFeeds.listState(SampleFeeds.messages(), "newest");
        String cursor = Sealers.withoutLifetime()
                .seal(list, new Continuation(Gap.after(Position.of("2026-01-16", "9")), Direction.FORWARD));
        assertThat(sealer.open(cursor)).isEmpty();
    }
}
