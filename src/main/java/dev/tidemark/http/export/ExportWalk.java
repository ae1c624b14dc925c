package dev.tidemark.http.export;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.naming.ParameterNames;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the requested part of a list page by page, and writes each page as lines. Not thread-safe. */
final class ExportWalk {

    /**
     * The page sizes of exports, unless the limit leaves fewer items. Each size has its own prepared statement.
     */
    private static final int[] PAGE_SIZES = {500, 200, 100, 50, 20, 10};

    /**
     * The target size of a page: large enough for throughput, and small enough to keep in memory for a client that does
     * not read.
     */
    private static final int PAGE_BYTES = 256 * 1024;

    /** The maximum size of the first page, which is read before the size of the items is known. */
    private static final int FIRST_PAGE_SIZE = 20;

    /**
     * A parsed and validated request for an export. Its cursors have not been opened yet.
     *
     * @param first the query of the first page
     * @param limit the maximum number of items to send
     */
    record ExportQuery(
            ParsedQuery first,
            @Min(value = 1, message = "must be 1 or more") long limit,
            Caller caller) {}

    private final ExportQuery query;
    private final QueryOpener opener;
    private final FeedReader reader;
    private final CursorSealer cursors;
    private final MomentSealer moments;
    private final ServedFeed served;
    private final int maxPageBytes;

    private ExportLines lines;
    private Optional<Continuation> from = Optional.empty();
    private Optional<Gap> until = Optional.empty();
    private Optional<Floor> floor = Optional.empty();
    private int pageSize;
    private long remainingItems;
    private long itemCount;
    private boolean hasNext = true;

    ExportWalk(
            ServedFeed served,
            ExportQuery query,
            QueryOpener opener,
            FeedReader reader,
            CursorSealer cursors,
            MomentSealer moments,
            int maxPageBytes) {
        this.query = query;
        this.opener = opener;
        this.reader = reader;
        this.cursors = cursors;
        this.moments = moments;
        this.served = served;
        this.maxPageBytes = maxPageBytes;
        this.lines = newLines();
        this.pageSize = Math.min(query.first().limit(), FIRST_PAGE_SIZE);
        this.remainingItems = query.limit();
    }

    /**
     * Reads the first page. Afterwards, {@link #lines} contains the list line and the lines of the page.
     *
     * @return completes when the page has been read; fails in the same cases as a page request with this query, and
     *     with {@code not_supported} for a backward cursor
     */
    Uni<Void> begin() {
        return Uni.createFrom()
                .deferred(() -> opener.open(query.first()))
                .invoke(firstRequest -> {
                    requireForward(firstRequest);
                    from = firstRequest.from();
                    until = firstRequest.until();
                    floor = firstRequest.floor();
                })
                .chain(this::readPage)
                .invoke(page -> lines.insertListLine(
                        state(), page.moment().map(moment -> moments.seal(state().feed(), moment))))
                .replaceWithVoid();
    }

    /**
     * Reads the next page. Afterwards, {@link #lines} contains the lines of the page. If the read fails, this method
     * can be called again.
     */
    Uni<Void> next() {
        return Uni.createFrom().deferred(() -> {
            requireUnexpiredToken();
            lines.clear();
            return readPage().replaceWithVoid();
        });
    }

    private Uni<Page> readPage() {
        int limit = (int) Math.min(pageSize, remainingItems);
        int start = lines.length();
        PageRequest request = served.forFields(
                new PageRequest(from, limit, OptionalInt.empty(), until).withLaterFloor(floor),
                query.first().fields());
        return reader.read(state(), request, lines)
                .onFailure()
                .invoke(this::replaceLines)
                .invoke(page -> completePage(page, start));
    }

    /** Continues with a new buffer, because rows of the failed read can still arrive in the old one. */
    private void replaceLines() {
        lines = newLines();
    }

    private ExportLines newLines() {
        return new ExportLines(served.pageItems(query.first().fields(), maxPageBytes));
    }

    private void completePage(Page page, int start) {
        Optional<String> cursor = page.nextContinuation().map(continuation -> cursors.seal(state(), continuation));
        int bytes = lines.length() - start;
        from = page.nextContinuation();
        itemCount += page.size();
        remainingItems -= page.size();
        hasNext = page.hasNext() && remainingItems > 0;
        if (hasNext) {
            lines.writeCursor(cursor);
            pageSize = pageSize(bytes / page.size());
        } else {
            lines.writeEnd(itemCount, cursor);
        }
    }

    private static int pageSize(int itemBytes) {
        for (int size : PAGE_SIZES) {
            if ((long) size * itemBytes <= PAGE_BYTES) {
                return size;
            }
        }
        return PAGE_SIZES[PAGE_SIZES.length - 1];
    }

    /** Ends the walk. Afterwards, {@link #lines} contains only the problem. */
    void fail(byte[] problem) {
        hasNext = false;
        lines.clear();
        lines.writeProblem(problem);
    }

    /**
     * Returns whether another page can be read: the end of the requested part and the limit have not been reached, and
     * the walk has not failed.
     */
    boolean hasNext() {
        return hasNext;
    }

    /** Returns the lines, and empties their buffer. */
    byte[] takeLines() {
        byte[] taken = lines.toBytes();
        lines.clear();
        return taken;
    }

    long itemCount() {
        return itemCount;
    }

    private ListState state() {
        return query.first().state();
    }

    private void requireUnexpiredToken() {
        if (query.caller().expiry().filter(end -> !Instant.now().isBefore(end)).isPresent()) {
            throw Problem.invalidToken("the token has expired; continue from the last cursor with a new token");
        }
    }

    private static void requireForward(PageRequest firstRequest) {
        if (firstRequest.direction() == Direction.BACKWARD) {
            throw Problem.ofParameter(
                    ParameterNames.CURSOR,
                    ProblemCode.NOT_SUPPORTED,
                    "an export reads forward only, and this cursor leads backward");
        }
    }
}
