package dev.tidemark.http.export;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
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

/** Reads the requested part of a list, read by read, and renders each one. Not thread-safe. */
final class ExportWalk {

    /** How many items a read can have, unless the limit leaves fewer. Each number has its own prepared statement. */
    private static final int[] PAGE_SIZES = {500, 200, 100, 50, 20, 10};

    /**
     * The target size of a page: large enough for throughput, and small enough to keep in memory for a client that
     * does not read.
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
    private final ExportLines lines;

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
            ExportLines lines) {
        this.query = query;
        this.opener = opener;
        this.reader = reader;
        this.cursors = cursors;
        this.moments = moments;
        this.served = served;
        this.lines = lines;
        this.pageSize = Math.min(query.first().limit(), FIRST_PAGE_SIZE);
        this.remainingItems = query.limit();
    }

    /**
     * Emits the beginning of the export, with the items of the first read. Fails in the same cases as a page
     * request with this query, and with {@code not_supported} for a backward cursor.
     */
    Uni<byte[]> first() {
        return Uni.createFrom()
                .deferred(() -> opener.open(query.first()))
                .invoke(firstRequest -> {
                    requireForward(firstRequest);
                    from = firstRequest.from();
                    until = firstRequest.until();
                    floor = firstRequest.floor();
                })
                .chain(this::read)
                .invoke(page -> lines.begin(state(), page.moment().map(moment -> moments.seal(state().feed(), moment))))
                .map(page -> lines.take());
    }

    /** Emits the items of the next read. */
    Uni<byte[]> next() {
        return Uni.createFrom().deferred(() -> {
            requireUnexpiredToken();
            return read().map(page -> lines.take());
        });
    }

    private Uni<Page> read() {
        int limit = (int) Math.min(pageSize, remainingItems);
        PageRequest request = served.forFields(
                new PageRequest(from, limit, OptionalInt.empty(), until).withLaterFloor(floor),
                query.first().fields());
        return reader.read(state(), request, lines).invoke(this::complete);
    }

    private void complete(Page page) {
        // A partial page of a search leads on behind the rows that it has looked at.
        Optional<String> cursor = page.nextContinuation().map(continuation -> cursors.seal(state(), continuation));
        from = page.nextContinuation();
        itemCount += page.size();
        remainingItems -= page.size();
        hasNext = page.hasNext() && remainingItems > 0;
        if (hasNext) {
            pageSize = pageSize(lines.length() / Math.max(1, page.size()));
            lines.cursor(cursor);
        } else {
            lines.end(itemCount, cursor);
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

    /** Ends the walk, and returns what ends the export; empty if the format cannot say that it failed. */
    Optional<byte[]> fail(byte[] problem) {
        hasNext = false;
        return lines.problem(problem);
    }

    /**
     * Returns whether there is more to read: neither the end nor the limit has been reached, and nothing has
     * failed.
     */
    boolean hasNext() {
        return hasNext;
    }

    /** Returns the number of items that have been read. */
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
