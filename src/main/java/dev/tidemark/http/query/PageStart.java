package dev.tidemark.http.query;

import dev.tidemark.cursor.CursorRejectedException;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.naming.ParameterNames;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds where a page starts: opens the cursors of a query, or looks up the item that it jumps to. */
public final class PageStart {

    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final FeedReader reader;

    public PageStart(CursorSealer cursors, MomentSealer moments, FeedReader reader) {
        this.cursors = cursors;
        this.moments = moments;
        this.reader = reader;
    }

    /**
     * Converts a query to a page request. Only a jump to an item queries the database.
     *
     * @return fails with {@code anchor_not_found} if this list does not have the item to jump to
     * @throws Problem if a parameter other than {@code cursor} is invalid
     * @throws CursorRejectedException if {@code cursor} is invalid
     */
    public Uni<PageRequest> toRequest(PageQuery query) {
        Optional<Moment> since = query.since().map(this::openMoment);
        Optional<Continuation> cursor = query.cursor().map(token -> cursors.open(query.state(), token));
        Optional<Continuation> until = query.until().map(token -> openUntil(query.state(), token));
        if (until.isPresent() && cursor.isPresent() && cursor.get().direction() == Direction.BACKWARD) {
            throw Problem.with(
                    ParameterNames.UNTIL,
                    ProblemCode.CONFLICTING_PARAMETERS,
                    "until works with forward cursors only, and this cursor leads backward");
        }
        return query.jump().isEmpty()
                ? Uni.createFrom().item(request(query, cursor, until, since))
                : position(query.state(), query.jump().get(), until.flatMap(Continuation::floor))
                        .map(position -> new Continuation(Gap.before(position), Direction.FORWARD))
                        .map(from -> request(query, Optional.of(from), until, since));
    }

    private static PageRequest request(
            PageQuery query, Optional<Continuation> from, Optional<Continuation> until, Optional<Moment> since) {
        boolean isAround = query.jump().filter(Jump::around).isPresent();
        return new PageRequest(
                from,
                query.limit(),
                isAround ? OptionalInt.of(query.limit() / 2) : OptionalInt.empty(),
                until.map(Continuation::gap),
                since,
                Floor.later(from.flatMap(Continuation::floor), until.flatMap(Continuation::floor)));
    }

    private Moment openMoment(String token) {
        return moments.open(token)
                .orElseThrow(() -> Problem.with(
                        ParameterNames.SINCE,
                        ProblemCode.INVALID_MOMENT,
                        "since is not a moment that this server issued"));
    }

    private Continuation openUntil(ListState state, String token) {
        try {
            return cursors.open(state, token);
        } catch (CursorRejectedException e) {
            throw Problem.of(e, ParameterNames.UNTIL);
        }
    }

    private Uni<Position> position(ListState state, Jump jump, Optional<Floor> floor) {
        if (jump instanceof Jump.ToValue value) {
            return Uni.createFrom().item(Position.of(value.value()));
        }
        Jump.ToItem item = (Jump.ToItem) jump;
        return reader.locate(state, item.key(), floor)
                .map(found -> found.orElseThrow(() -> Problem.with(
                        item.around() ? ParameterNames.AROUND_ID : ParameterNames.FROM_ID,
                        ProblemCode.ANCHOR_NOT_FOUND,
                        "this list has no item with this key")));
    }
}
