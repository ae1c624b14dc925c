package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Direction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Builds the statements of one order of one feed, and caches them by shape. Thread-safe. */
public final class OrderStatements {

    /**
     * Clients choose the filters, and thereby the number of shapes. Before a further statement is cached, all of this
     * many are dropped: those in use are soon built again.
     */
    private static final int MAX_CACHED = 2048;

    private final Feed feed;
    private final Order order;
    private final PageSql pageSql;
    private final OffsetSql offsetSql;
    private final LocateSql locateSql;
    private final PageColumns columns;
    private final List<String> itemTables;
    private final List<String> listTables;
    private final Optional<String> name;
    private final Map<Object, Statement> cache = new ConcurrentHashMap<>();

    public OrderStatements(Feed feed, Order order) {
        this.feed = feed;
        this.order = order;
        itemTables = Statement.itemTables(feed);
        listTables = Statement.listTables(feed);
        name = Optional.of(feed.name());
        columns = new PageColumns(feed, order);
        pageSql = new PageSql(feed, order, columns);
        offsetSql = new OffsetSql(feed, order);
        locateSql = new LocateSql(feed, order);
    }

    public Statement page(PageShape shape) {
        return getOrBuild(
                shape,
                () -> new Statement(
                        pageSql.statement(shape),
                        shape.parameterCount(),
                        shape.isThroughTextIndex()
                                ? Statement.Kind.TEXT_INDEXED
                                : shape.list().statementKind(feed, order),
                        itemTables,
                        name));
    }

    private record OffsetShape(ListShape list, Direction direction) {}

    /**
     * The statement for a page that is read by offset. The statement is planned for its values, because the best plan
     * depends on the offset.
     */
    public Statement offsetPage(ListShape list, Direction direction) {
        return getOrBuild(
                new OffsetShape(list, direction),
                () -> new Statement(
                        offsetSql.statement(list, direction),
                        OffsetSql.parameterCount(list, direction),
                        Statement.Kind.FREE,
                        itemTables,
                        name));
    }

    /** The statement that finds an item of the list by its key. */
    public Statement locate(ListShape list) {
        return getOrBuild(
                list,
                () -> new Statement(
                        locateSql.statement(list),
                        feed.relation().key().size() + list.parameterCount(),
                        Statement.Kind.FREE,
                        listTables,
                        name));
    }

    private Statement getOrBuild(Object shape, Supplier<Statement> build) {
        Statement statement = cache.get(shape);
        if (statement != null) {
            return statement;
        }
        Statement built = build.get();
        if (cache.size() >= MAX_CACHED) {
            cache.clear();
        }
        cache.put(shape, built);
        return built;
    }

    public PageColumns columns() {
        return columns;
    }
}
