package dev.tidemark.postgres;

import dev.tidemark.feed.RowSink;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import io.vertx.sqlclient.Row;
import java.util.stream.Collector;

/** Takes the rows of an {@link OffsetSql} statement as the driver decodes them, and knows the page's facts in the end. */
final class OffsetCollector {

    private final OffsetRequest request;
    private final boolean forward;
    private final RowSink sink;
    private final RowView view = new RowView();

    private boolean isFarSideEmpty = true;
    private boolean isMoreBeyond;
    private int size;
    private int nearest;

    OffsetCollector(OffsetRequest request, RowSink sink) {
        this.request = request;
        this.forward = request.direction() == Direction.FORWARD;
        this.sink = sink;
    }

    Collector<Row, ?, OffsetPage> collector() {
        return Collector.of(() -> this, OffsetCollector::add, (one, other) -> one, OffsetCollector::page);
    }

    private void add(Row row) {
        int number = row.getLong(0).intValue();
        if (number > request.preceding() != forward) {
            isFarSideEmpty = false;
        } else if (size == request.limit()) {
            isMoreBeyond = true;
        } else {
            if (size == 0) {
                nearest = number;
            }
            size++;
            sink.row(view.on(row));
        }
    }

    private OffsetPage page() {
        int first = forward ? nearest : nearest - size + 1;
        return new OffsetPage(
                size == 0 ? request.preceding() : first - 1,
                size,
                forward ? !isFarSideEmpty : isMoreBeyond,
                forward ? isMoreBeyond : !isFarSideEmpty);
    }
}
