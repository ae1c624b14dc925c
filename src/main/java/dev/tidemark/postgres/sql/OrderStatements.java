package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Position;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The statements of one order of one feed, each written once for its shape. */
public final class OrderStatements {

    /** Clients choose the filters, and so how many shapes there are: past this many, SQL is written anew each time. */
    private static final int MOST_KEPT = 2048;

    /** @param indexed whether an index serves the list, so that it is to be read through it */
    public record Statement(String sql, boolean indexed) {}

    private final Feed feed;
    private final Order order;
    private final ServingIndexes indexes;
    private final PageSql pages;
    private final OffsetSql offsets;
    private final PageColumns columns;
    private final Map<Object, Statement> written = new ConcurrentHashMap<>();

    public OrderStatements(Feed feed, Order order, ServingIndexes indexes) {
        this.feed = feed;
        this.order = order;
        this.indexes = indexes;
        columns = new PageColumns(feed, order);
        pages = new PageSql(feed, order, columns.selected(), indexes);
        offsets = new OffsetSql(feed, order, indexes);
    }

    public Statement of(PageShape shape) {
        return kept(shape, () -> new Statement(pages.of(shape), isIndexed(shape.list())));
    }

    private record Counted(ListShape list, Direction direction) {}

    /** Of a page that is reached by counting: planned for its values, of which the offset is one. */
    public Statement counted(ListShape list, Direction direction) {
        return kept(new Counted(list, direction), () -> new Statement(offsets.of(list, direction), false));
    }

    /** Of the item with a key, the values of the order's keys as text; found by its key, whatever the conditions. */
    public Statement located(ListShape list) {
        return kept(list, () -> {
            List<Column> key = feed.relation().key();
            String relation = feed.relation().name();
            RangeSql ranges = new RangeSql(feed, order, indexes, list, key.size() + 1);
            StringBuilder sql = new StringBuilder("SELECT ");
            sql.append(columns.keys().stream()
                    .map(column -> Sql.column(relation, column) + "::text")
                    .collect(Collectors.joining(", ")));
            sql.append(" FROM ").append(Sql.relation(feed.relation())).append(" WHERE ");
            for (int i = 0; i < key.size(); i++) {
                sql.append(Sql.compared(relation, key.get(i))).append(" = ").append(Sql.parameter(i + 1, key.get(i)));
                sql.append(" AND ");
            }
            return new Statement(
                    sql.append(ranges.condition()).append(" LIMIT 1").toString(), false);
        });
    }

    public Position position(Row located) {
        String[] values = new String[columns.keys().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = located.getString(i);
        }
        return Position.of(values);
    }

    private boolean isIndexed(ListShape list) {
        return indexes.serve(feed.name(), order, list.conditions());
    }

    private Statement kept(Object shape, Supplier<Statement> write) {
        Statement known = written.get(shape);
        if (known != null) {
            return known;
        }
        Statement fresh = write.get();
        if (written.size() < MOST_KEPT) {
            written.put(shape, fresh);
        }
        return fresh;
    }

    public PageColumns columns() {
        return columns;
    }
}
