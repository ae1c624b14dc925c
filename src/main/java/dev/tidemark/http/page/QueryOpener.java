package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.FeedReader.FoundItem;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.Jump;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts queries to page requests: opens their cursors and moments, and looks up the items that they jump to. */
@Singleton
public class QueryOpener {

    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final FeedReader reader;

    public QueryOpener(CursorSealer cursors, MomentSealer moments, FeedReader reader) {
        this.cursors = cursors;
        this.moments = moments;
        this.reader = reader;
    }

    /**
     * Emits the page request of a query, which must not start at an offset. Only a jump to an item queries the
     * database.
     *
     * @return the page request; fails with {@code anchor_not_found} if the list does not contain the item to jump to
     * @throws Problem if a cursor or the moment is invalid, or if {@code until} was sent with a backward cursor
     */
    public Uni<PageRequest> open(ParsedQuery query) {
        Optional<Moment> since =
                query.since().map(moment -> moment.open(query.state().feed(), moments));
        Optional<Continuation> until = query.until().map(cursor -> cursor.open(query.state(), cursors));
        if (query.start().isEmpty()) {
            return Uni.createFrom().item(request(query, Optional.empty(), until, since));
        }
        if (query.start().get() instanceof CursorParameter cursor) {
            Continuation from = cursor.open(query.state(), cursors);
            if (until.isPresent() && from.direction() == Direction.BACKWARD) {
                throw Problem.ofParameter(
                        ParameterNames.UNTIL,
                        ProblemCode.CONFLICTING_PARAMETERS,
                        "until works with forward cursors only, and this cursor leads backward");
            }
            return Uni.createFrom().item(request(query, Optional.of(from), until, since));
        }
        Jump jump = (Jump) query.start().get();
        return find(query.state(), jump, until.flatMap(Continuation::floor)).map(found -> {
            Continuation from = new Continuation(Gap.before(found.position()), Direction.FORWARD);
            return request(query, Optional.of(from), until, since).withLaterFloor(found.floor());
        });
    }

    private static PageRequest request(
            ParsedQuery query, Optional<Continuation> from, Optional<Continuation> until, Optional<Moment> since) {
        boolean isAround = query.start().orElse(null) instanceof Jump jump && jump.isAround();
        return new PageRequest(
                from,
                query.rowsToRead(),
                isAround ? OptionalInt.of(query.limit() / 2) : OptionalInt.empty(),
                until.map(Continuation::gap),
                since,
                Floor.later(from.flatMap(Continuation::floor), until.flatMap(Continuation::floor)));
    }

    private Uni<FoundItem> find(ListState state, Jump jump, Optional<Floor> floor) {
        if (jump instanceof Jump.ToValue value) {
            return Uni.createFrom().item(new FoundItem(Position.of(value.value()), Optional.empty()));
        }
        Jump.ToItem item = (Jump.ToItem) jump;
        return reader.locate(state, item.key(), floor)
                .map(found -> found.orElseThrow(() -> Problem.ofParameter(
                        item.parameter(), ProblemCode.ANCHOR_NOT_FOUND, "this list has no item with this key")));
    }
}
