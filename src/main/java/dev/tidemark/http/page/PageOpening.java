package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorRefused;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.FeedReader;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FeedQuery;
import dev.tidemark.http.query.Jump;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Finds the place that a query goes on from: opens its cursors, and looks up the item it jumps to. */
final class PageOpening {

    private final CursorSealer cursors;
    private final FeedReader reader;

    PageOpening(CursorSealer cursors, FeedReader reader) {
        this.cursors = cursors;
        this.reader = reader;
    }

    /** Of a query that does not jump. */
    PageRequest open(FeedQuery query) {
        Optional<Continuation> cursor = query.cursor().map(token -> cursors.open(query.state(), token));
        Optional<Gap> until = query.until().map(token -> openUntil(query.state(), token));
        boolean backward = cursor.map(Continuation::direction)
                .filter(Direction.BACKWARD::equals)
                .isPresent();
        if (until.isPresent() && backward) {
            throw Problem.with(
                    "until",
                    ProblemCode.CONFLICTING_PARAMETERS,
                    "until ends a walk forward, and this cursor leads backward");
        }
        return new PageRequest(cursor, query.limit(), 0, until);
    }

    /** Only a jump to an item asks the database. */
    Uni<PageRequest> open(FeedQuery query, Jump jump) {
        return place(query.state(), jump).map(place -> {
            Continuation from = new Continuation(Gap.before(place), Direction.FORWARD);
            int preceding = jump.around() ? query.limit() / 2 : 0;
            return new PageRequest(Optional.of(from), query.limit(), preceding, Optional.empty());
        });
    }

    private Gap openUntil(ListState state, String token) {
        try {
            return cursors.open(state, token).gap();
        } catch (CursorRefused e) {
            throw Problem.of(e, "until");
        }
    }

    private Uni<Position> place(ListState state, Jump jump) {
        if (jump instanceof Jump.ToValue value) {
            return Uni.createFrom().item(Position.of(value.value()));
        }
        Jump.ToItem item = (Jump.ToItem) jump;
        return reader.locate(state, item.key())
                .map(found -> found.orElseThrow(() -> Problem.with(
                        item.around() ? "around_id" : "from_id",
                        ProblemCode.ANCHOR_NOT_FOUND,
                        "no item of this key is in this list")));
    }
}
