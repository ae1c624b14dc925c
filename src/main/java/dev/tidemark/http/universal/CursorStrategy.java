package dev.tidemark.http.universal;

import dev.tidemark.cursor.CursorRejectedException;
import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Pages by cursor, with the same cursors as {@code GET /api/{feed}}. */
final class CursorStrategy implements UniversalStrategy {

    private final FeedReader reader;
    private final CursorSealer cursors;

    CursorStrategy(FeedReader reader, CursorSealer cursors) {
        this.reader = reader;
        this.cursors = cursors;
    }

    @Override
    public Uni<UniversalPaging> read(UniversalQuery query, RowSink rows) {
        Optional<Continuation> from = query.token().map(token -> open(query.state(), token));
        PageRequest request = new PageRequest(from, query.rowsToRead());
        return reader.read(query.state(), request, rows)
                .map(page -> query.wantsRows() ? page : page.withoutItems(request))
                .map(page -> UniversalPaging.seal(page, query.state(), cursors));
    }

    @Override
    public Optional<Floor> floor(UniversalQuery query) {
        return query.token().flatMap(token -> open(query.state(), token).floor());
    }

    /** Opens a token. Its parameter determines the direction, because a row's token can be used in both directions. */
    private Continuation open(ListState state, UniversalToken token) {
        Continuation opened = CursorParameter.open(token.parameter(), token.text(), state, cursors);
        if (!state.feed().relation().hasKey()) {
            // The token is from a time when the feed had a key. Without one, a position in an order can belong to
            // several rows.
            throw Problem.of(new CursorRejectedException(Reason.MISMATCH), token.parameter());
        }
        return opened.inDirection(token.direction());
    }
}
