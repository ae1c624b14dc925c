package dev.tidemark.postgres;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import dev.tidemark.paging.ScanEnds;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.sql.PageColumns;
import dev.tidemark.postgres.sql.PageColumns.AdditionalColumn;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.PageSql;
import dev.tidemark.postgres.sql.PinShape;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Receives the rows of a {@link PageSql} statement: passes the rows of the page to the sink, and derives the
 * {@link Page}. Usually, each row is passed to the sink when it arrives; {@link #page} passes the rows of a page
 * around a gap, and of one that is read through an index on text, so that nothing has happened yet if their statement
 * fails.
 */
final class PageReceiver implements RowReceiver<PageReceiver> {

    private final PageRequest request;
    private final PageColumns columns;
    private final int momentIndex;
    private final int partIndex;
    private final int precedesUntilIndex;
    private final int writtenIndex;
    private final RowSink sink;
    private final boolean isThroughTextIndex;
    private final boolean keepsRows;

    /**
     * The rows on the far side of the gap, nearest first. Used only for a page around a gap. These rows are kept until
     * all rows have arrived, because both sides determine which rows the page includes.
     */
    private final KeptRows farRows = new KeptRows();

    /** The rows on the near side of the gap, nearest first. Used only if {@link #keepsRows}. */
    private final KeptRows nearRows = new KeptRows();

    private Optional<Pin> pin;
    private Optional<Moment> moment = Optional.empty();
    private boolean isFarSideEmpty = true;
    private boolean isEmptyBeforeUntil = true;
    private boolean isRetryable = true;
    private boolean hasTooManyMatches;
    private boolean hasMoreAhead;
    private boolean hasReachedUntil;
    private int size;
    private @Nullable Position firstReadPosition;
    private @Nullable StatementRow lastReadRow;

    /**
     * The position of the last row that a search may look at, if it was reached; not used for a page around a gap.
     */
    private @Nullable Position scanEnd;

    PageReceiver(PageRequest request, PageShape shape, PageColumns columns, RowSink sink) {
        this.request = request;
        this.columns = columns;
        this.momentIndex = columns.index(AdditionalColumn.MOMENT, shape);
        this.partIndex = columns.index(AdditionalColumn.PART, shape);
        this.precedesUntilIndex = columns.index(AdditionalColumn.PRECEDES_UNTIL, shape);
        this.writtenIndex = columns.index(AdditionalColumn.WRITTEN, shape);
        this.sink = sink;
        this.isThroughTextIndex = shape.isThroughTextIndex();
        this.keepsRows = request.isAroundGap() || isThroughTextIndex;
        this.pin = shape.pin() == PinShape.DETERMINE
                ? Optional.of(new Pin(Optional.empty()))
                : request.from().flatMap(from -> from.pin());
    }

    @Override
    public Collector<Row, ?, PageReceiver> collector() {
        return RowReceiver.collectorInto(this, receiver -> receiver);
    }

    @Override
    public boolean isRetryable() {
        return isRetryable;
    }

    @Override
    public boolean acceptsWireRows() {
        return true;
    }

    @Override
    public int maxValueBytes() {
        return sink.maxBytes();
    }

    @Override
    public boolean reads(int column) {
        return columns.isAlwaysRead(column) || sink.reads(column);
    }

    /** @return true if the row must be kept, because it may be the last row of the page */
    @Override
    public boolean receive(StatementRow row) {
        if (isMomentRow(row)) {
            addMoment(row);
            return false;
        }
        columns.requireKeys(row);
        isRetryable = false;
        int part = part(row);
        if (isThroughTextIndex && isScanEnd(part)) {
            hasTooManyMatches = true;
            return false;
        }
        switch (part & PageSql.SIDE_BITS) {
            case PageSql.PIN -> pin = Optional.of(new Pin(Optional.ofNullable(columns.keyText(row, 0))));
            case PageSql.FAR -> addFarRow(row, part);
            case PageSql.BEFORE_UNTIL -> isEmptyBeforeUntil = false;
            default -> {
                return addNearRow(row, part);
            }
        }
        return false;
    }

    private int part(StatementRow row) {
        return partIndex < 0 || row.isNull(partIndex) ? PageSql.NEAR : (int) row.integer(partIndex);
    }

    boolean isMomentRow(StatementRow row) {
        return momentIndex >= 0 && !row.isNull(momentIndex);
    }

    void addMoment(StatementRow row) {
        moment = Optional.of(PageColumns.parseMoment(row.text(momentIndex)));
    }

    void addFarRow(StatementRow row, int part) {
        isFarSideEmpty = false;
        if (request.isAroundGap()) {
            farRows.add(row, part);
        }
    }

    boolean addNearRow(StatementRow row, int part) {
        hasReachedUntil |= !request.isAroundGap() && precedesUntilIndex >= 0 && !row.bool(precedesUntilIndex);
        if (hasReachedUntil) {
            return false;
        }
        if (keepsRows) {
            nearRows.add(row, part);
            return false;
        }
        if (isScanEnd(part)) {
            scanEnd = columns.position(row);
        }
        return isItem(part) && emit(row);
    }

    private static boolean isScanEnd(int part) {
        return (part & PageSql.SCAN_END) != 0;
    }

    private static boolean isItem(int part) {
        return (part & PageSql.NO_ITEM) == 0;
    }

    private boolean emit(StatementRow row) {
        if (size == request.limit() || sink.isFull()) {
            hasMoreAhead = true;
            return false;
        }
        if (isWritten(row)) {
            sink.accept(row);
        } else {
            sink.acceptUnchanged(row);
        }
        if (sink.isFull()) {
            hasMoreAhead = true;
            return false;
        }
        if (size == 0) {
            firstReadPosition = columns.position(row);
        }
        lastReadRow = row;
        size++;
        return true;
    }

    private boolean isWritten(StatementRow row) {
        return writtenIndex < 0 || row.bool(writtenIndex);
    }

    /** The rows on one side of a gap, nearest first, as many as fit on a page. */
    private final class KeptRows {

        private final List<StatementRow> rows = new ArrayList<>(0);
        private final List<Integer> sizes = new ArrayList<>(0);
        private long byteCount;

        /** The bytes of the order keys, which the page need not contain. */
        private long keyByteCount;

        /** Whether a row was not kept, because it does not fit on a page with those before it. */
        private boolean isCut;

        /** The position of the last row that a search may look at on this side, if it was reached. */
        private @Nullable Position scanEnd;

        void add(StatementRow row, int part) {
            if (isScanEnd(part)) {
                scanEnd = columns.position(row);
            }
            if (isItem(part)) {
                add(row);
            }
        }

        private void add(StatementRow row) {
            int bytes = isWritten(row) ? sink.measure(row) : 0;
            int keyBytes = columns.keySize(row);
            isCut |= !rows.isEmpty()
                    && (byteCount + bytes > sink.maxBytes() || keyByteCount + keyBytes > sink.maxBytes());
            if (!isCut) {
                rows.add(row.copy(PageReceiver.this::reads));
                sizes.add(bytes);
                byteCount += bytes;
                keyByteCount += keyBytes;
            }
        }

        int size() {
            return rows.size();
        }

        /** Whether there are more than this number of items on this side. */
        boolean hasMoreThan(int count) {
            return rows.size() > count || isCut;
        }
    }

    /**
     * Emits the rows that were kept: the requested number of items before the gap, and then items after the gap until
     * the page is full. If one side has too few items, the page has more items of the other side. If the items have
     * too many bytes, the page has those that are nearest to the gap.
     */
    private void emitKeptRows() {
        int nearLimit = Math.min(
                nearRows.size(),
                request.limit() - Math.min(request.precedingCount().orElse(0), farRows.size()));
        int farLimit = Math.min(farRows.size(), request.limit() - nearLimit);
        int nearCount = 0;
        int farCount = 0;
        for (long bytes = 0; nearCount < nearLimit || farCount < farLimit; ) {
            boolean isNearNext = nearCount < nearLimit && (nearCount <= farCount || farCount == farLimit);
            int next = isNearNext ? nearRows.sizes.get(nearCount) : farRows.sizes.get(farCount);
            if (bytes > 0 && bytes + next > sink.maxBytes()) {
                nearLimit = isNearNext ? nearCount : nearLimit;
                farLimit = isNearNext ? farLimit : farCount;
                continue;
            }
            bytes += next;
            nearCount += isNearNext ? 1 : 0;
            farCount += isNearNext ? 0 : 1;
        }
        for (int i = farCount - 1; i >= 0; i--) {
            emit(farRows.rows.get(i));
        }
        nearRows.rows.subList(0, nearCount).forEach(this::emit);
        if (request.isAroundGap()) {
            isFarSideEmpty = !farRows.hasMoreThan(farCount);
        }
        hasMoreAhead |= nearRows.hasMoreThan(nearCount);
        scanEnd = nearRows.scanEnd;
    }

    /** Whether an index on text has found so many rows that the page cannot be told from those that were read. */
    boolean hasTooManyMatches() {
        return hasTooManyMatches;
    }

    /** Called once, after all rows have arrived. */
    Page page() {
        if (keepsRows) {
            emitKeptRows();
        }
        boolean forward = request.direction() == Direction.FORWARD;
        ScanEnds scanEnds = scanEnds(forward);
        hasMoreAhead |= (forward ? scanEnds.after() : scanEnds.before()).isPresent();
        isFarSideEmpty &= !forward || scanEnds.before().isEmpty();
        boolean hasPrevious = forward ? !isFarSideEmpty : hasMoreAhead;
        boolean hasNext = forward ? hasMoreAhead : !isFarSideEmpty;
        // The pin is dropped at the end of the list, but not if the page ends at `until`, because items that were
        // already returned can then still move ahead of the scroll.
        if (!hasNext && !hasReachedUntil) {
            pin = Optional.empty();
        }
        if (size == 0 && request.until().isPresent() && !hasNext) {
            return page(request.until(), request.until(), !isEmptyBeforeUntil, false, scanEnds);
        }
        if (firstReadPosition == null || lastReadRow == null) {
            Optional<Gap> gap = request.from().map(Continuation::gap).or(request::until);
            return page(gap, gap, hasPrevious, hasNext, scanEnds);
        }
        Position lastReadPosition = columns.position(lastReadRow);
        Position first = forward ? firstReadPosition : lastReadPosition;
        Position last = forward ? lastReadPosition : firstReadPosition;
        return page(Optional.of(Gap.before(first)), Optional.of(Gap.after(last)), hasPrevious, hasNext, scanEnds);
    }

    /** Where a search ended on each side, unless there are more items. */
    private ScanEnds scanEnds(boolean forward) {
        Optional<Position> ahead = Optional.ofNullable(scanEnd).filter(end -> !hasMoreAhead && !hasReachedUntil);
        Optional<Gap> before = forward
                ? Optional.ofNullable(farRows.scanEnd)
                        .filter(end -> isFarSideEmpty)
                        .map(Gap::before)
                : ahead.map(Gap::before);
        Optional<Gap> after = forward ? ahead.map(Gap::after) : Optional.empty();
        boolean isCut = before.isPresent() || after.isPresent();
        return isCut ? new ScanEnds(size < request.limit(), before, after) : ScanEnds.NONE;
    }

    private Page page(
            Optional<Gap> gapBefore, Optional<Gap> gapAfter, boolean hasPrevious, boolean hasNext, ScanEnds scanEnds) {
        return new Page(size, gapBefore, gapAfter, hasPrevious, hasNext, pin, moment, Optional.empty(), scanEnds);
    }
}
