package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.RowSink;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collector;

/** Takes the rows of a {@link PageSql} statement as the driver decodes them, and knows the page's facts in the end. */
final class PageCollector {

    private final PageRequest request;
    private final List<Column> keys;
    private final int[] keyIndexes;
    private final RowSink sink;
    private final RowView view = new RowView();

    private boolean isFarSideEmpty = true;
    private boolean isMoreBeyond;
    private int size;
    private Row nearest;
    private Row farthest;

    /** @param keyIndexes where the order's keys stand among the statement's columns */
    PageCollector(PageRequest request, List<Column> keys, int[] keyIndexes, RowSink sink) {
        this.request = request;
        this.keys = keys;
        this.keyIndexes = keyIndexes;
        this.sink = sink;
    }

    Collector<Row, ?, Page> collector() {
        return Collector.of(() -> this, PageCollector::add, (one, other) -> one, PageCollector::page);
    }

    private void add(Row row) {
        if (!row.getBoolean(0)) {
            isFarSideEmpty = false;
        } else if (size == request.limit()) {
            isMoreBeyond = true;
        } else {
            if (size == 0) {
                nearest = row;
            }
            farthest = row;
            size++;
            sink.row(view.on(row));
        }
    }

    private Page page() {
        boolean forward = request.direction() == Direction.FORWARD;
        boolean hasPrevious = forward ? !isFarSideEmpty : isMoreBeyond;
        boolean hasNext = forward ? isMoreBeyond : !isFarSideEmpty;
        if (size == 0) {
            Optional<Gap> gap = request.from().map(from -> from.gap());
            return new Page(0, gap, gap, hasPrevious, hasNext);
        }
        Position first = position(forward ? nearest : farthest);
        Position last = position(forward ? farthest : nearest);
        return new Page(size, Optional.of(Gap.before(first)), Optional.of(Gap.after(last)), hasPrevious, hasNext);
    }

    private Position position(Row row) {
        String[] values = new String[keyIndexes.length];
        view.on(row);
        for (int i = 0; i < values.length; i++) {
            values[i] = view.positionText(keyIndexes[i], keys.get(i));
        }
        return Position.of(values);
    }
}
