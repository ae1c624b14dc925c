package dev.tidemark.postgres;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.sql.PageColumns;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.PageSql;
import io.vertx.sqlclient.Row;
import java.util.Optional;
import java.util.stream.Collector;

/**
 * Receives a page whose scan {@linkplain PageShape#includingPosition includes the position} that the page continues
 * from. The result is empty in two cases, in which the page must be read by a statement that also scans the far side
 * of the gap:
 * <ul>
 * <li>No row is at the position, because the item was deleted, has moved in the order, or no longer matches the list's
 * conditions.
 * <li>The second row ties with the first, because the declared key of the relation is not unique. It is then unknown
 * which of these rows the cursor refers to, and a scroll could return the same row on every page.
 * </ul>
 */
final class InclusivePageReceiver implements RowReceiver<Optional<Page>> {

    private final Position position;
    private final PageColumns columns;
    private final PageReceiver page;
    private int rowCount;
    private boolean isItemIdentified;

    InclusivePageReceiver(PageRequest request, PageShape shape, PageColumns columns, RowSink sink) {
        this.position = request.from().orElseThrow().gap().position();
        this.columns = columns;
        this.page = new PageReceiver(request, shape, columns, sink);
    }

    @Override
    public Collector<Row, ?, Optional<Page>> collector() {
        return RowReceiver.collectorInto(this, InclusivePageReceiver::page);
    }

    @Override
    public boolean isRetryable() {
        return rowCount == 0;
    }

    @Override
    public boolean acceptsWireRows() {
        return true;
    }

    @Override
    public int maxValueBytes() {
        return page.maxValueBytes();
    }

    @Override
    public boolean reads(int column) {
        return page.reads(column);
    }

    @Override
    public boolean receive(StatementRow row) {
        if (page.isMomentRow(row)) {
            page.addMoment(row);
            return false;
        }
        columns.requireKeys(row);
        rowCount++;
        if (rowCount == 1) {
            isItemIdentified = columns.isAtPosition(row, position);
            // The item at the cursor lies on the far side of the gap.
            page.addFarRow(row, PageSql.FAR);
            return false;
        }
        isItemIdentified &= rowCount > 2 || columns.isDistinctFrom(row, position);
        return isItemIdentified && page.addNearRow(row, PageSql.NEAR);
    }

    private Optional<Page> page() {
        return isItemIdentified ? Optional.of(page.page()) : Optional.empty();
    }
}
