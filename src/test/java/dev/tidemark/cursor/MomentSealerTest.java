package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Position;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MomentSealerTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final long MAX_ITEM_BYTES = 65_536;
    private static final String OLD_KEY = Sealers.key(3);

    private static final Column ID = new Column("id", Scalar.BIGINT, "bigint", false);
    private static final Column SENT = new Column("sent", Scalar.BIGINT, "bigint", false);
    private static final Column BODY = new Column("body", Scalar.TEXT, "text", false);
    private static final Feed FEED = SampleFeeds.messagesWithDelta(List.of(ID, SENT));
    private static final Feed OTHER = SampleFeeds.messagesWithDelta(List.of(ID));

    private final MomentSealer sealer = sealer(Sealers.KEY);
    private final Moment moment = new Moment("1795343969.956998/0000000005", 4294969011L);
    private final String token = sealer.seal(FEED, moment);

    private static MomentSealer sealer(String... keys) {
        return new MomentSealer(CursorKeys.parse(List.of(keys)), new Feeds(List.of(FEED)), MAX_ITEM_BYTES);
    }

    private static MomentSealer sealerOfServer(Feed served) {
        return new MomentSealer(CursorKeys.parse(List.of(Sealers.KEY)), new Feeds(List.of(served)), MAX_ITEM_BYTES);
    }

    @Test
    void aSealedMomentOpensUnchanged() {
        assertThat(sealer.open(FEED, token)).contains(moment);
        Moment last = new Moment("ä", Long.MAX_VALUE);
        assertThat(sealer.open(FEED, sealer.seal(FEED, last))).contains(last);
    }

    @Test
    void equalMomentsHaveEqualTokensAndOthersHaveTokensOfTheSameLength() {
        assertThat(sealer.seal(FEED, new Moment(moment.serverRun(), moment.horizon())))
                .isEqualTo(token);
        assertThat(sealer.seal(FEED, new Moment(moment.serverRun(), 3)))
                .isNotEqualTo(token)
                .hasSameSizeAs(token);
    }

    @Test
    void aLaterMomentHasItsOwnToken() {
        Moment later = new Moment(moment.serverRun(), moment.horizon() + 1);
        assertThat(sealer.open(FEED, sealer.seal(FEED, later))).contains(later);
        assertThat(sealer.seal(FEED, moment)).isEqualTo(token);
    }

    static Stream<Feed> otherForms() {
        Embed.Match match = new Embed.Match(ID, ID, Optional.empty());
        Column sentInSeconds = new Column("sent", new EpochType(EpochType.Unit.S), "bigint", false);
        return Stream.of(
                SampleFeeds.messagesWithDelta(List.of(ID)),
                SampleFeeds.messagesWithDelta(List.of(SENT, ID)),
                SampleFeeds.messagesWithDelta(List.of(ID, SENT, BODY)),
                SampleFeeds.messagesWithDelta(List.of(ID, sentInSeconds)),
                SampleFeeds.messagesWithDelta(List.of(ID, new Column("sent", Scalar.NUMERIC, "numeric", false))),
                SampleFeeds.messagesWithDelta(
                        List.of(ID, SENT), new Embed("who", "public", "people", List.of(match), List.of(BODY), false)));
    }

    @ParameterizedTest
    @MethodSource("otherForms")
    void aMomentOfAnotherFormOfTheItemsIsOfNoRun(Feed redeclared) {
        assertThat(sealerOfServer(redeclared).open(redeclared, token)).contains(Moment.OF_NO_RUN);
    }

    /** A client keeps large items without their largest values. */
    @Test
    void aMomentOfAServerWithAnotherLimitOfItemsIsOfNoRun() {
        MomentSealer ofOtherLimit =
                new MomentSealer(CursorKeys.parse(List.of(Sealers.KEY)), new Feeds(List.of(FEED)), 2 * MAX_ITEM_BYTES);
        assertThat(ofOtherLimit.open(FEED, token)).contains(Moment.OF_NO_RUN);
    }

    /** The unit, the embedded table, and its columns change values under the same names. */
    @Test
    void aMomentOfAnotherUnitOrAnotherEmbeddedTableIsOfNoRun() {
        List<Column> inSeconds = List.of(ID, new Column("sent", new EpochType(EpochType.Unit.S), "bigint", false));
        List<Column> inMillis = List.of(ID, new Column("sent", new EpochType(EpochType.Unit.MS), "bigint", false));
        Embed.Match match = new Embed.Match(ID, ID, Optional.empty());
        Embed people = new Embed("who", "public", "people", List.of(match), List.of(BODY), false);
        Embed agents = new Embed("who", "public", "agents", List.of(match), List.of(BODY), false);
        for (List<Feed> change : List.of(
                List.of(SampleFeeds.messagesWithDelta(inSeconds), SampleFeeds.messagesWithDelta(inMillis)),
                List.of(
                        SampleFeeds.messagesWithDelta(List.of(ID), people),
                        SampleFeeds.messagesWithDelta(List.of(ID), agents)))) {
            String before = sealerOfServer(change.get(0)).seal(change.get(0), moment);
            assertThat(sealerOfServer(change.get(1)).open(change.get(1), before))
                    .contains(Moment.OF_NO_RUN);
        }
    }

    @Test
    void aMomentIsValidForItsFeedIfOnlyOtherFeedsHaveChanged() {
        assertThat(sealerOfServer(OTHER).open(FEED, token)).contains(moment);
    }

    @Test
    void aMomentIsValidForEveryFeedIfNoneHasChanged() {
        assertThat(sealer.open(OTHER, token)).contains(moment);
    }

    @Test
    void aTokenThatWasAlteredTruncatedOrMadeUpIsRejected() {
        for (int at = 0; at < token.length(); at++) {
            assertThat(sealer.open(FEED, token.substring(0, at))).isEmpty();
            for (char other : (ALPHABET + "+/=.~ \u00e9").toCharArray()) {
                if (other != token.charAt(at)) {
                    assertThat(sealer.open(FEED, token.substring(0, at) + other + token.substring(at + 1)))
                            .isEmpty();
                }
            }
        }
        assertThat(sealer.open(FEED, token + "=")).isEmpty();
        assertThat(sealer.open(FEED, "A".repeat(10_000))).isEmpty();
    }

    @Test
    void allKeysOpenAndTheFirstSeals() {
        String old = sealer(OLD_KEY).seal(FEED, moment);
        assertThat(sealer(Sealers.KEY, OLD_KEY).open(FEED, old)).contains(moment);
        assertThat(sealer(Sealers.KEY, OLD_KEY).seal(FEED, moment)).isEqualTo(token);
        assertThat(sealer.open(FEED, old)).isEmpty();
    }

    @Test
    void aCursorIsNotAMoment() {
        ListState list = SampleFeeds.listState(SampleFeeds.messages(), "newest");
        String cursor = Sealers.withoutLifetime()
                .seal(list, new Continuation(Gap.after(Position.of("2026-01-16", "9")), Direction.FORWARD));
        assertThat(sealer.open(FEED, cursor)).isEmpty();
    }
}
