package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Feed.Delta;
import dev.tidemark.feed.Feed.Limits;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.sql.GapShape.BoundGap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a page request that determines its SQL. Requests of the same shape share a prepared statement.
 *
 * @param gap the gap that the page continues from; empty on the first page
 * @param rowLimit the LIMIT, which includes a row that shows whether more rows follow. The LIMIT is a literal, because
 *     a generic plan cannot know the value of a parameter, and assumes that a tenth of the rows are read. The page
 *     size is rounded up to one of a few sizes, and the surplus rows are ignored
 * @param farRowLimit the LIMIT for the {@linkplain PageSql far side} of the gap. One row proves that this side is not
 *     empty; a page around the gap needs as many rows from this side as from the near side. 0 for the first page and
 *     for the shape that {@link #includingPosition} returns
 * @param hasSince whether each row says whether it was written since a moment
 * @param includesUnwritten whether the rows that were not written since the moment are returned with all columns, too
 * @param omitted the names of columns and embeds whose values are not fetched, and returned as NULL
 * @param maxScanned the number of rows that the page of a search looks at, at most; 0 if the list has no condition
 *     that looks for text
 * @param isThroughTextIndex whether an index on text finds the rows of a search, so that the page looks at those that
 *     match
 */
public record PageShape(
        Direction direction,
        Optional<GapShape> gap,
        ListShape list,
        int rowLimit,
        int farRowLimit,
        PinShape pin,
        Optional<GapShape> until,
        boolean hasSince,
        boolean includesUnwritten,
        Set<String> omitted,
        int maxScanned,
        boolean isThroughTextIndex) {

    /**
     * Page sizes that have a statement of their own. A page of any other size uses the statement of the next larger
     * one. Only live windows are larger than {@link Limits#LARGEST_PAGE} without {@code since}.
     */
    private static final int[] PAGE_SIZES = {
        2, 10, 20, 30, 50, 100, 200, 500, Limits.LARGEST_PAGE, 2000, 3000, 5000, Delta.LARGEST_PAGE
    };

    /**
     * Page sizes with {@code since}. Above 200, the steps are finer than without {@code since}, because one more
     * prepared statement costs less than the surplus rows of such large pages.
     */
    private static final int[] SIZES_WITH_SINCE = {
        30, 50, 100, 200, 300, 500, 700, Limits.LARGEST_PAGE, 2000, 3000, 5000, Delta.LARGEST_PAGE
    };

    public static PageShape of(ListState state, PageRequest request) {
        return of(state, request, state.feed().policy().search().scan());
    }

    /** @param maxScanned the number of rows that the page looks at, at most, if the list is a search */
    public static PageShape of(ListState state, PageRequest request, int maxScanned) {
        boolean hasSince = request.since().isPresent();
        int rowLimit = pageSize(request.limit(), hasSince ? SIZES_WITH_SINCE : PAGE_SIZES) + 1;
        ListShape list = ListShape.of(state);
        return new PageShape(
                request.direction(),
                request.from().map(Continuation::gap).map(GapShape::of),
                list,
                rowLimit,
                farRowLimit(request, rowLimit),
                PinShape.of(state.order(), list, request),
                request.until().map(GapShape::of),
                hasSince,
                request.includesUnwritten(),
                request.omitted(),
                list.isSearch() ? maxScanned : 0,
                false);
    }

    private static int farRowLimit(PageRequest request, int rowLimit) {
        if (request.from().isEmpty()) {
            return 0;
        }
        return request.isAroundGap() ? rowLimit : 1;
    }

    /** The shape of the same page of a search if an index on text finds all matching rows. */
    public PageShape throughTextIndex() {
        return new PageShape(
                direction,
                gap,
                list,
                rowLimit,
                farRowLimit,
                pin,
                until,
                hasSince,
                includesUnwritten,
                omitted,
                maxScanned,
                true);
    }

    /**
     * The shape of the same page if its scans start with the item at the cursor instead of after it. That item proves
     * that the far side of the gap is not empty, so the far side is not scanned. Scanning it would be about a fifth of
     * PostgreSQL's work for a page.
     *
     * @return empty if the request does not continue reading after an item, if the item cannot be distinguished from
     *     one that ties with it, if the page lies around its gap or ends at {@code until}, if its pin is
     *     {@link PinShape#DETERMINE} or {@link PinShape#ALL_NULL}, or if the list is a search
     */
    public Optional<PageShape> includingPosition(PageColumns columns) {
        boolean excludesItem = gap.isPresent()
                && !gap.get().side().includesPosition(direction)
                && columns.canIdentifyItem(gap.get().size());
        boolean isPlain =
                farRowLimit == 1 && until.isEmpty() && (pin == PinShape.NONE || pin == PinShape.VALUE) && !isSearch();
        return excludesItem && isPlain
                ? Optional.of(new PageShape(
                        direction,
                        gap.map(GapShape::otherSide),
                        list,
                        rowLimit + 1,
                        0,
                        pin,
                        until,
                        hasSince,
                        includesUnwritten,
                        omitted,
                        maxScanned,
                        false))
                : Optional.empty();
    }

    /** Whether each row must identify the part that it comes from, because the statement can have several parts. */
    public boolean hasParts() {
        return pin == PinShape.DETERMINE || farRowLimit > 0 || until.isPresent() || isSearch();
    }

    /** Whether the list has conditions that look for text. */
    boolean isSearch() {
        return maxScanned > 0;
    }

    /** Whether the page has items of both sides of the gap. */
    boolean isAroundGap() {
        return farRowLimit > 1;
    }

    /** The number of rows on the far side of the gap that a page around it looks at, at most. */
    int farScan() {
        if (!isAroundGap()) {
            return 0;
        }
        return isThroughTextIndex ? maxScanned : maxScanned / 2;
    }

    /** The number of rows on the near side of the gap that the page looks at, at most. */
    int nearScan() {
        return isThroughTextIndex ? maxScanned : maxScanned - farScan();
    }

    private static int pageSize(int limit, int[] sizes) {
        for (int size : sizes) {
            if (size >= limit) {
                return size;
            }
        }
        throw new IllegalArgumentException("the page is larger than any feed can declare");
    }

    /** The number of the first parameter for a condition's value. The gap's parameters precede it. */
    public int firstConditionParameter() {
        return 1 + gap.map(GapShape::parameterCount).orElse(0);
    }

    /** The number of the parameter for the pin's value. */
    public int pinParameter() {
        return firstConditionParameter() + list.parameterCount();
    }

    Optional<BoundGap> boundGap() {
        return gap.map(shape -> new BoundGap(shape, 1));
    }

    Optional<BoundGap> boundUntil() {
        return until.map(shape -> new BoundGap(shape, firstUntilParameter()));
    }

    private int firstUntilParameter() {
        return pinParameter() + (pin == PinShape.VALUE ? 1 : 0);
    }

    /** The number of the first parameter for the moment of {@code since}. */
    int firstSinceParameter() {
        return firstUntilParameter() + until.map(GapShape::parameterCount).orElse(0);
    }

    /** The number of the statement's parameters. */
    int parameterCount() {
        return firstSinceParameter() - 1 + (hasSince ? 2 : 0);
    }

    /**
     * The statement's parameters: the values of the gap, of the conditions, of the pin, of the {@code until} gap, and
     * of the moment.
     */
    public List<String> parameters(ListState state, PageRequest request) {
        List<String> parameters = new ArrayList<>();
        request.from().map(Continuation::gap).ifPresent(from -> GapShape.bind(from, parameters));
        list.bind(state, parameters);
        if (pin == PinShape.VALUE) {
            request.from()
                    .flatMap(Continuation::pin)
                    .ifPresent(value -> parameters.add(value.greatest().orElseThrow()));
        }
        request.until().ifPresent(until -> GapShape.bind(until, parameters));
        if (hasSince) {
            Moment moment = request.since().orElseThrow();
            parameters.add(moment.serverRun());
            parameters.add(Long.toString(moment.horizon()));
        }
        return parameters;
    }
}
