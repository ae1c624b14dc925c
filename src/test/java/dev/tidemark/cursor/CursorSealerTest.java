package dev.tidemark.cursor;

import static dev.tidemark.cursor.CursorRejectedException.Reason.INVALID;
import static dev.tidemark.cursor.CursorRejectedException.Reason.MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CursorSealerTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String KEY_A = Sealers.key(1);
    private static final String KEY_B = Sealers.key(2);

    private final Feed messages = SampleFeeds.messages();
    private final ListState newest = SampleFeeds.listState(messages, "newest");
    private final CursorSealer sealer = sealer(KEY_A);
    private final Continuation continuation = forwardAfter("2026-01-16 10:00:00.123456+00", "9876");
    private final String cursor = sealer.seal(newest, continuation);

    @Test
    void theCursorFormatIsStable() {
        assertThat(cursor)
                .isEqualTo(
                        "Ae081y90JxrouidbUA6bt64UxiU84zJQ6AL1pn3pY1YW1JlZO8CKSFZUQ0267f02L0WGRHnOUyGM03TWH6OugwoUiLjDE2a9Og");
        assertThat(sealer.seal(newest, new Continuation(Gap.before(Position.of(null, "")), Direction.BACKWARD)))
                .isEqualTo("Ae081y9AL63D7QiEwMHOwX2fHAGl8HLT7GY0aPEmreapYpFRyH9htA");
    }

    @Test
    void changingAnyCharacterMakesACursorInvalid() {
        for (int at = 0; at < cursor.length(); at++) {
            for (char other : (ALPHABET + "+/=.~ \u00e9\u0141").toCharArray()) {
                if (other != cursor.charAt(at)) {
                    assertRejected(cursor.substring(0, at) + other + cursor.substring(at + 1), INVALID);
                }
            }
        }
    }

    @Test
    void truncatingACursorMakesItInvalid() {
        for (int at = 0; at < cursor.length(); at++) {
            assertRejected(cursor.substring(0, at), INVALID);
            assertRejected(cursor.substring(at + 1), INVALID);
        }
    }

    @Test
    void appendingAnyCharacterMakesACursorInvalid() {
        for (char more : (ALPHABET + "+/=. \n").toCharArray()) {
            assertRejected(cursor + more, INVALID);
            assertRejected(more + cursor, INVALID);
        }
        assertRejected(cursor + "==", INVALID);
    }

    @Test
    void madeUpTextOfAnyLengthIsInvalid() {
        for (int length : List.of(0, 1, 4, 7, 28, 512, 8_000, 8_001, 16_000)) {
            assertRejected("A".repeat(length), INVALID);
        }
    }

    @Test
    void aCursorOfAnotherOrderIsAMismatch() {
        assertThat(rejection(SampleFeeds.listState(messages, "subject"), cursor))
                .isEqualTo(MISMATCH);
    }

    @Test
    void aCursorOfAnotherFilterIsAMismatch() {
        ListState open = SampleFeeds.listState(messages, "newest", status("open"));
        assertThat(rejection(open, cursor)).isEqualTo(MISMATCH);
        assertThat(rejection(newest, sealer.seal(open, continuation))).isEqualTo(MISMATCH);
    }

    @Test
    void aCursorOfAnotherFeedIsAMismatch() {
        Feed other = new Feed(
                "letters",
                messages.relation(),
                messages.columns(),
                messages.orders(),
                messages.filters(),
                messages.policy(),
                messages.access());
        assertThat(rejection(SampleFeeds.listState(other, "newest"), cursor)).isEqualTo(MISMATCH);
    }

    @Test
    void theOrderAndRepetitionOfFiltersDoNotMatter() {
        Condition any = new Condition.AnyOf(SampleFeeds.STATUS, List.of("open", "closed", "open"));
        Condition same = status("closed", "open");
        Condition urgent = new Condition.Nullness(SampleFeeds.PRIORITY, false);
        String sealed = sealer.seal(SampleFeeds.listState(messages, "newest", any, urgent), continuation);
        assertThat(sealer.open(SampleFeeds.listState(messages, "newest", urgent, same, urgent), sealed))
                .isEqualTo(continuation);
    }

    @Test
    void aCursorSurvivesARenamedOrderButNotAChangedOne() {
        Order renamed = new Order("latest", newest.order().keys(), false);
        Order other = new Order("newest", newest.order().keys(), true);
        assertThat(sealer.open(new ListState(messages, renamed, List.of()), cursor))
                .isEqualTo(continuation);
        assertThat(rejection(new ListState(messages, other, List.of()), cursor)).isEqualTo(MISMATCH);
    }

    @Test
    void instancesWithTheSameKeysOpenEachOthersCursors() {
        assertThat(sealer(KEY_A).open(newest, cursor)).isEqualTo(continuation);
    }

    @Test
    void theFirstKeySealsAndAnyKeyOpens() {
        CursorSealer rotated = sealer(KEY_B, KEY_A);
        assertThat(rotated.open(newest, cursor)).isEqualTo(continuation);
        assertThat(rotated.seal(newest, continuation)).isEqualTo(sealer(KEY_B).seal(newest, continuation));
    }

    @Test
    void aCursorWhoseKeyWasRemovedIsInvalid() {
        assertThat(catchThrowableOfType(CursorRejectedException.class, () -> sealer(KEY_B)
                                .open(newest, cursor))
                        .reason())
                .isEqualTo(INVALID);
    }

    @Test
    void aRandomKeyOpensOnlyItsOwnCursors() {
        CursorSealer random = new CursorSealer(CursorKeys.random(), Optional.empty(), Clock.systemUTC());
        assertThat(random.open(newest, random.seal(newest, continuation))).isEqualTo(continuation);
        assertThat(catchThrowableOfType(CursorRejectedException.class, () -> random.open(newest, cursor))
                        .reason())
                .isEqualTo(INVALID);
    }

    @Test
    void aCursorOfATextOf100CharactersAndAUuidHasAtMost512Characters() {
        String uuid = "01234567-89ab-cdef-0123-456789abcdef";
        assertThat(sealer.seal(newest, forwardAfter("\u4e16".repeat(100), uuid)))
                .hasSizeLessThanOrEqualTo(512);
        assertThat(CursorSealerLifetimeTest.sealerWithLifetime(KEY_A, Clock.systemUTC())
                        .seal(newest, forwardAfter("\u4e16".repeat(100), uuid)))
                .hasSizeLessThanOrEqualTo(512);
    }

    @Test
    void aValueTooLongForACursorIsReportedWithItsColumn() {
        ListState subject = SampleFeeds.listState(messages, "subject");
        PositionTooLongException rejection = catchThrowableOfType(
                PositionTooLongException.class, () -> sealer.seal(subject, forwardAfter("x".repeat(6_000), "7")));
        assertThat(rejection.column()).isEqualTo(SampleFeeds.SUBJECT);
    }

    @Test
    void theLongestCursorStillOpens() {
        Continuation longest = forwardAfter("x".repeat(5_950), "7");
        String sealed = sealer.seal(newest, longest);
        assertThat(sealed).hasSizeBetween(7_950, 8_000);
        assertThat(sealer.open(newest, sealed)).isEqualTo(longest);
    }

    private void assertRejected(String altered, Reason reason) {
        assertThat(rejection(newest, altered)).as(altered).isEqualTo(reason);
    }

    private Reason rejection(ListState state, String altered) {
        return catchThrowableOfType(CursorRejectedException.class, () -> sealer.open(state, altered))
                .reason();
    }

    private static Condition status(String... values) {
        return new Condition.AnyOf(SampleFeeds.STATUS, List.of(values));
    }

    private static Continuation forwardAfter(String... values) {
        return new Continuation(Gap.after(Position.of(values)), Direction.FORWARD);
    }

    private static CursorSealer sealer(String... keys) {
        return new CursorSealer(CursorKeys.parse(List.of(keys)), Optional.empty(), Clock.systemUTC());
    }
}
