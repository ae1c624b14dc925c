package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CursorSealerPropertyTest {

    private final CursorSealer sealer =
            new CursorSealer(CursorKeys.parse(List.of(Sealers.key(1))), Optional.empty(), Clock.systemUTC());
    private final ListState state = SampleFeeds.listState(SampleFeeds.messages(), "newest");

    @Property
    void aSealedContinuationOpensUnchanged(@ForAll("continuations") Continuation continuation) {
        assertThat(sealer.open(state, sealer.seal(state, continuation))).isEqualTo(continuation);
    }

    @Property
    void equalContinuationsHaveEqualCursors(@ForAll("continuations") Continuation continuation) {
        assertThat(sealer.seal(state, continuation)).isEqualTo(sealer.seal(state, continuation));
    }

    @Property
    void tokensHaveEqualContentsIfTheyDifferOnlyInTheirFloors(
            @ForAll("continuations") Continuation one, @ForAll("continuations") Continuation two) {
        byte[] content = sealer.sealToken(state, one).content();
        assertThat(Arrays.equals(content, sealer.sealToken(state, two).content()))
                .isEqualTo(one.withoutFloor().equals(two.withoutFloor()));
        assertThat(sealer.sealToken(state, one.withoutFloor()).content()).isEqualTo(content);
    }

    @Property
    void differentContinuationsHaveDifferentCursors(
            @ForAll("continuations") Continuation one, @ForAll("continuations") Continuation two) {
        assertThat(sealer.seal(state, one).equals(sealer.seal(state, two))).isEqualTo(one.equals(two));
    }

    @Property
    void aCursorUsesTheUrlSafeAlphabet(@ForAll("continuations") Continuation continuation) {
        assertThat(sealer.seal(state, continuation)).matches("[A-Za-z0-9_-]+");
    }

    /** A cursor that begins with a letter cannot be mistaken for a number. */
    @Property
    void aCursorBeginsWithALetter(@ForAll("continuations") Continuation continuation) {
        assertThat(sealer.seal(state, continuation)).startsWith("A");
    }

    @Property
    void anInventedCursorIsRejected(@ForAll String invented) {
        assertThatThrownBy(() -> sealer.open(state, invented)).isInstanceOf(CursorRejectedException.class);
    }

    @Provide
    Arbitrary<Continuation> continuations() {
        Arbitrary<String[]> values =
                anyText().injectNull(0.2).array(String[].class).ofMinSize(1).ofMaxSize(5);
        Arbitrary<Optional<Floor>> floors = Combinators.combine(
                        Arbitraries.integers().between(0, 0xffff),
                        Arbitraries.integers().between(1, Integer.MAX_VALUE),
                        Arbitraries.longs().between(0, Long.MAX_VALUE),
                        Arbitraries.longs().between(0, 1L << 40),
                        Arbitraries.longs().between(0, 1L << 40))
                .as((system, timeline, lsn, xmax, running) ->
                        new Floor(system, timeline, lsn, Math.max(0, xmax - running), xmax))
                .optional();
        return Combinators.combine(values, Arbitraries.of(Gap.Side.class), Arbitraries.of(Direction.class), floors)
                .as((of, side, direction, floor) ->
                        new Continuation(new Gap(side, Position.of(of)), direction, Optional.empty(), floor));
    }

    /** Any text that a database can hold: all characters of Unicode except NUL and lone surrogates. */
    private static Arbitrary<String> anyText() {
        return Arbitraries.integers()
                .between(1, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .list()
                .ofMaxSize(60)
                .map(points -> {
                    StringBuilder text = new StringBuilder();
                    points.forEach(text::appendCodePoint);
                    return text.toString();
                });
    }
}
