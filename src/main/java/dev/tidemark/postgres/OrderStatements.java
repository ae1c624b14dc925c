package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements of one order of one feed, each written once for its shape. */
final class OrderStatements {

    /** Clients choose the filters, and so how many shapes there are: past this many, SQL is written anew each time. */
    private static final int MOST_KEPT = 2048;

    /** @param indexed whether an index serves the list, so that it is to be read through it */
    record Statement(String sql, boolean indexed) {}

    private final PageSql sql;
    private final List<Column> keys;
    private final int[] keyIndexes;
    private final Map<PageShape, Statement> written = new ConcurrentHashMap<>();

    OrderStatements(Feed feed, Order order, ServingIndexes indexes) {
        List<Column> selected = new ArrayList<>(feed.columns());
        keys = order.keys().stream().map(OrderKey::column).toList();
        keys.stream().filter(key -> !selected.contains(key)).forEach(selected::add);
        keyIndexes = keys.stream().mapToInt(selected::indexOf).toArray();
        sql = new PageSql(feed, order, selected, indexes);
    }

    Statement of(PageShape shape) {
        Statement known = written.get(shape);
        if (known != null) {
            return known;
        }
        Statement fresh = new Statement(sql.of(shape), sql.isIndexed(shape));
        if (written.size() < MOST_KEPT) {
            written.put(shape, fresh);
        }
        return fresh;
    }

    List<Column> keys() {
        return keys;
    }

    int[] keyIndexes() {
        return keyIndexes;
    }
}
