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

/** The statements of one order of one feed, built once per shape and cached. */
public final class OrderStatements {

    /**
     * Clients choose the filters and thereby the number of shapes. Beyond this limit, statements are built for every
     * request.
     */
    private static final int MAX_CACHED = 2048;

    public record Statement(String sql, StatementKind kind) {

        /** Whether an index provides the order. */
        public boolean indexed() {
            return kind != StatementKind.FREE;
        }
    }

    private final Feed feed;
    private final Order order;
    private final PageSql pages;
    private final OffsetSql offsets;
    private final PageColumns columns;
    private final Map<Object, Statement> cache = new ConcurrentHashMap<>();

    public OrderStatements(Feed feed, Order order) {
        this.feed = feed;
        this.order = order;
        columns = new PageColumns(feed, order);
        pages = new PageSql(feed, order, columns.selected());
        offsets = new OffsetSql(feed, order);
    }

    public Statement page(PageShape shape) {
        return cached(
                shape, () -> new Statement(pages.statement(shape), shape.list().kind(feed, order)));
    }

    private record OffsetShape(ListShape list, Direction direction) {}

    /**
     * The statement for a page read by offset. It is planned with its values, because the best plan depends on the
     * offset.
     */
    public Statement offsetPage(ListShape list, Direction direction) {
        return cached(
                new OffsetShape(list, direction),
                () -> new Statement(offsets.statement(list, direction), StatementKind.FREE));
    }

    /**
     * The statement that finds an item by its key, if it matches the conditions, and returns its order key values as
     * text.
     */
    public Statement locate(ListShape list) {
        return cached(list, () -> {
            List<Column> key = feed.relation().key();
            String relation = feed.relation().name();
            RangeSql ranges = new RangeSql(feed, order, list, key.size() + 1);
            StringBuilder sql = new StringBuilder("SELECT ");
            sql.append(columns.keys().stream()
                    .map(column -> Sql.column(relation, column) + "::text")
                    .collect(Collectors.joining(", ")));
            sql.append(" FROM ").append(Sql.relation(feed.relation())).append(" WHERE ");
            for (int i = 0; i < key.size(); i++) {
                sql.append(Sql.operand(relation, key.get(i))).append(" = ").append(Sql.parameter(i + 1, key.get(i)));
                sql.append(" AND ");
            }
            return new Statement(
                    sql.append(ranges.condition()).append(" LIMIT 1").toString(), StatementKind.FREE);
        });
    }

    public Position position(Row row) {
        String[] values = new String[columns.keys().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.getString(i);
        }
        return Position.of(values);
    }

    private Statement cached(Object shape, Supplier<Statement> build) {
        Statement statement = cache.get(shape);
        if (statement != null) {
            return statement;
        }
        Statement fresh = build.get();
        if (cache.size() < MAX_CACHED) {
            cache.put(shape, fresh);
        }
        return fresh;
    }

    public PageColumns columns() {
        return columns;
    }
}
