package dev.tidemark.postgres;

import dev.tidemark.feed.RowSink;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.DriverRow;
import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.rows.WireRows;
import dev.tidemark.postgres.sql.PageColumns;
import dev.tidemark.postgres.sql.PageShape;
import io.vertx.sqlclient.Row;
import java.util.Optional;
import java.util.stream.Collector;

/**
 * Takes the rows of a page whose scan begins {@link PageShape#includingPosition at the position} that it goes on from. There is no page
 * where the first row is another one: the item that was left behind has gone or moved, or reads otherwise than it did, and what
 * stands on the far side is not known. Nor where the second row ties with it, in a view whose declared key is none: which of them
 * was left behind is not known either, and page after page would begin with the same rows.
 */
final class InclusivePageCollector implements Rows<Optional<Page>> {

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
                () -> this, (read, row) -> read.add(new DriverRow(row)), (one, other) -> one, InclusivePageCollector::page);
    }

    @Override
    public boolean isUntouched() {
        return rows == 0;
    }

    @Override
    public WireRows wire() {
        return this::add;
    }

    private boolean add(StatementRow row) {
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
