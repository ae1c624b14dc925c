package dev.tidemark.postgres;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.sql.OffsetSql;
import io.vertx.sqlclient.Row;
import java.util.stream.Collector;

/**
 * Receives the rows of an {@link OffsetSql} statement: passes the rows of the page to the sink, and derives the
 * {@link OffsetPage}.
 */
final class OffsetReceiver implements RowReceiver<OffsetPage> {

    private final OffsetRequest request;
    private final boolean forward;
    private final int rowNumberIndex;
    private final RowSink sink;

    private boolean isRetryable = true;
    private boolean isFarSideEmpty = true;
    private boolean hasMoreAhead;
    private int size;
    private int firstReadRowNumber;

    /** @param rowNumberIndex the index of the row number among the statement's columns */
    OffsetReceiver(OffsetRequest request, int rowNumberIndex, RowSink sink) {
        this.request = request;
        this.forward = request.direction() == Direction.FORWARD;
        this.rowNumberIndex = rowNumberIndex;
        this.sink = sink;
    }

    @Override
    public Collector<Row, ?, OffsetPage> collector() {
        return RowReceiver.collectorInto(this, OffsetReceiver::page);
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
        return column == rowNumberIndex || sink.reads(column);
    }

    @Override
    public boolean receive(StatementRow row) {
        add(row);
        return false;
    }

    private void add(StatementRow row) {
        isRetryable = false;
        int number = (int) row.integer(rowNumberIndex);
        if (isOnFarSide(number)) {
            isFarSideEmpty = false;
        } else if (size == request.limit() || sink.isFull()) {
            hasMoreAhead = true;
        } else {
            sink.accept(row);
            if (sink.isFull()) {
                hasMoreAhead = true;
                return;
            }
            if (size == 0) {
                firstReadRowNumber = number;
            }
            size++;
        }
    }

    private boolean isOnFarSide(int number) {
        return forward ? number <= request.precedingCount() : number > request.precedingCount();
    }

    private OffsetPage page() {
        int first = forward ? firstReadRowNumber : firstReadRowNumber - size + 1;
        return new OffsetPage(
                size == 0 ? request.precedingCount() : first - 1,
                size,
                forward ? !isFarSideEmpty : hasMoreAhead,
                forward ? hasMoreAhead : !isFarSideEmpty);
    }
}
