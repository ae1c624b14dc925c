package dev.tidemark.http.universal;

import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Pages by offset: a row's token is its number, counted from 1. */
final class OffsetStrategy implements UniversalStrategy {

    private final FeedReader reader;

    OffsetStrategy(FeedReader reader) {
        this.reader = reader;
    }

    @Override
    public Uni<UniversalPaging> read(UniversalQuery query, RowSink rows) {
        int precedingCount =
                query.token().map(token -> precedingCount(query, token)).orElse(0);
        OffsetRequest request = new OffsetRequest(precedingCount, query.direction(), query.rowsToRead());
        return reader.read(query.state(), request, rows)
                .map(page -> query.wantsRows() ? page : page.withoutItems(request))
                .map(OffsetStrategy::paging);
    }

    /** Returns no floor, because an offset does not contain the state of the database. */
    @Override
    public Optional<Floor> floor(UniversalQuery query) {
        return Optional.empty();
    }

    /**
     * Returns the number of rows before the token's position. It is limited, because the database reads all of these
     * rows.
     */
    private static int precedingCount(UniversalQuery query, UniversalToken token) {
        int max = query.feed().policy().universal().maxOffset();
        if (token.precedingCount() > max) {
            throw Problem.ofParameter(
                    token.parameter(),
                    ProblemCode.NOT_SUPPORTED,
                    "an offset in this list can be at most " + max + "; narrow the list with filters");
        }
        return token.precedingCount();
    }

    private static UniversalPaging paging(OffsetPage page) {
        Optional<String> first = Optional.of(Integer.toString(page.precedingCount() + 1));
        Optional<String> last = Optional.of(Integer.toString(page.precedingCount() + page.size()));
        return new UniversalPaging(
                first.filter(token -> page.size() > 0),
                last.filter(token -> page.size() > 0),
                first.filter(token -> page.hasPrevious()),
                last.filter(token -> page.hasNext()));
    }
}
