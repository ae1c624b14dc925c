package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.Token;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.ScanEnds;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** How a page is written as JSON: the tokens that it has, its members, and what surrounds them. */
public enum PageFormat {
    /** For {@code GET /api/{feed}}. */
    API("{\"items\":[", "}") {
        @Override
        Optional<Continuation> top(Page page) {
            return page.topContinuation();
        }

        @Override
        boolean offersPrevious(Feed feed) {
            return true;
        }

        @Override
        Optional<Moment> moment(Page page) {
            return page.moment();
        }

        @Override
        void write(JsonBytes json, PageMembers members, boolean sealed) {
            token(json.raw("\"next_cursor\":"), members.next(), sealed);
            json.raw(",\"has_more\":").bool(members.hasNext());
            token(json.raw(",\"prev_cursor\":"), members.previous(), sealed);
            json.raw(",\"has_prev\":").bool(members.hasPrevious());
            cursors(json.raw(','), members.top(), members.last(), sealed);
            json.raw(",\"limit\":").number(members.limit());
            if (members.partial()) {
                json.raw(",\"partial\":true");
            }
            if (members.count().isPresent()) {
                members.count().get().write(json.raw(','));
            }
        }
    },

    /** For {@code GET /v3/{feed}}. */
    UNIVERSAL("{\"code\":0,\"result\":{\"rows\":[", "}}") {
        /** The token of the first row can be used in both directions, like that of the last one. */
        @Override
        Optional<Continuation> top(Page page) {
            return page.firstItemContinuation().or(page::topContinuation);
        }

        @Override
        boolean offersPrevious(Feed feed) {
            return feed.policy().universal().backward();
        }

        @Override
        Optional<Moment> moment(Page page) {
            return Optional.empty();
        }

        @Override
        void write(JsonBytes json, PageMembers members, boolean sealed) {
            boolean hasRows = members.size() > 0;
            json.raw("\"paging\":{");
            cursors(
                    json,
                    hasRows ? members.top() : Optional.empty(),
                    hasRows ? members.last() : Optional.empty(),
                    sealed);
            token(json.raw(",\"previous\":"), members.previous(), sealed);
            token(json.raw(",\"next\":"), members.next(), sealed);
            if (members.count().isPresent() && members.count().get().isExact()) {
                json.raw(",\"count\":").number(members.count().get().value());
            }
            json.raw('}');
        }
    };

    private final byte[] opening;
    private final byte[] closing;

    PageFormat(String opening, String closing) {
        this.opening = opening.getBytes(StandardCharsets.US_ASCII);
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** The JSON before the first item. The array must not be modified. */
    byte[] opening() {
        return opening;
    }

    /** The JSON after the last member. The array must not be modified. */
    byte[] closing() {
        return closing;
    }

    /** Returns the continuation of the first item, or of the position of an empty page. */
    abstract Optional<Continuation> top(Page page);

    /** Returns whether clients can page backward. */
    abstract boolean offersPrevious(Feed feed);

    /** Returns the moment that clients get. */
    abstract Optional<Moment> moment(Page page);

    /**
     * Writes the members into the object that contains the items.
     *
     * @param sealed whether the tokens are written as clients get them, or only what they say, for the entity tag
     */
    abstract void write(JsonBytes json, PageMembers members, boolean sealed);

    /** Seals the cursors of a page, and returns its members. */
    public PageMembers seal(Page page, ListState state, int limit, Optional<PageCount> count, CursorSealer sealer) {
        Function<Continuation, Token> seal = continuation -> sealer.sealToken(state, continuation);
        Optional<Token> top = top(page).map(seal);
        Optional<Token> last = page.lastContinuation().map(seal);
        ScanEnds ends = page.scanEnds();
        Optional<Token> previous =
                ends.before().isEmpty() ? top : page.previousContinuation().map(seal);
        Optional<Token> next =
                ends.after().isEmpty() ? last : page.nextContinuation().map(seal);
        return new PageMembers(
                top,
                last,
                previous.filter(token -> page.hasPrevious() && offersPrevious(state.feed())),
                next.filter(token -> page.hasNext()),
                page.size(),
                ends.partial(),
                limit,
                count.map(known -> known.correctedBy(page, state.isSearch())));
    }

    /** Returns the members of a page whose tokens are the numbers of its first and its last row, counted from 1. */
    public PageMembers ofOffsets(OffsetPage page, Feed feed, int limit, Optional<PageCount> count) {
        Optional<Token> top = Optional.of(token(page.precedingCount() + 1));
        Optional<Token> last = Optional.of(token(page.precedingCount() + page.size()));
        return new PageMembers(
                top,
                last,
                top.filter(token -> page.hasPrevious() && offersPrevious(feed)),
                last.filter(token -> page.hasNext()),
                page.size(),
                false,
                limit,
                count);
    }

    private static Token token(int rowNumber) {
        String text = Integer.toString(rowNumber);
        return new Token(text, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes the member {@code cursors}. */
    static void cursors(JsonBytes json, Optional<Token> top, Optional<Token> last, boolean sealed) {
        token(json.raw("\"cursors\":{\"top\":"), top, sealed);
        token(json.raw(",\"last\":"), last, sealed);
        json.raw('}');
    }

    private static void token(JsonBytes json, Optional<Token> token, boolean sealed) {
        if (token.isEmpty()) {
            json.raw("null");
        } else if (sealed) {
            json.raw('"').raw(token.get().text()).raw('"');
        } else {
            json.raw(token.get().content());
        }
    }
}
