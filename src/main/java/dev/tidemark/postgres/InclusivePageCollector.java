package dev.tidemark.postgres;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.DriverRow;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.sql.PageColumns;
import dev.tidemark.postgres.sql.PageShape;
import io.vertx.sqlclient.Row;
import java.util.Optional;
import java.util.stream.Collector;

/**
 * Collects a page whose scan {@linkplain PageShape#includingPosition includes the position} it continues from. The
 * result is empty in two cases, and the page must then be read with a scan of the far side:
 * <ul>
 * <li>The first row is not at the position: the item was deleted, moved or changed.
 * <li>The second row ties with the first, because a view's declared key is not unique. It is then unknown which row the
 * cursor refers to, and every page would start with the same rows.
 * </ul>
 */
final class InclusivePageCollector implements RowReceiver<Optional<Page>> {

    private final Position position;
    private final PageColumns columns;
    private final PageCollector page;
    private int rows;
    private boolean startsAtPosition;

    InclusivePageCollector(PageRequest request, PageShape shape, PageColumns columns, RowSink sink) {
        this.position = request.from().orElseThrow().gap().position();
        this.columns = columns;
        this.page = new PageCollector(request, shape, columns, sink);
    }

    @Override
    public Collector<Row, ?, Optional<Page>> collector() {
        return Collector.of(
                () -> this,
                (page, row) -> page.receive(new DriverRow(row)),
                (one, other) -> one,
                InclusivePageCollector::page);
    }

    @Override
    public boolean isRetryable() {
        return rows == 0;
    }

    @Override
    public boolean acceptsWireRows() {
        return true;
    }

    @Override
    public boolean receive(StatementRow row) {
        if (page.isMoment(row)) {
            page.addMoment(row);
            return false;
        }
        rows++;
        if (rows == 1) {
            startsAtPosition = columns.isAtPosition(row, position);
            page.addFarRow(row);
            return false;
        }
        startsAtPosition &= rows > 2 || columns.isDistinctFrom(row, position);
        return startsAtPosition && page.addNearRow(row);
    }

    private Optional<Page> page() {
        return startsAtPosition ? Optional.of(page.page()) : Optional.empty();
    }
}
